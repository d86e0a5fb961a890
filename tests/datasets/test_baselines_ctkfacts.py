"""Baselines on the published CTKFacts splits, with the texts of their paragraphs."""

import gzip
import json

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from datasets.baselines import (
    pipeline_figures,
    pipeline_predictions,
    retrieval_figures,
    train_both,
    train_verdicts,
    verdict_figures,
)
from datasets.records import Cited, LabelledClaim
from tests.shared import shared_data

DEV_EVERY, NEAREST = 8, 20


def objects(*parts):
    path = shared_data("ctkfacts", *parts)
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


@pytest.fixture(scope="module")
def texts():
    return {line["id"]: line["text"] for line in objects("paragraphs_derived.jsonl.gz")}


@pytest.fixture(scope="module")
def splits(texts):
    """Train, dev (one claim in eight of the published train file) and test."""
    published = labelled(objects("fever_ctkId", "train.jsonl.gz"), texts)
    train = [claim for place, claim in enumerate(published) if place % DEV_EVERY]
    test = labelled(objects("fever_ctkId", "validation.jsonl.gz"), texts)
    return train, published[::DEV_EVERY], test


def labelled(lines, texts):
    def cited(name):
        return Cited(name, texts.get(name, ""))

    return [
        LabelledClaim(
            number=line["id"],
            text=line["claim"],
            label=line["label"],
            source=cited(line["source"]),
            evidence=tuple(tuple(cited(item[2]) for item in one) for one in line["evidence"]),
        )
        for line in lines
    ]


@pytest.fixture(scope="module")
def ranking(splits, texts):
    """The nearest paragraphs by TF-IDF: any retrieval will do here."""
    words = TfidfVectorizer(sublinear_tf=True)
    paragraphs, names = words.fit_transform(texts.values()), list(texts)
    likeness = (words.transform([claim.text for claim in splits[2]]) @ paragraphs.T).toarray()
    nearest = np.argsort(-likeness, axis=1, kind="stable")[:, :NEAREST]
    return {
        claim.number: [names[place] for place in row]
        for claim, row in zip(splits[2], nearest.tolist(), strict=True)
    }


def test_a_linear_model_learns_a_little(splits):
    figures = verdict_figures(*splits, train_both(*splits[:2], seed=1))

    assert (figures["n_train"], figures["n_dev"], figures["n_test"]) == (2085, 298, 332)
    assert figures["majority"]["accuracy"] == pytest.approx(142 / 332)
    assert figures["majority"]["macro_f1"] + 0.1 < figures["claim_only"]["macro_f1"]
    assert figures["claim_only"]["macro_f1"] < figures["claim_and_evidence"]["macro_f1"] < 0.6


def test_retrieval_finds_most_of_the_evidence(splits, ranking):
    figures = retrieval_figures(splits[2], {"tfidf": ranking})

    assert figures["left_out"] == {"nei": 105, "no_evidence": 3}
    way = figures["ways"]["tfidf"]
    assert way["full_support"]["1"] < way["full_support"]["5"] < way["full_support"]["20"] < 1
    assert way["full_support"]["20"] > 0.8
    assert 0.6 < way["mrr"] < 0.9


def test_the_pipeline_loses_where_evidence_is_missing(splits, ranking, texts):
    model = train_verdicts(*splits[:2], with_evidence=True, seed=1)

    told = pipeline_predictions(model, splits[2], ranking, texts.__getitem__)
    reports = pipeline_figures(splits[2], told)

    found = reports["ctkfacts"].scores.figures
    nse, se = found["nse"]["macro_f1"], [found["se"][k]["macro_f1"] for k in ("1", "5", "20")]
    assert se[0] < se[1] < se[2] < nse
    fever = reports["fever"].scores.figures
    assert fever["label_accuracy"] == pytest.approx(found["nse"]["accuracy"])
    assert fever["strict_score"] == pytest.approx(found["se"]["5"]["accuracy"])
    same = retrieval_figures(splits[2], {"tfidf": ranking})["ways"]["tfidf"]
    assert found["full_support"]["20"] == pytest.approx(same["full_support"]["20"])
    assert found["mrr"]["20"] == pytest.approx(same["mrr"])
