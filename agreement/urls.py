"""The pages of agreement."""

app_name = "agreement"
urlpatterns = []
