"""A small browser for simulated people: real requests, real forms, no scripts."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx

VOID = {"input", "link", "meta", "br", "hr", "img"}


@dataclass
class Element:
    """One element of a page, with what it contains in document order."""

    tag: str
    attributes: dict
    parent: "Element | None" = None
    children: list = field(default_factory=list)
    texts: list = field(default_factory=list)

    def get(self, name, default=""):
        value = self.attributes.get(name, default)
        return default if value is None else value

    def has_class(self, name):
        return name in self.get("class").split()

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def find_all(self, tag="", *, css_class=""):
        for element in self.walk():
            if tag in {"", element.tag} and (not css_class or element.has_class(css_class)):
                yield element

    def find(self, tag="", *, css_class=""):
        return next(self.find_all(tag, css_class=css_class), None)

    @property
    def text(self):
        words = " ".join(text for element in self.walk() for text in element.texts)
        return " ".join(words.split())


class PageParser(HTMLParser):
    """Builds the tree of a page's elements."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = Element("page", {})
        self.here = self.root

    def handle_starttag(self, tag, attrs):
        element = Element(tag, dict(attrs), parent=self.here)
        self.here.children.append(element)
        if tag not in VOID:
            self.here = element

    def handle_endtag(self, tag):
        element = self.here
        while element.parent is not None and element.tag != tag:
            element = element.parent
        if element.parent is not None:
            self.here = element.parent

    def handle_data(self, data):
        if data.strip():
            self.here.texts.append(data)


def parse(html):
    parser = PageParser()
    parser.feed(html)
    return parser.root


def fields_of(form):
    """What the form would send as it stands, {name: [values]}, without its buttons."""
    fields = {}
    for element in form.walk():
        name = element.get("name")
        if not name or element.get("form"):
            continue
        if element.tag == "textarea":
            fields.setdefault(name, []).append(element.text)
        elif element.tag == "input" and is_sent(element):
            fields.setdefault(name, []).append(element.get("value"))
    return fields


def is_sent(element):
    kind = element.get("type", "text")
    return kind not in {"checkbox", "radio", "submit"} or "checked" in element.attributes


class Browser:
    """One signed-in person."""

    def __init__(self, address):
        # No connection is kept: the server may close one that waits just as it is used again.
        limits = httpx.Limits(max_keepalive_connections=0)
        self.client = httpx.Client(
            base_url=address, follow_redirects=True, timeout=60, limits=limits
        )
        self.page = None
        self.url = ""

    def open(self, path):
        return self._took(self.client.get(path))

    def send(self, path, fields):
        headers = {"Referer": str(self.client.base_url)}
        data = {"csrfmiddlewaretoken": self.client.cookies.get("csrftoken", ""), **fields}
        return self._took(self.client.post(path, data=data, headers=headers))

    def _took(self, response):
        response.raise_for_status()
        self.page = parse(response.text)
        self.url = response.url.path
        return self.page

    def sign_in(self, path, username, password):
        self.open(path)
        self.send(path, {"username": username, "password": password})
        if self.url == path:
            raise RuntimeError(f"{username} could not sign in")
