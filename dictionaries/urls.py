"""The pages of dictionaries."""

app_name = "dictionaries"
urlpatterns = []
