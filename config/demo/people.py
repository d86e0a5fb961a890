"""Simulated people, who work through the pages of the site as real ones do."""

import random
import time

from config.demo.browser import Browser, fields_of
from config.demo.script import plain

SIGN_IN = "/accounts/sign-in/"
WAIT_SECONDS = 2  # asking costs the server a page, which those who prepare work would lack
PATIENCE_SECONDS = 120


class Person:
    """One person with a browser. `careless` decides where they answer as the script's second."""

    def __init__(self, address, username, password, script):
        self.browser = Browser(address)
        self.username = username
        self.password = password
        self.script = script

    def sign_in(self):
        self.browser.sign_in(SIGN_IN, self.username, self.password)
        return self

    def ask(self, wave, task):
        """Whether there is work: then its page is open."""
        self.browser.send(f"/waves/{wave}/ask/{task}/", {})
        return self.is_at_work

    @property
    def is_at_work(self):
        return self.browser.url.startswith("/assignments/")

    @property
    def form(self):
        return next(f for f in self.browser.page.find_all("form") if f.get("id") == "work")

    def send(self, fields, action):
        """Send the open form; what it asks once is answered by sending it again.

        A form that is refused all the same is skipped: nobody waits for the person.
        """
        here = self.browser.url
        self.browser.send(here, {**fields_of(self.form), **fields, "action": action})
        if self.browser.url == here:
            self.browser.send(here, {**fields_of(self.form), "action": action})
        if self.browser.url == here:
            self.skip()

    def skip(self):
        self.browser.send(self.browser.url + "skip/", {"reason": "other"})

    def is_careless(self, text):
        return random.Random(f"{self.username} {text}").random() < 0.5

    def preselect(self):
        """T0: accept the paragraphs that the script has claims for, else reject all."""
        boxes = {}
        for paragraph in self.form.find_all(css_class="paragraph"):
            place = self.place_of(paragraph)
            box = paragraph.find("input")
            if box is not None and place in self.script.claims:
                boxes[place] = box.get("value")
        self.send({"accept": list(boxes.values())}, "next" if boxes else "reject")

    def place_of(self, paragraph):
        text = paragraph.find(css_class="paragraph-text")
        return self.script.place_of(text.text) if text is not None else None

    def write(self, action):
        """T1a: the claims of the script for the source that is shown."""
        source = self.form.find(css_class="source").find(css_class="paragraph-text")
        claims = self.script.claims.get(self.script.place_of(source.text), [])
        if not claims:
            return self.skip()
        self.send({f"claim-{n}": each.text for n, each in enumerate(claims, start=1)}, action)

    def mutate(self, action):
        """T1b: the mutations of the script for the claim that is shown."""
        statement = self.statement
        mutations = statement.mutations if statement else {}
        shown = {
            card.get("data-mutation") for card in self.form.find_all(css_class="mutation-card")
        }
        fields = {name: text for name, text in mutations.items() if name in shown}
        if not fields:
            return self.skip()
        self.send(fields, action)

    @property
    def statement(self):
        claim = self.form.find("h1", css_class="claim-text")
        return self.script.statements.get(plain(claim.text)) if claim is not None else None

    def label(self, action):
        """T2: the script's answer, with those of its evidence sets that can be read here."""
        statement = self.statement
        if statement is None:
            return self.skip()
        label, sets = statement.answer(self.is_careless(statement.text))
        for article in sorted({article for items in sets for article, _ in items}):
            self.open_article(article)
        boxes = self.boxes()
        known = [items for items in sets if all(place in boxes for place in items)]
        if label != "NOT ENOUGH INFO" and not known:
            label, known = "NOT ENOUGH INFO", []
        fields = {"label": label}
        for number, items in enumerate(known, start=1):
            fields[f"set-{number}"] = [boxes[place] for place in items]
        self.send(fields, action)

    def boxes(self):
        """{(article, rank): what a tick of it sends} of the paragraphs on the page."""
        boxes = {}
        for paragraph in self.form.find_all(css_class="paragraph"):
            box = paragraph.find("input")
            if box is not None and (place := self.place_of(paragraph)):
                boxes[place] = box.get("value")
        return boxes

    def open_article(self, article):
        for details in self.form.find_all("details", css_class="article"):
            places = [self.place_of(each) for each in details.find_all(css_class="paragraph")]
            buttons = [b for b in details.find_all("button") if b.get("name") == "open_article"]
            if buttons and any(place and place[0] == article for place in places):
                fields = {**fields_of(self.form), "open_article": buttons[0].get("value")}
                self.browser.send(self.browser.url, fields)
                return


def wait_for_work(person, wave, task, *, may_come):
    """Ask until there is work; False where there is none, and none will come or none has come.

    may_come: whether work is being prepared. It is looked at before asking: what gets ready in
    between is found by the asking.
    """
    last = time.monotonic() + PATIENCE_SECONDS
    while True:
        is_last = not may_come() or time.monotonic() > last
        if person.ask(wave, task):
            return True
        if is_last:
            return False
        time.sleep(WAIT_SECONDS)
