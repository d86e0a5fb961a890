"""A retrieval set in BEIR's layout: claims as queries, and the paragraphs that decide them.

Source: Thakur et al., "BEIR" (2021): queries and corpus as lines of JSON with `_id`, relevance as
a table of query, document and grade.
"""

from collections.abc import Iterator

from datasets.records import Cited, LabelledClaim
from datasets.writers.lines import as_it_is, id_of, name_of

HEADER = "query-id\tcorpus-id\tscore\n"


def lines(claim: LabelledClaim) -> Iterator[str]:
    """A line of its own, which `query_and_relevance` takes apart into those of two files."""
    cited = dict.fromkeys(name_of(each) for group in claim.evidence for each in group)
    yield as_it_is({"_id": str(id_of(claim)), "text": claim.text, "relevant": list(cited)})


def query_and_relevance(told: dict) -> tuple[str, list[str]]:
    """The query's line, and a row for each paragraph of any of its evidence sets."""
    query = as_it_is({"_id": told["_id"], "text": told["text"]}) + "\n"
    return query, [f"{told['_id']}\t{name}\t1\n" for name in told["relevant"]]


def document(name: str, title: str, text: str) -> str:
    return as_it_is({"_id": name, "title": title, "text": text})


def can_cite(cited: Cited) -> bool:
    """Whether it is in the corpus that goes with the queries, under a name that a row can hold."""
    return cited.is_resolved and not set(cited.paragraph) & set("\t\n\r")
