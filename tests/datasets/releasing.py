"""Releases for tests: a campaign with labels, and what is chosen by default."""

import json
from uuid import uuid4

from django.core.files.base import ContentFile

from datasets.checking import start_check
from datasets.releases.options import ReleaseOptions
from datasets.releases.services import run_release, start_release
from tests.datasets.builders import labelled
from tests.factories import (
    make_article,
    make_campaign,
    make_corpus,
    make_user,
    make_wave,
    paragraph_of,
)

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
DAY = "2026-11-30"


def make_labelled_campaign(*, slug="spring", n=12, **corpus):
    """A campaign of `n` claims from as many articles, labelled twice or thrice; its wave."""
    corpus = make_corpus(licence="CC BY 4.0", **corpus)
    campaign = make_campaign(slug=slug, corpus=corpus)
    wave = make_wave(campaign)
    for number in range(n):
        article = make_article(
            corpus, f"The bridge number {number} opened.", external_id=f"{slug}{number}"
        )
        given = [(S, S), (R, R), (N, N, S), (S, R, S)][number % 4]
        text = f"Bridge {number} was opened {'never' if given[0] == R else 'early'} in spring."
        labelled(wave, *given, text=text, source=paragraph_of(article))
    return campaign, wave


def make_release(campaign, name="1.0.0", *, by=None, **options):
    """A release of a campaign that is made."""
    chosen = ReleaseOptions(**{"date": DAY, **options})
    return run_release(campaign=campaign, name=name, options=chosen, key=uuid4().hex, by=by)


def make_release_job(campaign, name="2.0.0", *, by=None):
    """The waiting job of a release."""
    by = by or make_user(username="mia")
    options = ReleaseOptions(date=DAY)
    return start_release(campaign=campaign, name=name, options=options, by=by)


def make_check(*, by, **splits):
    """The waiting check of two or three files: {name: records}."""
    splits = splits or {name: [{"id": 1, "claim": "It opened."}] for name in ("train", "dev")}
    files = [
        ContentFile(
            "".join(json.dumps(record) + "\n" for record in records).encode(), f"{name}.jsonl"
        )
        for name, records in splits.items()
    ]
    return start_check(files=files, by=by)
