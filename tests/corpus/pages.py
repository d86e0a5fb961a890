"""Pages of a corpus, and what they show."""

from django.urls import reverse


def page(client, name, *arguments, **data):
    return client.get(reverse(f"corpus:{name}", args=["agency", *arguments]), data)


def shown(response):
    assert response.status_code == 200
    return " ".join(response.content.decode().split())
