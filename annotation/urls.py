"""The pages of annotation."""

app_name = "annotation"
urlpatterns = []
