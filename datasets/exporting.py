"""Exporting: records become lines, lines become files, and a manifest says what they are.

Lines are written as they come. Where splits are asked for, they wait in a file of their own
until all claims are known, since what must stay together is known only then.
"""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from annotation.models import Campaign, Wave
from datasets.bridge import Tally, all_claims, decided_claims, initial_claims, instances_in
from datasets.corpora import write_corpus
from datasets.counting import left_out
from datasets.folders import MANIFEST, new_folder
from datasets.manifest import as_text, manifest_of
from datasets.options import (
    WITH_CORPUS,
    ExportOptions,
    checked_options,
    publishes_corpus,
    sizes_of,
    waves_of,
)
from datasets.raw import raw_annotations, raw_rows
from datasets.records import LabelledClaim
from datasets.sinks import files_for
from datasets.splits import SplitRecord, Splits, make_splits
from datasets.splits.records import article_of
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
from datasets.writers.lines import name_of, parent_of
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
WAITING = ".waiting"
TELL_EVERY = 500
RARE = 100_000  # new objects between two collections
# A claim without a label has its share of each split too.
NO_LABEL = "undecided"


def tell_nobody(done: int, total: int, message: str = "") -> None:
    pass


@dataclass
class Run:
    """One export while it is written: what was chosen, where to, what was counted so far."""

    campaign: Campaign
    waves: list[Wave]
    options: ExportOptions
    path: Path
    progress: Callable[..., None] = tell_nobody
    tally: Tally = field(default_factory=Tally)

    @property
    def is_raw(self) -> bool:
        return self.options.format == "raw"


def export_to(
    folder: Path,
    *,
    campaign: Campaign,
    options: ExportOptions,
    progress: Callable[..., None] = tell_nobody,
) -> dict:
    """Write an export into a folder that is new, empty or holds the same; its manifest.

    Everything is as of one moment. Raises ValidationError where the options do not fit or the
    folder holds something else.
    """
    options = checked_options(campaign, options)
    with new_folder(folder) as path:
        with snapshot(), rare_collections():
            waves = waves_of(campaign, options)
            manifest = written(Run(campaign, waves, options, path, progress))
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
    if run.options.split:
        files, splits = write_splits(run)
    else:
        files, splits = write_one(run), None
    if run.options.format in WITH_CORPUS and publishes_corpus(run.campaign):
        run.progress(0, 0, _("Writing the corpus"))
        more = [write_corpus(run.path, run.campaign.corpus, run.options.format)]
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


def write_one(run: Run) -> list[dict]:
    out = files_for(run.path, run.options, [ALL])
    line_of = writer_of(run.options)
    for record in told(records_of(run), run):
        for line in line_of(record):
            out.write(ALL, line.encode() + b"\n")
    return out.close()


def write_splits(run: Run) -> tuple[list[dict], dict]:
    """One file for each split, and the report on how the splits came out."""
    waiting = run.path / WAITING
    parts = list(write_waiting(run, waiting))
    splits = splits_of(run, parts)
    if not run.is_raw:
        kept = (part.label for part in parts if part.key in splits.split_of)
        run.tally.labels = Counter(label for label in kept if label != NO_LABEL)
    run.tally.left_out["label_balance"] = len(splits.left_out["label_balance"])
    files = distribute(waiting, run, splits)
    waiting.unlink()
    return files, splits.report


def write_waiting(run: Run, waiting: Path) -> Iterator[SplitRecord]:
    """Write each line behind its claim's number; what splitting needs to know of each claim."""
    roots = initial_claims(run.campaign)
    if run.is_raw:
        labelled = replace(run.options, format="ctkfacts")
        claims = all_claims(run.campaign, run.waves, labelled, Tally())
        yield from (split_record(claim, roots) for claim in claims)
    line_of = writer_of(run.options)
    with waiting.open("wb", buffering=1 << 20) as out:
        for record in told(records_of(run), run):
            for line in line_of(record):
                out.write(b"%d\t%b\n" % (record.number, line.encode()))
            if not run.is_raw:
                yield split_record(record, roots)


def splits_of(run: Run, parts: list[SplitRecord]) -> Splits:
    run.progress(0, 0, _("Finding what has to stay together"))
    try:
        return make_splits(
            parts,
            sizes_of(run.options),
            rng=np.random.default_rng(run.options.seed),
            oversized=run.options.oversized,
            balanced=run.options.balanced,
        )
    except ValueError as error:
        raise ValidationError(str(error)) from error


def distribute(waiting: Path, run: Run, splits: Splits) -> list[dict]:
    """Give each waiting line to its claim's split; lines of claims that none got are dropped."""
    files = files_for(run.path, run.options, sizes_of(run.options))
    with waiting.open("rb", buffering=1 << 20) as lines:
        for line in lines:
            number, _, text = line.partition(b"\t")
            if name := splits.split_of.get(int(number)):
                files.write(name, text)
    return files.close()


def records_of(run: Run) -> Iterator:
    read = raw_annotations if run.is_raw else decided_claims
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


def told(records: Iterator, run: Run) -> Iterator:
    """The records as they are, with the progress told now and then."""
    rows = raw_rows if run.is_raw else lambda *__: instances_in(run.campaign, run.waves)
    total = rows(run.campaign, run.waves, run.options).count()
    for done, record in enumerate(records):
        if done % TELL_EVERY == 0:
            run.progress(done, total, "")
        yield record
    run.progress(total, total, "")


def split_record(claim: LabelledClaim, roots: dict[int, int]) -> SplitRecord:
    source = claim.source.paragraph if claim.source else ""
    cited = [name for group in claim.evidence for each in group if (name := name_of(each))]
    # An article or passage that was the scope is text of the claim, whatever was found in it.
    cited += [part.scope for part in claim.parts if part.scope != "whole"]
    parent = roots.get(claim.number) or parent_of(claim) or claim.number
    return SplitRecord(
        key=claim.number,
        text=claim.text,
        label=claim.label or NO_LABEL,
        claim_id=str(claim.number),
        source_article=article_of(source) if source else "",
        source_paragraph=source,
        initial_claim=str(parent),
        evidence=tuple((article_of(each), each) for each in dict.fromkeys(cited)),
    )
