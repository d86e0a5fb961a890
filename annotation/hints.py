"""Live checks in words: what is pointed out about claims while they are written. None blocks."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import claim_checks
from annotation.models import Claim, Mutation
from annotation.telling_words import telling_word
from corpus.texts import text_hash

SENTENCES = {
    claim_checks.EMPTY: gettext_lazy("It is empty."),
    claim_checks.PRONOUN: gettext_lazy("It begins with “%(word)s”; name who or what is meant."),
    claim_checks.QUESTION: gettext_lazy("It asks a question; a claim states a fact."),
    claim_checks.SENTENCES: gettext_lazy("It has several sentences; a claim states one fact."),
    claim_checks.VAGUE: gettext_lazy("“%(word)s” cannot be checked; say how many or when."),
    claim_checks.HEDGE: gettext_lazy("“%(word)s” leaves it open; state what is so."),
    claim_checks.EQUAL: gettext_lazy("There is a claim with the same text already."),
    claim_checks.NEGATION: gettext_lazy(
        "“%(word)s” gives the negation away; can you say the opposite without it?"
    ),
}


def sentence(hint):
    return SENTENCES[hint.kind] % {"word": hint.word}


def hints_on_claims(numbered, *, campaign, language):
    """Sentences about claims that are being written, each with the number of its line.

    numbered: [(number, text)]; an empty line between others is pointed out too.
    """
    equal = equal_texts(campaign, [text for _number, text in numbered])
    sentences = []
    for number, text in numbered:
        others = [other for n, other in numbered if n != number and other.strip()]
        found = claim_checks.check_claim(text, language=language, others=[*equal, *others])
        sentences += [
            _("Claim %(number)d: %(hint)s") % {"number": number, "hint": sentence(hint)}
            for hint in found
        ]
    return sentences


def hints_on_mutations(texts, *, parent):
    """{mutation: sentences} about the mutations of `parent` that are being written."""
    equal = equal_texts(parent.campaign, texts.values())
    hints = {}
    for mutation, text in texts.items():
        if not text.strip():
            continue
        others = [other for name, other in texts.items() if name != mutation and other.strip()]
        found = claim_checks.check_claim(text, language=parent.language, others=[*equal, *others])
        if mutation == Mutation.NEGATE:
            found += claim_checks.warn_negation(text, language=parent.language)
        hints[mutation] = [sentence(hint) for hint in found]
    return hints


def telling_words_in(texts, *, parent):
    """{mutation: word} of the mutations that add a word by which many claims are given away.

    A word that denies is pointed out with the negation already, in a sentence of its own.
    """
    words = {
        mutation: telling_word(
            text,
            original=parent.text,
            language=parent.language,
            may_deny=mutation == Mutation.NEGATE,
        )
        for mutation, text in texts.items()
    }
    return {mutation: word for mutation, word in words.items() if word}


def hints_on_edit(text, *, claim):
    """Sentences about a claim that its author is changing."""
    equal = equal_texts(claim.campaign, [text], but=claim)
    found = claim_checks.check_claim(text, language=claim.language, others=equal)
    if claim.mutation == Mutation.NEGATE:
        found += claim_checks.warn_negation(text, language=claim.language)
    return [sentence(hint) for hint in found]


def equal_texts(campaign, texts, *, but=None):
    """The texts of stored claims of a campaign that equal one of `texts` when normalised."""
    hashes = {text_hash(text) for text in texts if text.strip()}
    claims = Claim.objects.filter(campaign=campaign, text_hash__in=hashes, withdrawn_at=None)
    if but is not None:
        claims = claims.exclude(pk=but.pk)
    return list(claims.order_by("number").values_list("text", flat=True))
