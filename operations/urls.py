app_name = "operations"
urlpatterns = []
