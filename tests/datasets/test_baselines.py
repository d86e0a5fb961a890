"""Baselines on data made by hand: what they learn, what they leave out, what they refuse."""

import pytest

from datasets.baselines import (
    pipeline_figures,
    pipeline_predictions,
    retrieval_figures,
    train_both,
    train_verdicts,
    verdict_figures,
)
from datasets.baselines.pairs import first_pairs, gold_pairs, overlap, pair_of
from datasets.records import Cited, LabelledClaim

S, R, NEI = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
TOWNS = ("Praha", "Brno", "Plzeň", "Opava", "Zlín", "Tábor", "Písek", "Cheb", "Most", "Děčín")


def claim(number, label=S, *sets, text="Most je nový.", source="z_1"):
    evidence = tuple(tuple(Cited(name, f"text {name}") for name in one) for one in sets)
    return LabelledClaim(number, text, label, Cited(source, f"text {source}"), None, evidence)


def town_claims(start, count):
    """Claims that only the text beside them decides: it names their number, another, or none."""
    for number in range(start, start + count):
        town, label = TOWNS[number % 10], (S, R, NEI)[number % 3]
        beside = {S: f"{town} otevřela {number} škol.", R: f"{town} zavřela školy.", NEI: "Pršelo."}
        cited = Cited(f"{town}_{number}", beside[label])
        yield LabelledClaim(
            number=number,
            text=f"{town} otevřela {number} škol.",
            label=label,
            source=cited,
            evidence=() if label == NEI else ((cited,),),
        )


SPLITS = [list(town_claims(*place)) for place in ((1000, 90), (2000, 30), (3000, 30))]


def figures_with(seed):
    return verdict_figures(*SPLITS, train_both(*SPLITS[:2], seed=seed))


def test_what_the_evidence_says_is_learnt():
    figures = figures_with(seed=3)

    assert figures["claim_and_evidence"]["macro_f1"] == 1
    assert figures["claim_only"]["macro_f1"] < 0.6
    assert figures["majority"] == figures["majority"] | {
        "label": S, "accuracy": pytest.approx(1 / 3), "macro_f1": pytest.approx(1 / 6)
    }  # fmt: skip


def test_the_same_seed_gives_the_same_figures():
    assert figures_with(seed=3) == figures_with(seed=3)


def test_the_strength_is_chosen_on_the_dev_split():
    model = train_verdicts(*SPLITS[:2], with_evidence=True, seed=3)

    best = max(one["macro_f1"] for one in model.tuning)
    assert [one["strength"] for one in model.tuning] == [0.03, 0.1, 0.3, 1.0, 3.0]
    assert model.strength == next(
        one["strength"] for one in model.tuning if one["macro_f1"] == best
    )


def test_progress_is_told():
    told = []

    train_verdicts(*SPLITS[:2], with_evidence=False, seed=3, progress=lambda *n: told.append(n))

    assert told == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_the_claims_behind_each_cell_are_named():
    figures = figures_with(seed=3)

    cells = figures["majority"]["confusion"]["cells"]
    assert [(cell["gold"], cell["predicted"], cell["n"]) for cell in cells] == [
        (S, S, 10), (R, S, 10), (NEI, S, 10)
    ]  # fmt: skip
    assert cells[0]["claims"][0] == "3000"


def test_each_evidence_set_is_learnt_from_and_one_is_judged():
    claims = [claim(1, S, ["a_1", "a_2"], ["b_1"]), claim(2, NEI), claim(3, None, ["c_1"])]

    learnt = [" ".join(pair.evidence) for pair, _ in gold_pairs(claims)]
    judged = [" ".join(pair.evidence) for pair, _ in first_pairs(claims)]

    assert learnt == ["text a_1 text a_2", "text b_1", "text z_1"]
    assert judged == ["text a_1 text a_2", "text z_1"]


