"""A campaign of translated claims over a corpus, and samples of them."""

import json
import tempfile
from pathlib import Path

from django.urls import reverse

from datasets.models import TranslationItem
from datasets.validating.services import answer_item, draw_sample
from tests.datasets.importing import import_lines
from tests.factories import make_article, make_campaign, make_corpus, make_user

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
KINDS = (S, R, N, S)
YES, NO, DUNNO, BAD = "SUPPORTED", "REFUTED", "NOT ENOUGH INFO", "UNUSABLE TRANSLATION"


def translated_line(number, label):
    """A claim in CsFEVER's form; verdicts cite the article Most, those of odd numbers Hrad, too."""
    cited = [] if label == N else [[[number, number, "Most", 1, "Bridge"]]]
    if cited and number % 2:
        cited += [[[number, number, "Hrad", 1, "Castle"]]]
    return {
        "id": number, "verifiable": "NOT VERIFIABLE" if label == N else "VERIFIABLE",
        "label": label, "claim": f"Most číslo {number} se otevřel.", "evidence": cited,
        "claim_en": f"Bridge number {number} was opened.",
    }  # fmt: skip


def make_translated(n=8, *, campaign=None, first=1, **fields):
    """A campaign with `n` imported claims: of four claims two supported, one refuted, one NEI.

    first: the number of the first one. The corpus has the article Most and lacks Hrad.
    """
    corpus = make_corpus(language="cs")
    if not corpus.articles.filter(external_id="Most").exists():
        make_article(corpus, "Most vede přes řeku.", title="Most v Dolanech", external_id="Most")
    campaign = campaign or make_campaign(corpus=corpus, **fields)
    lines = [translated_line(k, KINDS[k % 4]) for k in range(first, first + n)]
    with tempfile.TemporaryDirectory() as folder:
        texts = [json.dumps(line) for line in lines]
        import_lines(Path(folder), campaign, *texts, format="csfever", lines="ranks")
    return campaign


def make_sample(campaign, size=4, *, labels=(S, R, N), is_stratified=False, seed=1, by=None):
    return draw_sample(
        campaign=campaign, size=size, labels=list(labels), is_stratified=is_stratified,
        seed=seed, by=by or make_user(username="mia"),
    )  # fmt: skip


def answer(sample, number, verdict, by="ben"):
    item = TranslationItem.objects.get(sample=sample, number=number)
    return answer_item(item=item, verdict=verdict, by=make_user(username=by))


def item_page(sample, number):
    return reverse("datasets:judge-translation", args=[sample.pk, number])


def item_of(sample, *, label, odd=None):
    """An item of the sample with this label, of an odd or even claim."""
    items = TranslationItem.objects.filter(sample=sample, label=label).select_related("claim")
    return next(i for i in items if odd is None or i.claim.number % 2 == odd)
