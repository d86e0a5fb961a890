"""How the HTTP API cuts long lists into pages."""

from rest_framework.pagination import PageNumberPagination


class Pages(PageNumberPagination):
    """Numbered pages; a client may ask for more rows at once, within reason."""

    page_size_query_param = "page_size"
    max_page_size = 1000
