"""Two releases of one campaign, compared by their files."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from datasets.models import Release
from datasets.releases.diff import diff_report
from datasets.releases.lines import released_lines
from datasets.releases.make import DATA
from datasets.releases.options import BASE

# What a page compares while somebody waits: about a second.
LINES_AT_ONCE = 50_000


def compared(old: Release, new: Release) -> dict:
    """What changed from `old` to `new`, ready for JSON.

    Raises ValidationError where the files of one are not there.
    """
    lines = []
    for release in (old, new):
        folder = release.folder / DATA / BASE
        if not folder.is_dir():
            message = _("The files of the release %(name)s are not on this server.")
            raise ValidationError(message % {"name": release.name})
        lines.append(released_lines(folder))
    return diff_report(old.contents, new.contents, *lines)


def is_quick(old: Release, new: Release) -> bool:
    """Whether the two are small enough to be compared while somebody waits."""
    return old.contents["n_claims"] + new.contents["n_claims"] <= LINES_AT_ONCE
