"""Words too common to search for, by language; spaCy's lists where the project has none."""

import importlib
import importlib.util
import re
from functools import cache

ENGLISH = """
a about above after again against all also am an and any are aren't as at be because been before
being below between both but by can can't cannot could couldn't did didn't do does doesn't doing
don't down during each few for from further had hadn't has hasn't have haven't having he her here
hers herself him himself his how i if in into is isn't it its itself just me more most my myself
no nor not now of off on once only or other our ours ourselves out over own same shall she should
shouldn't so some such than that the their theirs them themselves then there these they this those
through to too under until up upon us very was wasn't we were weren't what when where which while
who whom why will with won't would wouldn't you your yours yourself yourselves
said says say told
"""

CZECH = """
a aby ač ačkoli aj ale ani aniž ano asi až během bez bude budeme budete budou budu by byl byla
byli bylo byly bych bychom byste být co což či článek další do ho i já jak jaké jako je jeho jej
její jejich jemu jen jenom jenž ještě ji jí jich jim jimi jinak již jsem jsi jsme jsou jste k kam
kde kdo kdy když ke která které kterého kterém kterému kteří který kterou kterých kterým ku má
mají mezi mi mimo mě mně mnou moje můj může my na nad nám námi naproti nás náš naše např ne nebo
neboť nechť než ni nic nich ním nimi nyní o od ode on ona oni ono ony pak po pod podle pokud pouze
právě pro proč proti proto protože před přede přes při s sám se si sice snad sobě svá své svého
svém svou svůj svých svým ta tak také takže tam tato te té tebe tedy ten tento ti tím tímto to
tobě tohle toho tohoto tom tomto tomu tou touto tu tuto tvůj ty tyto u už v vám vámi vás váš vaše
ve vedle však vy vždy z za zda zde ze že
současně naopak navíc společně přestože nejprve nedaleko poté potom zároveň přitom dosud celkem loni
letos dnes včera zatímco přesto kromě například nejméně
uvedl uvedla uvedli řekl řekla řekli dodal dodala
"""

OWN = {"en": frozenset(ENGLISH.split()), "cs": frozenset(CZECH.split())}


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, lower case; none for a language without a list.

    language: an ISO 639 code, as given by `analysis.base_language`.
    """
    if language in OWN:
        return OWN[language]
    if not re.fullmatch(r"[a-z]{2,3}", language):
        return frozenset()
    return _from_spacy(f"spacy.lang.{language}")


def _from_spacy(package: str) -> frozenset[str]:
    if importlib.util.find_spec(package) is None:
        return frozenset()
    try:
        words = importlib.import_module(f"{package}.stop_words").STOP_WORDS
    except ModuleNotFoundError:
        return frozenset()
    return frozenset(word.lower() for word in words)
