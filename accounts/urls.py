from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [path("sign-in/", views.sign_in, name="sign-in")]
