"""The encoder of an index: named and the same everywhere, or fitted on its corpus and stored."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dictionaries.backends.base import IndexNotBuilt, IndexUnavailable
from dictionaries.backends.versions import unavailable
from dictionaries.encoders import (
    FIT_SAMPLE,
    SVD,
    Encoder,
    EncoderMissing,
    fit_svd,
    load_svd,
    named_encoder,
)


def encoder_to_build(
    name: str, folder: Path, old: Path | None, text: Callable[[int], str], count: int
) -> Encoder:
    """A named one, or the one fitted by the unfinished build in `folder`, or `old`, or a new one.

    text: of a position below `count`. Raises IndexNotBuilt where a named one is not installed.
    """
    if name != SVD:
        shutil.rmtree(folder, ignore_errors=True)
        try:
            return named_encoder(name)
        except EncoderMissing as missing:
            raise IndexNotBuilt(f"The index was not built: {missing}") from None
    for source in [folder, *([old] if old else [])]:
        encoder = _stored(source)
        if encoder and encoder.fits(count):
            if source != folder:
                shutil.copytree(source, folder, dirs_exist_ok=True)
            return encoder
    shutil.rmtree(folder, ignore_errors=True)
    return fit_svd([text(position) for position in _sample(count)], folder, paragraphs=count)


def _stored(folder: Path) -> Encoder | None:
    try:
        return load_svd(folder)
    except (OSError, ValueError, KeyError):
        return None


def _sample(count: int) -> list[int]:
    """The texts that an encoder is fitted on: all, or a seeded sample of a large corpus."""
    if count <= FIT_SAMPLE:
        return list(range(count))
    return np.sort(np.random.default_rng(0).choice(count, FIT_SAMPLE, replace=False)).tolist()


def encoder_to_ask(about: dict, corpus_folder: Path, folder: Path) -> Encoder:
    """The encoder that made an index' vectors. Raises IndexUnavailable where it is not here."""
    if about["name"] == SVD:
        return load_svd(folder)
    try:
        encoder = named_encoder(about["name"])
    except EncoderMissing as missing:
        raise IndexUnavailable(
            f"The index of {corpus_folder.name} cannot be used: {missing}"
        ) from None
    if encoder.version != about["version"]:
        reason = f"its vectors come from {about['version']}, here is {encoder.version}"
        raise unavailable(corpus_folder, reason)
    return encoder
