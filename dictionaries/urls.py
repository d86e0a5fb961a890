"""The pages of dictionaries."""

from django.urls import path

from dictionaries.views import explore, index, search

app_name = "dictionaries"
urlpatterns = [
    path("<slug:slug>/index/", index.index, name="index"),
    path("<slug:slug>/index/build/", index.build_index, name="build-index"),
    path("<slug:slug>/index/check/", index.check_index, name="check-index"),
    path("<slug:slug>/explore/", explore.explore, name="explore"),
    path("<slug:slug>/search/", search.search, name="search"),
]
