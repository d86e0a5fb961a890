"""What a release says of its own lines."""

from datasets.releases.facts import cues_of
from datasets.releases.options import ReleaseOptions
from tests.datasets.releasing import DAY

LABELS = ("SUPPORTS", "REFUTES")


def lines(n, **fields):
    """So many claims, each a mutation of the one before it."""
    return [
        {
            "id": number,
            "claim": f"The bridge number {number} opened.",
            "label": LABELS[number % 2],
            "source": "",
            "mutated_from": number - 1 if number else None,
            **fields,
        }
        for number in range(n)
    ]


def claim_only(*released):
    return cues_of(released, "en", ReleaseOptions(date=DAY))["claim_only"]


def test_a_claim_and_its_mutations_are_one_source_to_the_claim_only_classifier():
    assert claim_only(*lines(30, mutated_from=None))["undefined"] is None
    assert claim_only(*lines(30))["undefined"] == "few_groups"
