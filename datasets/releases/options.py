"""What is chosen for a release, and whether it fits the campaign."""

import re
from dataclasses import dataclass, replace
from datetime import date

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from annotation.models import Campaign
from datasets.options import (
    BY_LINES,
    FORMATS,
    WITHOUT_SETS,
    ExportOptions,
    PlainOptions,
    checked_options,
)

# Always among the formats: releases are compared by it.
BASE = "ctkfacts"
RAW = "raw"
# A name becomes part of files' names and of addresses.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
ADDRESS = re.compile(r"https?://\S+")
LONGEST = 5000
# What people write for the card, as against what changes the data.
GIVEN = ("description", "uses", "limitations", "citation", "contact", "creator", "url")


@dataclass(frozen=True)
class ReleaseOptions(PlainOptions):
    """Everything that a release is made from beside the campaign's own data.

    formats: BASE first, then the others by name; date: an ISO day that the card gives; licence:
    of claims and labels; from description on: texts for the card, empty where nothing is said.
    waves to seed: as in `datasets.options.ExportOptions`, the same for every format.
    """

    date: str
    formats: tuple[str, ...] = (BASE,)
    waves: tuple[str, ...] = ()
    own: str = "never"
    conditional: str = "nei"
    ties: str = "leave-out"
    drop_supersets: bool = False
    evidence: str = ""
    per: str = ""
    is_joined: bool = True
    lines: str = ""
    split: str = ""
    oversized: str = "train"
    balanced: tuple[str, ...] = ()
    seed: int = 0
    licence: str = ""
    description: str = ""
    uses: str = ""
    limitations: str = ""
    citation: str = ""
    contact: str = ""
    creator: str = ""
    url: str = ""

    def export(self, form: str) -> ExportOptions:
        """The options of one of its formats; raw annotations are whole, in one file."""
        of_all = {name: getattr(self, name) for name in ("waves", "own", "conditional", "seed")}
        if form == RAW:
            return ExportOptions(format=form, **of_all)
        names = ["ties", "split", "oversized", "balanced"]
        names += ["evidence", "per", "is_joined"] if form == "nli" else []
        names += ["lines"] if form in BY_LINES else []
        names += [] if form in WITHOUT_SETS else ["drop_supersets"]
        return ExportOptions(format=form, **of_all, **{name: getattr(self, name) for name in names})


def checked_release(campaign: Campaign, name: str, options: ReleaseOptions) -> ReleaseOptions:
    """The options with nothing left open. Raises ValidationError where they do not fit."""
    check_name(name)
    check_texts(options)
    formats = {*options.formats, BASE}
    if unknown := sorted(formats - set(FORMATS)):
        told = {"name": unknown[0], "known": ", ".join(FORMATS)}
        raise ValidationError(_("There is no format “%(name)s”; use some of %(known)s.") % told)
    base = checked_options(campaign, options.export(BASE))
    for form in sorted(formats - {BASE}):
        checked_options(campaign, options.export(form))
    return replace(
        options,
        formats=(BASE, *sorted(formats - {BASE})),
        waves=base.waves or tuple(sorted(campaign.waves.counted().values_list("name", flat=True))),
        balanced=tuple(sorted(options.balanced)),
    )


def check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        told = {"name": name}
        message = _(
            "“%(name)s” cannot name a release; use at most 40 letters, digits, dots, - and _, "
            "such as 1.0.0."
        )
        raise ValidationError(message % told)


def check_texts(options: ReleaseOptions) -> None:
    try:
        date.fromisoformat(options.date)
    except ValueError:
        told = {"date": options.date}
        raise ValidationError(_("The date is “%(date)s”; write 2026-01-31.") % told) from None
    if options.url and not ADDRESS.fullmatch(options.url):
        told = {"url": options.url}
        raise ValidationError(_("The homepage is “%(url)s”; begin with https://.") % told)
    for name in (*GIVEN, "licence"):
        if len(getattr(options, name)) > LONGEST:
            told = {"name": name, "most": LONGEST}
            raise ValidationError(_("%(name)s is longer than %(most)s characters.") % told)
