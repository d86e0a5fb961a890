"""What claims alone give away: when there is a figure, and when there is none."""

import pytest

from agreement.cues.claim_only import claim_only_scores

TEXTS = ["It is.", "It is not.", "It was.", "It was not.", "It will be.", "It will not be."]


def scores(labels, groups=None):
    claims = TEXTS[: len(labels)]
    return claim_only_scores(claims, labels, groups=groups or range(len(labels)), seed=1)


@pytest.mark.parametrize("labels", ["SRSRSR", "SSSSSR", "SRNSRN"])
def test_labels_of_few_claims_have_scores(labels):
    found = scores(labels)

    assert found["undefined"] is None
    assert found["majority_accuracy"] == pytest.approx(max(map(labels.count, labels)) / 6)
    assert 0 <= found["accuracy"] <= 1


@pytest.mark.parametrize(
    ("labels", "groups", "reason"),
    [("", None, "no_data"), ("SSS", None, "no_variation"), ("SRSRSR", [1, 1, 2, 2, 3, 4],
      "few_groups")],
)  # fmt: skip
def test_there_are_no_scores_of_one_label_or_few_articles(labels, groups, reason):
    found = scores(labels, groups)

    assert found == {
        "accuracy": None, "macro_f1": None, "majority_accuracy": None, "undefined": reason
    }  # fmt: skip
