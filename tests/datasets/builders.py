"""Builders of what is exported: labelled claims, and exports that are done."""

from uuid import uuid4

from django.utils import timezone

from annotation.models import Annotation, EvidenceItem, EvidenceSet, Instance, WaveItem
from datasets.exporting import export_to
from datasets.models import Export
from datasets.options import ExportOptions, checked_options
from operations.models import Job
from tests.factories import make_claim, make_user, numbers


def make_item_of(claim, wave, **scope):
    """The claim's instance of this scope (whole by default) as an item of a wave."""
    scope = {"scope_kind": "whole", **scope}
    instance, _ = Instance.objects.get_or_create(claim=claim, **scope)
    key = next(numbers) * 0.6180339 % 1
    return WaveItem.objects.create(wave=wave, instance=instance, random_key=key)


def label(item, annotator, given, *sets, kind="cross", **fields):
    """A label by `annotator`, with evidence sets of paragraphs."""
    user = make_user(username=annotator)
    annotation = Annotation.objects.create(
        item=item, user=user, kind=kind, label=given, submission=uuid4(), **fields
    )
    for number, paragraphs in enumerate(sets, start=1):
        row = EvidenceSet.objects.create(annotation=annotation, number=number)
        for paragraph in paragraphs:
            EvidenceItem.objects.create(evidence_set=row, paragraph=paragraph)
    return annotation


def labelled(wave, *labels, text=None, **fields):
    """A claim with one label by each of ben, cyn and dan; verdicts cite its source."""
    claim = make_claim(wave, text, **fields)
    item = make_item_of(claim, wave)
    for annotator, given in zip(("ben", "cyn", "dan"), labels, strict=False):
        label(item, annotator, given, *([] if given == "NOT ENOUGH INFO" else [[claim.source]]))
    return claim


def make_export(campaign, *, by=None, **options):
    """An export of a campaign that is done."""
    options = checked_options(campaign, ExportOptions(**{"format": "ctkfacts", **options}))
    job = Job.objects.create(
        kind="export", key=str(next(numbers)), state="done", ended_at=timezone.now(), created_by=by
    )
    export = Export.objects.create(
        campaign=campaign,
        format=options.format,
        options=options.as_settings(),
        job=job,
        created_by=by,
    )
    manifest = export_to(export.folder, campaign=campaign, options=options)
    for name in ("files", "counts", "left_out", "splits"):
        setattr(export, name, manifest[name])
    export.save()
    return export
