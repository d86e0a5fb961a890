"""The pages of accounts."""

from django.urls import path

from accounts import people_views, views

app_name = "accounts"
urlpatterns = [
    path("sign-in/", views.sign_in, name="sign-in"),
    path("sign-out/", views.sign_out, name="sign-out"),
    path("", views.account, name="account"),
    path("theme/", views.theme, name="theme"),
    path("password/", views.password, name="password"),
    path("reset/<str:token>/", views.reset, name="reset"),
    path("tokens/make/", views.make_token, name="make-token"),
    path("tokens/<int:token_id>/end/", views.end_token, name="end-token"),
    path("people/", people_views.people, name="people"),
    path("people/<int:user_id>/", people_views.person, name="person"),
    path(
        "people/<int:user_id>/issue-reset-link/",
        people_views.issue_reset_link,
        name="issue-reset-link",
    ),
    path("people/<int:user_id>/unlock/", people_views.unlock, name="unlock"),
    path("people/<int:user_id>/deactivate/", people_views.deactivate, name="deactivate"),
    path("people/<int:user_id>/reactivate/", people_views.reactivate, name="reactivate"),
    path("people/<int:user_id>/forget/", people_views.forget, name="forget"),
]
