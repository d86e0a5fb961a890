"""What people type into work pages: texts that can be kept, numbers that can be meant."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from corpus.texts import one_line
from corpus.typed import seen_text

LONGEST_CLAIM = 500
LONGEST_NOTE = 2000
MOST_DIGITS = 18  # what a column of ids holds


def typed_text(text: str, *, field: str, longest: int = LONGEST_NOTE) -> str:
    """`text` in NFC and trimmed. Raises ValidationError for `field` where it cannot be kept."""
    try:
        cleaned = seen_text(text)
    except ValidationError as refused:
        raise ValidationError({field: refused.messages}) from refused
    if len(cleaned) > longest:
        raise ValidationError(
            {
                field: _("This text has %(size)d characters; please keep to %(longest)d.")
                % {"size": len(cleaned), "longest": longest}
            }
        )
    return cleaned


def typed_claim(text: str, *, field: str) -> str:
    """The text of one claim, on one line."""
    claim = one_line(typed_text(text, field=field, longest=LONGEST_CLAIM))
    if not claim:
        raise ValidationError({field: _("A claim needs a text.")})
    return claim


def typed_number(text: str) -> int | None:
    """The number that a form or an address names; None where it is none that a row could have."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None
