"""What tests of the work pages share: where a page is, what it shows, how much it asks."""

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

HTMX = {"HX-Request": "true"}


def page_of(assignment):
    return reverse("annotation:work", args=[assignment.pk])


def read(response):
    """The text of a page that was drawn."""
    assert response.status_code == 200
    return response.content.decode()


def count_queries(client, url):
    """How many queries a page takes."""
    client.get(url)  # what is made once per session
    with CaptureQueriesContext(connection) as queries:
        read(client.get(url))
    return len(queries)
