"""Which split each claim goes to: chosen once, from what no format leaves out.

The formats of a release leave out different claims and evidence. Chosen by what each of them
holds, test claims of one would stand among the training claims of another.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

import numpy as np
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from annotation.models import Annotation, Campaign, Instance, Wave
from corpus.records import article_of
from datasets.bridge import WHOLE, Tally, all_claims, initial_claims, instances_in
from datasets.every_scope import as_one, whole_first
from datasets.options import ExportOptions, sizes_of, waves_of
from datasets.records import LabelledClaim
from datasets.splits import SplitRecord, Splits, make_splits
from datasets.telling import told
from datasets.writers.lines import name_of

# A claim without a label has its share of each split too.
UNDECIDED = "undecided"


def chosen_splits(
    campaign: Campaign, options: ExportOptions, progress: Callable[..., None]
) -> Splits:
    """The split of each claim that an export with these waves, policies and seed can hold.

    Raises ValidationError for sizes that do not fit.
    """
    message = _("Finding what has to stay together")
    waves = waves_of(campaign, options)
    records = list(split_records(campaign, waves, options, progress, message))
    try:
        return make_splits(
            records,
            sizes_of(options),
            rng=np.random.default_rng(options.seed),
            oversized=options.oversized,
            balanced=options.balanced,
            undecided=UNDECIDED,
            tell=lambda done, total: progress(done, total, message),
        )
    except ValueError as error:
        raise ValidationError(str(error)) from error


def split_records(
    campaign: Campaign,
    waves: list[Wave],
    options: ExportOptions,
    progress: Callable[..., None],
    message: str,
) -> Iterator[SplitRecord]:
    """What splitting needs to know of each claim that somebody judged, whatever the scope."""
    plain = replace(
        options, format="", ties="soft", evidence="ids", lines="", drop_supersets=False, texts=False
    )
    roots, judged = initial_claims(campaign), numbers_judged(campaign, waves)
    read = all_claims(campaign, waves, plain, Tally(), scopes=Instance.ScopeKind.values)
    claims = told(read, instances_in(campaign, waves).count(), progress, message)
    for number, group in groupby(claims, key=attrgetter("number")):
        parts = sorted(group, key=whole_first)
        if number in judged or any(part.shares for part in parts):
            yield split_record(parts, roots)


def numbers_judged(campaign: Campaign, waves: list[Wave]) -> set[int]:
    """The claims with a label of any kind; the raw form holds those that count for nothing, too."""
    rows = Annotation.objects.filter(item__wave__in=waves, item__instance__claim__campaign=campaign)
    return set(rows.order_by().values_list("item__instance__claim__number", flat=True).distinct())


def split_record(parts: list[LabelledClaim], roots: dict[int, str]) -> SplitRecord:
    """parts: the claim against each of its scopes, the whole scope first."""
    claim = parts[0]
    source = claim.source.paragraph if claim.source else ""
    cited = [
        name
        for part in parts
        for group in part.evidence
        for each in group
        if (name := name_of(each))
    ]
    # An article or passage that was the scope is text of the claim, whatever was found in it.
    cited += [part.scope for part in parts if part.scope_kind != WHOLE]
    return SplitRecord(
        key=claim.number,
        text=claim.text,
        label=as_one(parts).label or UNDECIDED,
        claim_id=str(claim.number),
        source_article=article_of(source) if source else "",
        source_paragraph=source,
        initial_claim=roots.get(claim.number, str(claim.number)),
        evidence=tuple((article_of(each), each) for each in dict.fromkeys(cited)),
    )
