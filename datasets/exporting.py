"""Exporting: records become lines, lines become files, and a manifest says what they are.

Lines are written as they come, each to the split that was chosen for its claim before.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from django.utils.translation import gettext as _

from agreement.measures.annotations import NOT_ENOUGH_INFO
from annotation.models import Campaign, Wave
from datasets.bridge import Tally, decided_claims, instances_in
from datasets.corpora import write_corpus
from datasets.counting import left_out
from datasets.every_scope import claims_of_every_scope
from datasets.folders import MANIFEST, new_folder
from datasets.manifest import as_text, manifest_of
from datasets.options import (
    WITH_CORPUS,
    ExportOptions,
    checked_options,
    is_excerpt,
    publishes_texts,
    sizes_of,
    waves_of,
)
from datasets.raw import raw_annotations, raw_rows
from datasets.records import LabelledClaim
from datasets.sinks import files_for
from datasets.splits import Splits
from datasets.splitting import chosen_splits
from datasets.telling import told
from datasets.untold import untold
from datasets.writers import (
    ambifc,
    beir,
    claims,
    csfever,
    ctkfacts,
    ctkfacts_fever,
    fever,
    feverous,
    nli,
    raw,
    scifact,
)
from operations.snapshots import snapshot

ALL = "all"
# A claim may have been judged against several articles or passages, which stay together.
OF_PARTS = ("scifact", "ambifc")
WRITERS = {
    "ctkfacts": ctkfacts.lines,
    "ctkfacts_fever": ctkfacts_fever.lines,
    "scifact": scifact.lines,
    "feverous": feverous.lines,
    "ambifc": ambifc.lines,
    "claims": claims.lines,
    "claims_csv": claims.rows,
    "beir": beir.lines,
    "raw": raw.lines,
}
RARE = 100_000  # new objects between two collections


@dataclass
class Run:
    """One export while it is written: what was chosen, where to, what was counted so far.

    splits: of the claims, where any are asked for; every_scope: as in `export_to`; released: the
    paragraphs that lines cite or come from, by their public ids, where only those have texts.
    """

    campaign: Campaign
    waves: list[Wave]
    options: ExportOptions
    path: Path
    progress: Callable[..., None] = untold
    splits: Splits | None = None
    every_scope: bool = False
    tally: Tally = field(default_factory=Tally)
    released: set[str] = field(default_factory=set)

    @property
    def is_raw(self) -> bool:
        return self.options.format == "raw"


def export_to(
    folder: Path,
    *,
    campaign: Campaign,
    options: ExportOptions,
    progress: Callable[..., None] = untold,
    splits: Splits | None = None,
    every_scope: bool = False,
) -> dict:
    """Write an export into a folder that is new, empty or holds the same; its manifest.

    splits: of `chosen_splits`, where several exports share them; every_scope: one line for each
    claim, whatever it was judged against. Everything is as of one moment.
    Raises ValidationError where the options do not fit or the folder holds something else.
    """
    options = checked_options(campaign, options)
    with new_folder(folder) as path:
        with snapshot(), rare_collections():
            waves = waves_of(campaign, options)
            if options.split and splits is None:
                splits = chosen_splits(campaign, options, progress)
            run = Run(campaign, waves, options, path, progress, splits, every_scope)
            manifest = written(run)
        (path / MANIFEST).write_text(as_text(manifest), encoding="utf-8")
    return manifest


@contextmanager
def rare_collections() -> Iterator[None]:
    """Look for cycles now and then only: millions of rows come and go, and none is in one.

    At the usual pace the search costs a sixth of the time.
    """
    usual = gc.get_threshold()
    gc.set_threshold(RARE, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def written(run: Run) -> dict:
    """Write the files of a run; the manifest that describes them."""
    files, splits = write_lines(run)
    if run.options.format in WITH_CORPUS and publishes_texts(run.campaign):
        run.progress(0, 0, _("Writing the corpus"))
        only = run.released if is_excerpt(run.campaign) else None
        more = [write_corpus(run.path, run.campaign.corpus, run.options.format, only=only)]
    else:
        more = []
    reasons = left_out(run.campaign, run.waves, run.options, run.tally)
    return manifest_of(
        run.campaign,
        run.waves,
        run.options,
        tally=run.tally,
        files=files,
        more_files=more,
        splits=splits,
        left_out=reasons,
    )


def write_lines(run: Run) -> tuple[list[dict], dict | None]:
    """A file for each split, or one for all; and the report on how the splits came out."""
    splits, is_raw, line_of = run.splits, run.is_raw, writer_of(run.options)
    out = files_for(run.path, run.options, sizes_of(run.options) if splits else [ALL])
    has_excerpt = run.options.format in WITH_CORPUS and is_excerpt(run.campaign)
    held = set()
    for record in told(records_of(run), n_records(run), run.progress):
        name = splits.split_of.get(record.number) if splits else ALL
        if name is None:
            run.tally.left_out["label_balance"] += 1
            continue
        if splits:
            held.add(record.number)
        if not is_raw:
            count_labels(record, run.tally)
        if has_excerpt:
            run.released.update(released_by(record))
        for line in line_of(record):
            out.write(name, line.encode() + b"\n")
    return out.close(), splits and splits.report_on(held)


def count_labels(claim: LabelledClaim, tally: Tally) -> None:
    """Count each label of a claim that is written, and the verdicts that nothing backs."""
    for part in claim.parts or (claim,):
        if part.label is not None:
            tally.labels[part.label] += 1
            tally.without_evidence += part.label != NOT_ENOUGH_INFO and not part.evidence


def released_by(claim: LabelledClaim) -> Iterator[str]:
    """The paragraphs of the corpus that a claim cites or comes from."""
    for part in claim.parts or (claim,):
        cited = [each for group in part.evidence for each in group]
        for each in [*cited, part.source]:
            if each is not None and each.is_resolved:
                yield each.paragraph


def records_of(run: Run) -> Iterator:
    read = raw_annotations if run.is_raw else decided_claims
    if run.every_scope:
        read = claims_of_every_scope
    records = read(run.campaign, run.waves, run.options, run.tally)
    return scifact.joined(records) if run.options.format in OF_PARTS else records


def writer_of(options: ExportOptions) -> Callable[..., Iterator[str]]:
    if options.format == "nli":
        chosen = {"evidence": options.evidence, "per": options.per}
        return partial(nli.lines, **chosen, is_joined=options.is_joined)
    if options.lines:
        return partial(
            csfever.lines if options.format == "csfever" else fever.lines, by=options.lines
        )
    return WRITERS[options.format]


def n_records(run: Run) -> int:
    rows = raw_rows if run.is_raw else lambda *__: instances_in(run.campaign, run.waves)
    return rows(run.campaign, run.waves, run.options).count()