def test_what_claim_and_text_share():
    pair = pair_of("Praha má 12 mostů", "Dnes má 12 mostů i Brno")

    assert overlap(pair) == (0.75, pytest.approx(2 / 3), 1.0)
    assert overlap(pair_of("Praha spí", "Brno")) == (0, 0, 1)


@pytest.mark.parametrize(
    ("train", "dev", "reason"),
    [
        ([claim(1), claim(2)], [claim(3)], "fewer than two labels"),
        ([claim(1), claim(2, R)], [claim(3, None)], "nothing can be tuned"),
    ],
)
def test_what_cannot_be_trained_is_refused(train, dev, reason):
    with pytest.raises(ValueError, match=reason):
        train_verdicts(train, dev, with_evidence=True, seed=1)


def test_an_empty_test_split_is_refused():
    with pytest.raises(ValueError, match="nothing can be measured"):
        verdict_figures(*SPLITS[:2], [claim(3, None)], {})


def test_retrieval_is_judged_on_verdicts_with_evidence():
    claims = [claim(1, S, ["a_1", "a_2"], ["b_1"]), claim(2, R, ["c_1"]), claim(3, NEI, ["d_1"]),
              claim(4, S)]  # fmt: skip
    rankings = {
        "keyword": {1: ["x_1", "a_1", "a_2"], 2: ["c_1"]},
        "semantic": {1: ["b_1", "b_1"]},
    }

    figures = retrieval_figures(claims, rankings)

    assert figures["left_out"] == {"nei": 1, "no_evidence": 1}
    assert figures["ways"]["keyword"]["claims"] == 2
    assert figures["ways"]["keyword"]["mrr"] == 0.75
    assert figures["ways"]["keyword"]["full_support"]["1"] == 0.5
    assert figures["ways"]["keyword"]["full_support"]["5"] == 1
    assert figures["ways"]["semantic"]["full_support"]["5"] == 0.5
    assert figures["ways"]["semantic"]["recall"]["5"] == pytest.approx(1 / 6)


def test_retrieval_without_evidence_has_no_figures():
    assert retrieval_figures([claim(1, NEI)], {"keyword": {}})["ways"] == {"keyword": None}


def test_the_pipeline_reads_what_was_retrieved_and_nothing_else():
    model = train_verdicts(*SPLITS[:2], with_evidence=True, seed=3)
    test = SPLITS[2][:3]
    texts = {one.source.paragraph: one.source.text for one in test} | {"rain_1": "Pršelo."}
    right = {one.number: [one.source.paragraph] for one in test}
    wrong = {one.number: ["rain_1", one.source.paragraph] for one in test}

    told = pipeline_predictions(model, test, right, texts.__getitem__)
    misled = pipeline_predictions(model, test, wrong, texts.__getitem__, read=1)

    assert [one["predicted_label"] for one in told] == [one.label for one in test]
    assert {one["predicted_label"] for one in misled} == {NEI}
    assert misled[0]["predicted_pages"] == wrong[test[0].number]


def test_the_pipeline_is_scored_with_and_without_evidence():
    claims = [claim(1, S, ["a_1"]), claim(2, R, ["b_1"]), claim(3, NEI), claim(4, None)]
    told = [
        {"id": 1, "predicted_label": S, "predicted_pages": ["x_1", "a_1"]},
        {"id": 2, "predicted_label": R, "predicted_pages": ["x_1"]},
        {"id": 3, "predicted_label": NEI, "predicted_pages": []},
        {"id": 4, "predicted_label": S, "predicted_pages": []},
    ]

    reports = pipeline_figures(claims, told)

    ctkfacts = reports["ctkfacts"].scores.figures
    assert ctkfacts["nse"]["accuracy"] == 1
    assert ctkfacts["se"]["1"]["accuracy"] == pytest.approx(1 / 3)
    assert ctkfacts["se"]["5"]["accuracy"] == pytest.approx(2 / 3)
    assert reports["fever"].scores.figures["strict_score"] == pytest.approx(2 / 3)
    assert reports["fever"].scores.figures["label_accuracy"] == 1
    assert reports["fever"].matching.extra == []
