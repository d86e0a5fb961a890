"""Text that somebody types: clean, without characters that nobody sees, else a kind message."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from corpus.texts import clean_text, forbidden_characters


def seen_text(text: str) -> str:
    """`text` in its clean form. Raises ValidationError where it has characters that hide."""
    if forbidden := forbidden_characters(text):
        raise ValidationError(
            _(
                "This text has characters that cannot be seen: %(names)s. Please delete them; "
                "typing the words again instead of pasting them helps."
            )
            % {"names": ", ".join(forbidden)}
        )
    return clean_text(text)
