"""What the settings of a corpus may be."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from corpus.readers.fields import LANGUAGE
from corpus.records import check_time_zone

TAKEN_SLUGS = {"new"}  # it would hide a page


def is_free_slug(value: str) -> None:
    if value in TAKEN_SLUGS:
        raise ValidationError(
            _("“%(value)s” cannot be used; choose another."), params={"value": value}
        )


def is_language(value: str) -> None:
    if not LANGUAGE.fullmatch(value):
        raise ValidationError(
            _("“%(value)s” is no language code; write one such as “cs” or “en-GB”."),
            params={"value": value},
        )


def is_time_zone(value: str) -> None:
    try:
        check_time_zone(value)
    except ValueError:
        raise ValidationError(
            _("“%(value)s” is no time zone; write one such as “Europe/Prague” or “UTC”."),
            params={"value": value},
        ) from None
