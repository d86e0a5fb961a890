import numpy as np
import pytest

from dictionaries.encoders import (
    UseEncoder,
    available_encoders,
    choose_encoder,
    fit_svd,
    load_svd,
)
from dictionaries.ngrams import features, fit_vectors
from tests.shared import shared_data

TEXTS = [
    "Most přes řeku se otevře na podzim",
    "Otevření mostu přes řeku se odkládá",
    "Ministr financí podal demisi",
    "Ministryně financí demisi nepodala",
    "V lese rostou houby",
]


@pytest.mark.parametrize(
    ("model", "language", "expected"),
    [
        ("auto", "en", "use"),
        ("auto", "de-AT", "use"),
        ("auto", "zh-TW", "use"),
        ("auto", "cs", "svd"),
        ("auto", "", "svd"),
        ("use", "cs", "use"),
        ("svd", "en", "svd"),
    ],
)
def test_the_encoder_follows_setting_and_language(model, language, expected):
    assert choose_encoder(model, language) == expected


def test_an_unknown_model_is_named():
    with pytest.raises(ValueError, match="'bert'"):
        choose_encoder("bert", "en")


def test_offers_have_estimates_and_start_with_the_recommended():
    assert [offer.name for offer in available_encoders("en")][:2] == ["use", "svd"]
    assert available_encoders("cs")[0].name == "svd"
    assert available_encoders("en", 1_000)[0].seconds > available_encoders("en", 1_000)[1].seconds


def test_use_knows_that_a_paraphrase_is_nearer_than_another_topic():
    vectors = UseEncoder().encode(
        ["The minister resigned.", "The secretary stepped down.", "It rained in the hills."]
    )

    assert vectors.dtype == np.float32
    assert vectors.shape == (3, 512)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_use_encodes_nothing():
    assert UseEncoder().encode([]).shape == (0, 512)


def test_ngrams_mark_the_edges_of_a_word():
    assert features("oko") == (" ok", "oko", "ko ", " oko", "oko ", " oko ")


def test_the_fitted_encoder_sees_case_forms_as_near():
    vectors = fit_vectors(TEXTS).encode(["otevření mostu", *TEXTS])

    assert np.argmax(vectors[1:] @ vectors[0]) in {0, 1}
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(6), abs=1e-5)


def test_a_text_is_encoded_alike_alone_and_among_others():
    encoder = fit_vectors(TEXTS)

    assert encoder.encode(TEXTS)[2] == pytest.approx(encoder.encode([TEXTS[2]])[0], abs=1e-6)


def test_word_order_and_repetition_matter_little():
    encoder = fit_vectors(TEXTS)
    one, other = encoder.encode(["houby rostou", "rostou rostou houby"])

    assert one @ other > 0.9


@pytest.mark.parametrize("texts", [[], [""], ["."], ["a"], ["ahoj"]])
def test_the_tiniest_corpora_can_be_fitted(texts):
    vectors = fit_vectors(texts).encode([*texts, "ahoj", ""])

    assert vectors.shape[0] == len(texts) + 2
    assert not vectors[-1].any()
    assert np.isfinite(vectors).all()


def test_a_stored_encoder_encodes_as_before(tmp_path):
    fitted = fit_svd(TEXTS, tmp_path, paragraphs=5)
    loaded = load_svd(tmp_path)

    assert loaded.version == fitted.version
    assert np.array_equal(loaded.encode(TEXTS), fitted.encode(TEXTS))


def test_fitting_twice_gives_the_same_version(tmp_path):
    one, other = (fit_svd(TEXTS, tmp_path / name, paragraphs=5) for name in "ab")

    assert one.version == other.version


def test_a_changed_encoder_file_is_refused(tmp_path):
    fit_svd(TEXTS, tmp_path, paragraphs=5)
    other = fit_vectors(TEXTS[:2])
    other.save(tmp_path)

    with pytest.raises(ValueError, match="not the one"):
        load_svd(tmp_path)


def test_an_encoder_is_outgrown_by_half_as_many_again(tmp_path):
    encoder = fit_svd(TEXTS, tmp_path, paragraphs=100)

    assert encoder.fits(150)
    assert not encoder.fits(151)


def test_half_a_czech_paragraph_finds_its_other_half():
    import gzip
    import json

    path = shared_data("ctkfacts", "paragraphs_derived.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for _, line in zip(range(400), lines, strict=False)]
    long = [text for text in texts if len(text) > 400][:100]
    halves = [(text[: len(text) // 2], text[len(text) // 2 :]) for text in long]
    encoder = fit_vectors(texts)

    first, second = (encoder.encode([pair[i] for pair in halves]) for i in (0, 1))

    found = (second @ first.T).argmax(axis=1) == np.arange(len(halves))
    assert found.mean() > 0.6
