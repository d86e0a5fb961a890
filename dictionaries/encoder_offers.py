"""Which encoders a corpus may choose: a page can ask without loading the numerical packages."""

from typing import NamedTuple

from dictionaries.analysis import base_language

USE, SVD = "use", "svd"
USE_LANGUAGES = frozenset(
    {"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"}
)  # sixteen with the two ways of writing Chinese
PARAGRAPHS_PER_SECOND = {USE: 120, SVD: 2_000}  # of 400 characters


class Offer(NamedTuple):
    """An encoder that a corpus may choose, and how long its paragraphs would take."""

    name: str
    recommended: bool
    seconds: float


def available_encoders(language: str, paragraphs: int = 100_000) -> list[Offer]:
    """The encoders for a language, the recommended first, with an estimate of the time."""
    best = choose_encoder("auto", language)
    names = [best] + [name for name in (USE, SVD) if name != best and _knows(name, language)]
    return [Offer(name, name == best, paragraphs / PARAGRAPHS_PER_SECOND[name]) for name in names]


def choose_encoder(model: str, language: str) -> str:
    """The encoder that a corpus' setting `auto`, `use` or `svd` means for its language."""
    if model in (USE, SVD):
        return model
    if model != "auto":
        raise ValueError(f"the model is {model!r}; use auto, use or svd")
    return USE if base_language(language) in USE_LANGUAGES else SVD


def _knows(name: str, language: str) -> bool:
    return name == SVD or base_language(language) in USE_LANGUAGES
