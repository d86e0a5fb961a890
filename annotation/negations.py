"""Which words deny, in English and Czech: they may give a label away. Pure: no Django."""

ENGLISH = """
not no never none nobody nothing nowhere neither nor cannot without hardly scarcely barely
"""
CZECH = """
ne nikdy nikdo nikoho nikomu nikým nic ničeho ničemu ničím nikde nikam nijak nikterak nikoli
nikoliv žádný žádná žádné žádní žádného žádnému žádnou žádných žádným žádnými ani bez nejsem
nejsi nejsme nejste nejsou nejde nejdou nejede nejedou
"""
# Frequent Czech words and stems that begin with ne- and deny nothing; nej- is a superlative.
NOT_NEGATED = """
nebe nebes nebi nebo neboť neděle neděli nedělí nehod nehoda nehodě nehodou nehodu nehody nech
nechat nechť nechá nese nesl nesla nesli nesou nestor netto network nevada news
"""
NOT_NEGATED_STEMS = """
nebesk nebezpeč nečas nedalek nedávn nedělní nehet neht nej nechal nechat necháv nekrolog nemoc
nemovit neon nepál nepřátel nepřítel neřest nerost nerv netopýr neteř neuro neutr nevěst německ
němec němc nezávisl nezbyt nezisk nešvar
"""
ENGLISH_WORDS = frozenset(ENGLISH.split())
CZECH_WORDS = frozenset(CZECH.split())
OTHER_WORDS = frozenset(NOT_NEGATED.split())
OTHER_STEMS = tuple(NOT_NEGATED_STEMS.split())


def denies(word: str, language: str) -> bool:
    """Whether a word denies something; in other languages than English and Czech none does.

    word: in lower case. language: a code such as 'cs' or 'en-GB'. In Czech a verb is denied by
    its prefix: words in ne- count, save a list of others. It decides nothing: it warns a writer
    and marks rows of a table.
    """
    code = language.split("-")[0].lower()
    if code == "en":
        return word in ENGLISH_WORDS or word.replace("’", "'").endswith("n't")
    return code == "cs" and (word in CZECH_WORDS or has_denying_prefix(word))


def has_denying_prefix(word: str) -> bool:
    """Whether a word has the prefix ne- on a verb or adjective: není, nebyl, nemá, nelegální."""
    known = word in OTHER_WORDS or word.startswith(OTHER_STEMS)
    return word.startswith("ne") and len(word) >= 4 and not known
