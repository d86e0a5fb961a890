"""What is chosen for a localisation, and whether it fits."""

from dataclasses import asdict, dataclass, replace

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from datasets import options as exports
from datasets.localising.splitting import GROUPS
from datasets.options import ExportOptions, PlainOptions

PAGES = ("fever", "given")
# As in the paper, these are balanced where nobody says otherwise.
BALANCED = ("dev", "validation", "test")


@dataclass(frozen=True)
class LocalisingOptions(PlainOptions):
    """split: train=0.8,dev=0.1,test=0.1, '' for one file; group: article or none; balanced: names
    of splits; is_balanced_by_default: those that are called dev, validation and test instead;
    pages: named as FEVER escapes titles, or as the table gives them."""

    split: str = ""
    group: str = "article"
    balanced: tuple[str, ...] = ()
    is_balanced_by_default: bool = True
    seed: int = 0
    pages: str = "fever"

    def as_settings(self) -> dict:
        return asdict(self)

    @property
    def as_export(self) -> ExportOptions:
        return ExportOptions(
            format="csfever", split=self.split, balanced=self.balanced, seed=self.seed
        )

    @property
    def sizes(self) -> dict[str, float | int | None]:
        return exports.sizes_of(self.as_export)


def checked(options: LocalisingOptions) -> LocalisingOptions:
    """The options with nothing left open. Raises ValidationError for what does not fit."""
    for name, value, allowed in (
        ("group", options.group, GROUPS),
        ("pages", options.pages, PAGES),
    ):
        if value not in allowed:
            told = {"name": name, "value": value, "known": ", ".join(allowed)}
            raise ValidationError(_("%(name)s is “%(value)s”; use one of %(known)s.") % told)
    exports.check_choices(options.as_export)
    exports.check_splits(options.as_export)
    if options.is_balanced_by_default and options.split:
        named = tuple(name for name in options.sizes if name in BALANCED)
        options = replace(options, balanced=named)
    return replace(options, is_balanced_by_default=False)
