"""The pages of corpus."""

app_name = "corpus"
urlpatterns = []
