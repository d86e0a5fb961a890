"""An import of a dataset from its first line to its last: read and checked, then stored whole."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.events import record_event
from annotation.models import Campaign, Instance, Wave
from corpus.readers.files import display_names
from datasets.importing.campaigns import saved
from datasets.importing.options import ImportOptions, checked_import, wave_name
from datasets.importing.planning import BATCH, PlannedClaim, Planner, submissions_of
from datasets.importing.report import Report
from datasets.importing.storing import Store, key_of, known_submissions
from datasets.readers.dispatch import read_claims
from datasets.readers.problems import Problem
from datasets.telling import told_beside
from operations.listed import listed


class NothingStored(ValidationError):
    """The files were read and not imported: `report` says why."""

    def __init__(self, report: Report):
        count = report.counts["bad"]
        reason = ngettext(
            "Nothing was stored: %(n)d line cannot be used.",
            "Nothing was stored: %(n)d lines cannot be used.",
            count,
        )
        super().__init__(reason % {"n": count})
        self.report = report


def survey_dataset(
    *,
    campaign: Campaign,
    paths: list[Path],
    options: ImportOptions,
    progress: Callable | None = None,
) -> Report:
    """What an import would do: everything is read, checked and linked, nothing stored.

    campaign: may be new and not saved. Raises ValidationError for options that do not fit.
    """
    options = checked_import(campaign, options)
    return surveyed(campaign, paths, options, progress).report


def surveyed(campaign, paths, options, progress) -> Planner:
    planner = Planner(campaign, wave_there(campaign, options, paths), options)
    for planned in planned_batches(planner, paths, progress, _("read")):
        count_claims(planner.report, planned)
        count_labels(planner.report, planned)
        count_instances(planner, planned)
    if not planner.report.has_claims and not planner.report.counts["bad"]:
        first, *_others = display_names([Path(path) for path in paths])
        planner.report.add_problem(Problem(first, 0, 0, "there is no claim in it"))
    return planner


def import_dataset(
    *,
    campaign: Campaign,
    paths: list[Path],
    options: ImportOptions,
    by=None,
    progress: Callable | None = None,
    at_end: Callable[[Report, Wave], None] | None = None,
) -> tuple[Report, Wave]:
    """Import the files in one transaction, into a wave of their own; all of them or nothing.

    campaign: may be new and not saved; it is saved with the first row. at_end: what else is
    written in that transaction, once all is stored. The same files again change nothing. Raises
    NothingStored where a line cannot be used, and ValidationError for options that do not fit.
    """
    options = checked_import(campaign, options)
    first = surveyed(campaign, paths, options, progress)
    if first.report.counts["bad"]:
        raise NothingStored(first.report)
    if progress:
        # Here a cancelled job ends; on SQLite it is the last chance.
        progress(1, 1, _("Writing the results"))
    with told_unless_locked(progress) as tell, transaction.atomic():
        report, wave = stored(saved(campaign, by=by), paths, options, by, tell, first.largest)
        if at_end:
            at_end(report, wave)
    return report, wave


def stored(campaign, paths, options, by, progress, largest) -> tuple[Report, Wave]:
    """The second pass: everything is checked again, since others may have written meanwhile."""
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    wave = wave_there(campaign, options, paths) or new_wave(campaign, options, paths)
    planner = Planner(campaign, wave, options)
    store = Store(
        wave,
        language=options.language,
        last_number=max(campaign.last_claim_number, largest),
        report=planner.report,
    )
    for planned in planned_batches(planner, paths, progress, _("stored")):
        if planner.report.counts["bad"]:
            raise NothingStored(planner.report)
        count_claims(planner.report, planned)
        store.put(planned)
    store.link_parents()
    finish(planner.report, campaign, wave, store, by)
    return planner.report, wave


def finish(report: Report, campaign: Campaign, wave: Wave, store: Store, by) -> None:
    if report.changes_nothing:
        return
    campaign.last_claim_number = max(campaign.last_claim_number, store.last_number)
    campaign.save(update_fields=["last_claim_number"])
    data = {"claims": report.counts["claims_new"], "annotations": report.counts["annotations"]}
    record_event(actor=by, verb="imported dataset", subject=wave, data=data)


def planned_batches(planner: Planner, paths, progress, doing: str) -> Iterator[list[PlannedClaim]]:
    empty: Counter[str] = Counter()
    records = read_claims(paths, planner.options.format, empty)
    done = 0
    while batch := list(islice(records, BATCH)):
        yield planner.plan(batch)
        done += len(batch)
        if progress:
            progress(done, 0, f"{done} {doing}")
    planner.report.violations.update(empty)


def count_claims(report: Report, planned: list[PlannedClaim]) -> None:
    """New claims, and those that were there before; the other lines of a claim are neither."""
    for each in planned:
        if not each.is_again:
            report.counts["claims_same" if each.known else "claims_new"] += 1


def count_labels(report: Report, planned: list[PlannedClaim]) -> None:
    """How many labels the second pass will store, and how many are there."""
    submissions = submissions_of(planned)
    there = len(known_submissions(submissions))
    report.counts["annotations"] += len(submissions) - there
    report.counts["annotations_same"] += there


def count_instances(planner: Planner, planned: list[PlannedClaim]) -> None:
    """How many instances the second pass will make: those of known claims may be there."""
    known = {each.known.pk for each in planned if each.known}
    rows = Instance.objects.filter(claim__in=listed(known))
    there = {key_of(row.claim_id, vars(row)) for row in rows}
    for each in planned:
        for instance in each.instances:
            is_there = each.known and key_of(each.known.pk, instance.scope) in there
            if planner.seen.is_new_scope(each.read, instance.name) and not is_there:
                planner.report.counts["instances"] += 1


def wave_there(campaign: Campaign, options: ImportOptions, paths) -> Wave | None:
    """The wave of an earlier import of this name. Raises ValidationError for another wave."""
    if campaign.pk is None:
        return None
    name = wave_name(options, paths)
    wave = Wave.objects.select_related("campaign").filter(campaign=campaign, name=name).first()
    if wave is not None and wave.purpose != Wave.Purpose.IMPORT:
        raise ValidationError(
            _("The wave “%(name)s” is for work; give the import another name.") % {"name": name}
        )
    return wave


def new_wave(campaign: Campaign, options: ImportOptions, paths) -> Wave:
    name = wave_name(options, paths)
    return Wave.objects.create(campaign=campaign, name=name, purpose=Wave.Purpose.IMPORT)


def told_unless_locked(progress: Callable | None):
    """A progress for the transaction; none on SQLite, where nobody else can write meanwhile.

    Nor can anybody cancel there: to ask for that is to write to the same database. Storing by
    parts would let others in, and half an import be seen.
    """
    if progress is None or connection.vendor == "sqlite":
        return nullcontext()
    return told_beside(progress)
