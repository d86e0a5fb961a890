"""What claims come from: the article of their source, or what is known where there is none."""

import json
from collections.abc import Hashable

import numpy as np

from annotation.models import Campaign, Claim
from corpus.models import Article
from corpus.records import article_of

CHUNK = 5000


def known_sources(campaign: Campaign, source: np.ndarray) -> np.ndarray:
    """(n,) sources of claims, of which minus a claim's id stands for one without an article.

    Claims without an article that have one origin get one number below 0.
    """
    if not (source < 0).any():
        return source
    origin = sources_of(campaign)
    return np.array([origin[-each] if each < 0 else each for each in source.tolist()])


def sources_of(campaign: Campaign) -> dict[int, int]:
    """{claim: its source}: an article's id, or minus the id of the first claim of one origin."""
    rows = Claim.objects.filter(campaign=campaign).order_by("pk")
    columns = rows.values_list("pk", "source__article", "parent", "external_parent")
    facts = {claim: facts for claim, *facts in columns.iterator(chunk_size=CHUNK)}
    lost, first = lost_sources(campaign), dict[Hashable, int]()
    return {claim: numbered(origin_of(claim, facts, lost), claim, first) for claim in facts}


def numbered(origin: Hashable, claim: int, first: dict[Hashable, int]) -> int:
    return origin if isinstance(origin, int) else -first.setdefault(origin, claim)


def lost_sources(campaign: Campaign) -> dict[int, Hashable]:
    """{claim: the article that its file named}, of imported claims whose source is not here.

    By its id where the corpus has the article, though not this paragraph of it.
    """
    rows = Claim.objects.filter(campaign=campaign, source=None, extra__contains='"source"')
    kept = rows.values_list("pk", "extra").iterator(chunk_size=CHUNK)
    named = {claim: json.loads(extra).get("source") for claim, extra in kept}
    names = {claim: article_of(name) for claim, name in named.items() if name}
    here = articles_named(campaign, sorted(set(names.values())))
    return {claim: here.get(name, ("article", name)) for claim, name in names.items()}


def articles_named(campaign: Campaign, names: list[str]) -> dict[str, int]:
    """{name: the article of the campaign's corpus}, of those that it has."""
    found: dict[str, int] = {}
    for start in range(0, len(names), CHUNK):
        piece = Article.objects.filter(external_id__in=names[start : start + CHUNK])
        found |= piece.filter(corpus=campaign.corpus_id).values_list("external_id", "pk")
    return found


def origin_of(claim: int, facts: dict[int, list], lost: dict[int, Hashable]) -> Hashable:
    """The article's id, the name of one that is not here, else the claim that it goes back to.

    Of claims that go back to each other, the least.
    """
    path: dict[int, None] = {}
    while claim not in path:
        path[claim] = None
        article, parent, named_parent = facts[claim]
        if article or claim in lost:
            return article or lost[claim]
        if parent is None:
            return ("claim named", named_parent) if named_parent else ("claim", claim)
        claim = parent
    walked = list(path)
    return ("claim", min(walked[walked.index(claim) :]))
