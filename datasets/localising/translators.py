"""The translator that is plugged in: a function that the operator names by its dotted path."""

from importlib import import_module

from datasets.localising.translations import Translate, UnusableTranslator


def load_translator(path: str) -> Translate:
    """The function `translate(texts: list[str]) -> list[str]` of this path, such as mine.translate.

    Raises UnusableTranslator where there is none. Paths come from the environment or from the
    command line, never from a page: importing a module runs it.
    """
    module, dot, name = path.rpartition(".")
    if not dot:
        raise UnusableTranslator(f"The translator is {path!r}; write it as module.function.")
    try:
        found = getattr(import_module(module), name)
    except Exception as error:  # whatever a module that is none of ours may raise
        reason = f"{type(error).__name__}: {error}"
        raise UnusableTranslator(f"The translator {path} cannot be loaded: {reason}") from error
    if not callable(found):
        raise UnusableTranslator(f"The translator {path} is no function.")
    return found
