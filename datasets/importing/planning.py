"""What one batch of a file comes to: claims that are new or known, their labels, linked."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from json import dumps
from uuid import UUID, uuid5

from annotation.models import Campaign, Claim, Wave
from datasets.importing import extra
from datasets.importing.known import Seen, known_claims
from datasets.importing.linking import Links, Part, look_up
from datasets.importing.options import ImportOptions
from datasets.importing.report import Report
from datasets.readers.problems import Problem, problem_at
from datasets.readers.records import ReadAnnotation, ReadClaim, ReadInstance
from datasets.records import Cited

BATCH = 500
NAMESPACE = UUID("6a3d6f6e-8c0e-5c57-9c0f-0f0d6f1f3a51")


@dataclass
class PlannedLabel:
    """An annotation to be: its submission id follows from what it says and where it stands."""

    read: ReadAnnotation
    submission: UUID
    sets: list[tuple[int, list[Part]]]


@dataclass
class PlannedInstance:
    """An instance to be, by its columns, with its labels in the file's order."""

    name: str
    scope: dict
    labels: list[PlannedLabel] = field(default_factory=list)


@dataclass
class PlannedClaim:
    """A claim to be, or one that is there. extra: what this line adds to what is kept of it.

    is_again: whether a line before told of the claim.
    """

    read: ReadClaim
    known: Claim | None
    is_again: bool
    links: Links
    instances: list[PlannedInstance]
    extra: dict

    def new_owners(self, wave: Wave, there: set[UUID]) -> set[tuple]:
        """Whose labels, as `extra.owner_of` says it, are not among the submissions there."""
        return {
            (wave.pk, instance.name, label.read.annotator)
            for instance in self.instances
            for label in instance.labels
            if label.submission not in there
        }


@dataclass
class Planner:
    """Plans one pass over the files of an import, counting in its report. Writes nothing."""

    campaign: Campaign
    wave: Wave | None
    options: ImportOptions
    report: Report = field(default_factory=Report)
    seen: Seen = field(default_factory=Seen)
    largest: int = 0

    @property
    def known_lines(self) -> str:
        """What numbers in articles count; '' where that was supposed, for want of a corpus."""
        is_known = self.campaign.corpus is not None or self.options.lines == "units"
        return self.options.lines if is_known else ""

    def plan(self, records: list[ReadClaim | Problem]) -> list[PlannedClaim]:
        """The claims of a batch that can be stored, in order; problems go to the report."""
        usable = list(self.usable(records))
        claims = [claim for claim, _ in usable]
        known = known_claims(self.campaign, claims)
        links = look_up(self.campaign.corpus, claims, lines=self.options.lines)
        planned = []
        for claim, is_again in usable:
            if reason := known.reason_against(claim):
                self.report.add_problem(problem_of(claim, reason))
                continue
            instances, kept = self.planned(claim, links)
            planned.append(PlannedClaim(claim, known.find(claim), is_again, links, instances, kept))
        return planned

    def usable(self, records: Iterable[ReadClaim | Problem]) -> Iterator[tuple[ReadClaim, bool]]:
        """The claims whose ids stand at one text each, and whether a line before told of them."""
        for record in records:
            if isinstance(record, Problem):
                self.report.add_problem(record)
                continue
            is_again = self.seen.has(record)
            if problem := self.seen.add(record):
                self.report.add_problem(problem)
                continue
            self.largest = max(self.largest, record.number or 0)
            self.report.violations.update(record.violations)
            yield record, is_again

    def planned(self, claim: ReadClaim, links: Links) -> tuple[list[PlannedInstance], dict]:
        """The claim's instances, and what else is kept of its line."""
        unresolved: list[dict] = []
        if claim.source:
            self.report.note_source(claim, links.source(claim) is not None)
        instances = [
            instance
            for read in claim.instances
            if (instance := self.instance(claim, read, links, unresolved)) is not None
        ]
        return instances, extra.extra_of(claim, self.options.format, links, unresolved)

    def instance(
        self, claim: ReadClaim, read: ReadInstance, links: Links, unresolved: list[dict]
    ) -> PlannedInstance | None:
        """The instance with its labels; None, and the labels kept aside, where it has no text."""
        scope, name = links.scope(read), links.scope_name(read)
        if scope is None:
            self.report.counts["instances_unresolved"] += 1
            self.report.note_cited(claim, name, False)
            lost = (extra.unresolved_label(self.wave, name, each) for each in read.annotations)
            unresolved.extend(lost)
            return None
        if read.target is not None:
            self.report.note_cited(claim, name, True)
        instance = PlannedInstance(name, scope)
        for annotation in read.annotations:
            instance.labels.append(self.label(claim, instance, annotation, links, unresolved))
        return instance

    def label(
        self, claim, instance: PlannedInstance, read: ReadAnnotation, links, unresolved
    ) -> PlannedLabel:
        """The label with the sets that are in the corpus as a whole; the others are kept aside."""
        sets, scope, lines = [], instance.name, self.known_lines
        for number, group in enumerate(read.evidence, start=1):
            parts = self.parts(claim, instance, group, links)
            self.report.counts["sets_unresolved" if parts is None else "sets_linked"] += 1
            if parts is None:
                kept = extra.unresolved_set(self.wave, scope, read, number, group, lines=lines)
                unresolved.append(kept)
            elif parts:
                sets.append((number, parts))
        ordinal = self.seen.ordinal(claim, scope, read.annotator)
        self.report.violations["repeated_labels"] += ordinal > 1
        return PlannedLabel(read, self.submission(claim, scope, ordinal, read), sets)

    def parts(
        self, claim: ReadClaim, instance: PlannedInstance, group: tuple[Cited, ...], links: Links
    ) -> list[Part] | None:
        """What a set cites; None where the corpus lacks any of it, or has two as one."""
        if passage := instance.scope.get("passage_id"):
            found = [links.sentence(cited, passage) for cited in group]
        else:
            source = links.source(claim)
            found = [links.part(cited, source) for cited in group]
        for cited, part in zip(group, found, strict=True):
            self.report.note_cited(claim, cited_name(cited), part is not None)
        parts = list(dict.fromkeys(part for part in found if part is not None))
        return parts if len(parts) == len(group) else None

    def submission(self, claim: ReadClaim, scope: str, ordinal: int, read: ReadAnnotation) -> UUID:
        """The same for the same label of the same import: what is there is not stored again."""
        wave = self.wave.pk if self.wave else 0
        said = [read.label, read.is_uncertain, read.is_relevant, read.challenge]
        sets = [[extra.item_of(cited) for cited in group] for group in read.evidence]
        what = [claim.external_id, scope, read.annotator, ordinal, said, sets]
        digest = sha256(dumps([self.campaign.slug, wave, *what]).encode()).hexdigest()
        return uuid5(NAMESPACE, digest)


def submissions_of(planned: Iterable[PlannedClaim]) -> list[UUID]:
    instances = [instance for each in planned for instance in each.instances]
    return [label.submission for instance in instances for label in instance.labels]


def cited_name(cited: Cited) -> str:
    """How a report names what is cited."""
    if not cited.external:
        return cited.paragraph or cited.text
    return f"{cited.paragraph} {cited.external}"


def problem_of(claim: ReadClaim, reason: str) -> Problem:
    return problem_at(claim.file, claim.line, 1, reason, claim.text)
