"""What the simulated people of the demo know: the sample corpus and the claims upon it."""

import json
from dataclasses import dataclass, field

from django.conf import settings

SAMPLES = settings.BASE_DIR / "samples"
ENGLISH = SAMPLES / "norvell-en.jsonl"
CZECH = SAMPLES / "orlavsko-cs.jsonl"

Place = tuple[str, int]  # article id, rank


@dataclass(frozen=True)
class Statement:
    """A claim or a mutation with its right answer, and one that a careless reader gives."""

    text: str
    label: str
    evidence: list[list[Place]]
    disagree: dict | None = None
    mutations: dict[str, str] = field(default_factory=dict)

    def answer(self, careless):
        """(label, evidence sets) of a careful or of a careless reader."""
        if careless and self.disagree:
            return self.disagree["label"], sets_of(self.disagree["evidence"])
        return self.label, self.evidence


@dataclass(frozen=True)
class Script:
    places: dict[str, Place]
    claims: dict[Place, list[Statement]]
    statements: dict[str, Statement]

    def place_of(self, text):
        return self.places.get(plain(text))


def plain(text):
    return " ".join(text.split())


def sets_of(evidence):
    return [[tuple(place) for place in items] for items in evidence]


def read_script():
    """The script, from the files beside the project."""
    claims, statements = {}, {}
    for line in read_lines(SAMPLES / "demo-claims.jsonl"):
        place = (line["article"], line["rank"])
        claims[place] = [statement_of(claim) for claim in line["claims"]]
        for claim in line["claims"]:
            for each in [claim, *claim["mutations"]]:
                statements[plain(each["text"])] = statement_of(each)
    return Script(places=places_of_texts(), claims=claims, statements=statements)


def places_of_texts():
    return {
        plain(text): (article["id"], rank)
        for article in reversed(read_lines(ENGLISH))  # of equal texts, the first article's
        for rank, text in enumerate(article["paragraphs"], start=1)
    }


def statement_of(entry):
    return Statement(
        text=entry["text"],
        label=entry["label"],
        evidence=sets_of(entry["evidence"]),
        disagree=entry.get("disagree"),
        mutations={each["type"]: each["text"] for each in entry.get("mutations", [])},
    )


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
