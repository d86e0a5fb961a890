"""Typed text: clean, without forbidden characters, not too long; else a kind message."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from corpus.texts import clean_text, forbidden_characters, one_line

LONGEST_CLAIM = 500
LONGEST_NOTE = 2000


def typed_text(text: str, *, field: str, longest: int = LONGEST_NOTE) -> str:
    """`text` in NFC and trimmed. Raises ValidationError for `field` where it cannot be kept."""
    if forbidden := forbidden_characters(text):
        raise ValidationError(
            {
                field: _(
                    "This text has characters that cannot be seen: %(names)s. Please delete them; "
                    "typing the words again instead of pasting them helps."
                )
                % {"names": ", ".join(forbidden)}
            }
        )
    cleaned = clean_text(text)
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
