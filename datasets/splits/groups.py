"""Claims that must stay together: connected components over what they share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from datasets.splits.likeness import THRESHOLD, Tell, near_duplicates, normalised
from datasets.splits.records import SplitRecord, initial_claims
from datasets.untold import untold


@dataclass(frozen=True)
class Groups:
    """The component of each record: (n_records,), numbered by its first record.

    near: (n_pairs, 2) the near-duplicate pairs; without_near: the components without them.
    """

    group: np.ndarray
    near: np.ndarray
    without_near: np.ndarray


def ties(record: SplitRecord, roots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What a record shares with others that must be in its split: (kind, value).

    Its text, source article and initial claim; and where there is no source, the articles that
    it cites and its claim id. An article is the same tie as a source and where it is cited.
    roots: of `initial_claims`.
    """
    if text := normalised(record.text):
        yield "claim_text", text
    if record.initial_claim:
        yield "initial_claim", roots.get(record.initial_claim, record.initial_claim)
    if record.source_article:
        yield "article", record.source_article
        return
    if record.claim_id:
        yield "claim_id", record.claim_id
    for article in record.evidence_articles:
        yield "article", article


def group_records(
    records: Sequence[SplitRecord], *, threshold: float = THRESHOLD, tell: Tell = untold
) -> Groups:
    """The connected components of records over their ties and near-duplicate texts.

    tell: see `near_duplicates`.
    """
    near = near_duplicates([record.text for record in records], threshold=threshold, tell=tell)
    edges = tie_edges(records)
    return Groups(
        group=components(len(records), np.concatenate([edges, near])),
        near=near,
        without_near=components(len(records), edges),
    )


def tie_edges(records: Sequence[SplitRecord]) -> np.ndarray:
    """(n_edges, 2): each record with the first one that has the same tie."""
    first: dict[tuple[str, str], int] = {}
    roots = initial_claims(records)
    edges = [
        (first.setdefault(tie, position), position)
        for position, record in enumerate(records)
        for tie in ties(record, roots)
    ]
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def components(n_records: int, edges: np.ndarray) -> np.ndarray:
    """(n_records,): the number of each record's connected component."""
    if not n_records:
        return np.zeros(0, dtype=np.int64)
    graph = sparse.coo_matrix(
        (np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n_records, n_records)
    )
    return connected_components(graph, directed=False)[1].astype(np.int64)
