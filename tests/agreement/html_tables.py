"""What tables and figures of a page say, as a reader sees it."""

from html.parser import HTMLParser


class Reader(HTMLParser):
    """Collects the cells of all tables under the ids of their captions, and all other text."""

    def __init__(self):
        super().__init__()
        self.tables = {}
        self.rows = None
        self.cell = None

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.rows = []
        elif tag == "caption":
            self.tables[dict(attrs).get("id")] = self.rows
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell = []

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(" ".join("".join(self.cell).split()))
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data)


def table_of(html, caption):
    """The rows of the table with a caption of this id, without its header."""
    reader = Reader()
    reader.feed(html)
    return reader.tables[caption][1:]
