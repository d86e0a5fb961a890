"""Results for tests: a campaign whose corpus can be searched, and predictions for its claims."""

import json

from django.core.files.base import ContentFile

from datasets.results.claims import released_claims
from datasets.results.services import store_predictions
from dictionaries.services import build_corpus_index
from tests.datasets.builders import label, make_item_of
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_user,
    make_wave,
    paragraph_of,
)

S, R, NEI = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
TOWNS = ("Norvell", "Dalby", "Torvik", "Ostrava", "Kolding", "Visby", "Lund", "Malmo", "Umea")


def make_searchable(*, slug="spring", claims=18, indexed=True, texts=None, **corpus):
    """A campaign of decided claims, each with a source article of its own, in an index.

    A claim says that its town opened so many schools; its source says so (SUPPORTS), or that the
    town closed them (REFUTES), or that it rained.
    """
    corpus = make_corpus(slug=f"{slug}-agency", encoder="svd", **corpus)
    campaign = make_campaign(slug=slug, corpus=corpus)
    wave = make_wave(campaign)
    for number in range(claims):
        make_decided(wave, number, (S, R, NEI)[number % 3])
    if indexed:
        build_corpus_index(corpus=corpus)
    return campaign, wave


def make_decided(wave, number, given, *, text=None, cited=None, **article):
    """A claim about a town that two people gave the same label."""
    town = TOWNS[number % len(TOWNS)]
    said = f"The town of {town} opened {number} schools."
    texts = {S: said, R: f"The town of {town} closed all schools {number}.", NEI: "It rained."}
    external_id = f"{wave.campaign.slug}{number}"
    source = paragraph_of(
        make_article(wave.campaign.corpus, texts[given], external_id=external_id, **article)
    )
    claim = make_claim(wave, text or said, source=source)
    item = make_item_of(claim, wave)
    sets = [] if given == NEI else cited or [[source]]
    for annotator in ("ben", "cyn"):
        label(item, annotator, given, *sets)
    return claim


def lines_for(claims, *, pages=None, **labels):
    """Predictions of the right label and evidence; labels: by `c<number>`, others than right."""
    return [
        {
            "id": claim.number,
            "predicted_label": labels.get(f"c{claim.number}", claim.label),
            "predicted_pages": (pages or {}).get(
                claim.number, [cited.paragraph for one in claim.evidence for cited in one]
            ),
        }
        for claim in claims
    ]


def file_of(lines, name="mine.jsonl"):
    text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
    return ContentFile(text.encode(), name=name)


def make_predictions(release, name="XLM-R large", *, split=None, lines=None):
    """The stored result of predictions, all right unless told otherwise."""
    splits = released_claims(release).splits
    split = split or ("test" if "test" in splits else next(iter(splits)))
    lines = lines if lines is not None else lines_for(splits[split])
    by = make_user(username="mia")
    return store_predictions(release=release, name=name, split=split, file=file_of(lines), by=by)
