"""The pages of datasets."""

app_name = "datasets"
urlpatterns = []
