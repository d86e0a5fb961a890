"""What must always hold of claims, work and answers, beside the constraints of the database."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice

from django.db.models import Count, Exists, F, Max, OuterRef, Q, Subquery

from annotation.items import SLOT_COLUMNS, derived, outcome_of, slots_of, with_all
from annotation.models import (
    Annotation,
    Assignment,
    Claim,
    ClaimRevision,
    EvidenceItem,
    EvidenceSet,
    Instance,
    Label,
    OpenedArticle,
    Preselection,
    Report,
    Wave,
    WaveItem,
)
from corpus.texts import text_hash
from dictionaries.models import DictionaryEntry

CHUNK = 2000
CHECKED = [Annotation.Kind.CROSS, Annotation.Kind.OWN, Annotation.Kind.CORRECTIVE]
SUPERSEDED = Annotation.EndReason.SUPERSEDED
LABELLED = [Annotation.Kind.CROSS, Annotation.Kind.OWN]


def claims_with_another_time_than_their_source() -> Iterator[str]:
    """Copied times equal their originals."""
    time = F("source__published_at")
    same = Q(source_published_at=time) | Q(source_published_at=None, source__published_at=None)
    for claim in Claim.objects.filter(source__isnull=False).exclude(same).iterator():
        yield f"claim {claim.pk}: source_published_at is {claim.source_published_at}"


def claims_outside_their_corpus() -> Iterator[str]:
    corpus = F("campaign__corpus")
    claims = Claim.objects.filter(source__isnull=False).exclude(source__corpus=corpus)
    for pk in claims.values_list("pk", flat=True).iterator():
        yield f"claim {pk}: its source is not in the corpus of its campaign"
    sources = Preselection.objects.exclude(paragraph__corpus=corpus)
    for pk in sources.values_list("pk", flat=True).iterator():
        yield f"preselection {pk}: its paragraph is not in the corpus of its campaign"


def claims_that_differ_from_their_revision() -> Iterator[str]:
    newest = ClaimRevision.objects.filter(claim=OuterRef("pk")).order_by("-number")
    claims = Claim.objects.annotate(wording=Subquery(newest.values("text")[:1]))
    rows = claims.values_list("pk", "text", "wording", "text_hash")
    for pk, text, wording, digest in rows.order_by("pk").iterator():
        if text != wording:
            yield f"claim {pk}: its text is not that of its newest revision"
        if digest != text_hash(text):
            yield f"claim {pk}: its text_hash is not that of its text"


def numbers_not_given_yet() -> Iterator[str]:
    numbers = Claim.objects.values("campaign", "campaign__last_claim_number")
    for row in numbers.annotate(highest=Max("number")).order_by("campaign"):
        if row["highest"] > row["campaign__last_claim_number"]:
            last = row["campaign__last_claim_number"]
            yield f"campaign {row['campaign']}: has claim {row['highest']}, last given is {last}"


def items_that_do_not_follow() -> Iterator[str]:
    """Taken, wanted and state of a wave item follow from its rows."""
    for items in chunks(with_all(WaveItem.objects.order_by("pk"))):
        rows, leases = rows_of(items), leases_of(items)
        reported = set(
            Report.objects.open()
            .filter(claim__in=[item.instance.claim_id for item in items])
            .values_list("claim", flat=True)
        )
        for item in items:
            claim = item.instance.claim
            slots = slots_of(item, rows[item.pk], leases[item.pk])
            held = claim.awaits_dictionary or claim.pk in reported
            yield from differences(item, derived(item, slots, held=held))


def chunks(rows) -> Iterator[list]:
    rows = rows.iterator(chunk_size=CHUNK)
    while chunk := list(islice(rows, CHUNK)):
        yield chunk


def rows_of(items) -> dict[int, list[tuple]]:
    """The live annotations of some items."""
    rows = defaultdict(list)
    live = Annotation.objects.live().filter(item__in=items).order_by("pk")
    for item_id, *columns in live.values_list("item", *SLOT_COLUMNS):
        rows[item_id].append(tuple(columns))
    return rows


def leases_of(items) -> Counter:
    """How many open leases some items have."""
    leases = Assignment.objects.filling().filter(item__in=items)
    return Counter(leases.values_list("item", flat=True))


def differences(row, values: dict) -> Iterator[str]:
    name = f"{row._meta.verbose_name} {row.pk}"
    for column, value in values.items():
        stored = getattr(row, column)
        if stored != value:
            yield f"{name}: {column} is {stored}, its rows make {value}"


def outcomes_that_do_not_follow() -> Iterator[str]:
    for instances in chunks(Instance.objects.order_by("pk")):
        states = defaultdict(list)
        items = WaveItem.objects.filter(instance__in=instances)
        for pk, sandbox, state in items.values_list("instance", "wave__is_sandbox", "state"):
            states[pk].append((sandbox, state))
        for instance in instances:
            yield from differences(instance, {"outcome": outcome_of(states[instance.pk])})


def sources_that_do_not_follow() -> Iterator[str]:
    filling = Q(assignments__outcome="") | Q(
        assignments__outcome=Assignment.Outcome.SUBMITTED, assignments__surplus=False
    )
    counted = Preselection.objects.annotate(writers=Count("assignments", filter=filling))
    for source in counted.exclude(taken=F("writers")).order_by("pk").iterator():
        yield from differences(source, {"taken": source.writers})


def sources_that_left_their_sandbox() -> Iterator[str]:
    """A copied column: sources of sandboxes are kept from the other waves by it."""
    moved = Preselection.objects.exclude(is_sandbox=F("wave__is_sandbox"))
    for source in moved.select_related("wave").order_by("pk").iterator():
        yield from differences(source, {"is_sandbox": source.wave.is_sandbox})


def citations_outside_the_scope() -> Iterator[str]:
    """Every citation of a label made here lies in the scope that its annotator had."""
    items = EvidenceItem.objects.filter(evidence_set__annotation__kind__in=CHECKED)
    outside = items.filter(~in_whole_scope(), ~in_narrow_scope(), ~in_opened_article())
    columns = ("evidence_set__annotation", "paragraph__public_id")
    for annotation, paragraph in outside.order_by("pk").values_list(*columns).iterator():
        yield f"annotation {annotation}: cites {paragraph}, which was not in its scope"


WHOLE = Q(evidence_set__annotation__item__instance__scope_kind=Instance.ScopeKind.WHOLE)


def in_whole_scope():
    """In a dictionary of the assignment, or the source itself."""
    dictionaries = ("source_dictionary", "claim_dictionary")
    entries = DictionaryEntry.objects.filter(paragraph=OuterRef("paragraph"))
    entry = [
        Exists(entries.filter(dictionary=OuterRef(f"evidence_set__annotation__assignment__{name}")))
        for name in dictionaries
    ]
    source = Exists(
        Claim.objects.filter(
            pk=OuterRef("evidence_set__annotation__item__instance__claim"),
            source=OuterRef("paragraph"),
        )
    )
    return WHOLE & Q(entry[0] | entry[1] | source)


def in_narrow_scope():
    """The passage, or a paragraph of the article, that the instance is judged against."""
    instance = Instance.objects.filter(pk=OuterRef("evidence_set__annotation__item__instance"))
    passage = instance.filter(passage=OuterRef("paragraph"))
    article = instance.filter(
        article=OuterRef("paragraph__article"), article_version=OuterRef("paragraph__version")
    )
    return Exists(passage) | Exists(article)


def in_opened_article():
    return Exists(
        OpenedArticle.objects.filter(
            assignment=OuterRef("evidence_set__annotation__assignment"),
            article=OuterRef("paragraph__article"),
            version=OuterRef("paragraph__version"),
        )
    )


def citations_of_parts_that_do_not_exist() -> Iterator[str]:
    parts = EvidenceItem.objects.exclude(unit="").filter(evidence_set__annotation__kind__in=CHECKED)
    columns = ("evidence_set__annotation", "unit", "paragraph__public_id", "paragraph__units")
    for annotation, unit, paragraph, units in parts.values_list(*columns).iterator():
        if unit not in {known["id"] for known in units}:
            yield f"annotation {annotation}: cites the part {unit!r}, which {paragraph} lacks"


def labels_with_the_wrong_evidence() -> Iterator[str]:
    """A verdict has evidence, NOT ENOUGH INFO has none, and no set is empty."""
    rows = Annotation.objects.filter(kind__in=CHECKED)
    has_sets = Exists(EvidenceSet.objects.filter(annotation=OuterRef("pk")))
    neutral = Q(label=Label.NOT_ENOUGH_INFO)
    for row in rows.filter(neutral, has_sets).order_by("pk").iterator():
        yield f"annotation {row.pk}: NOT ENOUGH INFO with evidence"
    for row in rows.filter(~neutral, ~has_sets).order_by("pk").iterator():
        yield f"annotation {row.pk}: {row.label} without evidence"
    empty = EvidenceSet.objects.filter(annotation__kind__in=CHECKED, items=None)
    for number, annotation in empty.values_list("number", "annotation").iterator():
        yield f"annotation {annotation}: its evidence set {number} is empty"


def own_work_judged() -> Iterator[str]:
    """Nobody adjudicates or reviews what they labelled or wrote."""
    labelled = Annotation.objects.filter(
        item__instance=OuterRef("item__instance"), user=OuterRef("user"), kind__in=LABELLED
    )
    judged = Annotation.objects.filter(kind=Annotation.Kind.ADJUDICATION, user__isnull=False)
    for row in judged.filter(Exists(labelled) | Q(item__instance__claim__author=F("user"))):
        yield f"annotation {row.pk}: user {row.user_id} adjudicated what they labelled or wrote"
    before = Annotation.objects.filter(
        item__instance__claim=OuterRef("claim"),
        user=OuterRef("decided_by"),
        kind__in=LABELLED,
        created_at__lt=OuterRef("decided_at"),
    )
    decided = Report.objects.exclude(decision="")
    for row in decided.filter(Exists(before) | Q(claim__author=F("decided_by"))):
        yield f"report {row.pk}: user {row.decided_by_id} decided on what they labelled or wrote"


def labels_of_the_wrong_people() -> Iterator[str]:
    """Cross-annotation is by somebody else, own-claim annotation by the author."""
    author = Q(item__instance__claim__author=F("user"))
    cross = Annotation.objects.filter(author, kind=Annotation.Kind.CROSS)
    for pk in cross.order_by("pk").values_list("pk", flat=True).iterator():
        yield f"annotation {pk}: a cross-annotation by the claim's author"
    own = Annotation.objects.filter(~author, kind=Annotation.Kind.OWN)
    for pk in own.order_by("pk").values_list("pk", flat=True).iterator():
        yield f"annotation {pk}: an own-claim annotation by somebody else"


def answers_to_other_wordings() -> Iterator[str]:
    """An answer, and what was shown for it, belong to the claim that was labelled."""
    mixed = ~Q(revision__claim=F("item__instance__claim"))
    for model in [Annotation, Assignment]:
        rows = model.objects.filter(mixed, revision__isnull=False, item__isnull=False)
        for pk in rows.order_by("pk").values_list("pk", flat=True).iterator():
            yield f"{model._meta.verbose_name} {pk}: names a wording of another claim"
    moved = Annotation.objects.filter(assignment__isnull=False).exclude(assignment__item=F("item"))
    for pk in moved.order_by("pk").values_list("pk", flat=True).iterator():
        yield f"annotation {pk}: its assignment is about another item"


def broken_histories() -> Iterator[str]:
    """A superseded row has the row that superseded it, on the same item and by the same person."""
    lost = Annotation.objects.filter(end_reason=SUPERSEDED, superseded_by=None)
    for pk in lost.order_by("pk").values_list("pk", flat=True).iterator():
        yield f"annotation {pk}: superseded by no row"
    strange = Annotation.objects.filter(supersedes__isnull=False).exclude(
        supersedes__end_reason=SUPERSEDED, supersedes__item=F("item")
    )
    for pk in strange.order_by("pk").values_list("pk", flat=True).iterator():
        yield f"annotation {pk}: supersedes a row that is live or of another item"


def work_given_out_in_vain() -> Iterator[str]:
    """Items of imports are given to nobody; a withdrawn claim has no open lease."""
    imports = Assignment.objects.filter(wave__purpose=Wave.Purpose.IMPORT)
    for pk in imports.order_by("pk").values_list("pk", flat=True).iterator():
        yield f"assignment {pk}: given out in the wave of an import"
    withdrawn = Q(item__instance__claim__withdrawn_at__isnull=False) | Q(
        claim__withdrawn_at__isnull=False
    )
    leases = Assignment.objects.open().filter(withdrawn)
    for pk in leases.order_by("pk").values_list("pk", flat=True).iterator():
        yield f"assignment {pk}: open on a withdrawn claim"


RULES = [
    (
        "annotation.claim_times",
        "A claim's copy of its source's time equals the original.",
        claims_with_another_time_than_their_source,
    ),
    (
        "annotation.corpus",
        "Claims and sources lie in the corpus of their campaign.",
        claims_outside_their_corpus,
    ),
    (
        "annotation.wordings",
        "A claim's text is that of its newest revision, and its hash is of that text.",
        claims_that_differ_from_their_revision,
    ),
    (
        "annotation.numbers",
        "Claim numbers were given by their campaign, so none is given twice.",
        numbers_not_given_yet,
    ),
    (
        "annotation.items",
        "Taken, wanted and state of a wave item follow from its labels and leases.",
        items_that_do_not_follow,
    ),
    (
        "annotation.outcomes",
        "The outcome of an instance follows from its items.",
        outcomes_that_do_not_follow,
    ),
    (
        "annotation.sources",
        "How often a source is taken follows from its writers.",
        sources_that_do_not_follow,
    ),
    (
        "annotation.sandboxes",
        "A source of a sandbox wave, and no other, is marked as one.",
        sources_that_left_their_sandbox,
    ),
    (
        "annotation.citations",
        "Every citation lies in the knowledge scope of its annotator.",
        citations_outside_the_scope,
    ),
    (
        "annotation.parts",
        "Every cited part of a paragraph exists.",
        citations_of_parts_that_do_not_exist,
    ),
    (
        "annotation.evidence",
        "SUPPORTS and REFUTES have evidence, NOT ENOUGH INFO has none, no set is empty.",
        labels_with_the_wrong_evidence,
    ),
    (
        "annotation.own_work",
        "Nobody adjudicates or reviews what they labelled or wrote.",
        own_work_judged,
    ),
    (
        "annotation.people",
        "Cross-annotations are by others than the author, own-claim annotations by the author.",
        labels_of_the_wrong_people,
    ),
    (
        "annotation.answers",
        "An answer names the item and a wording of the claim that it is about.",
        answers_to_other_wordings,
    ),
    (
        "annotation.history",
        "An edit ends the row that it supersedes, and only an edit does.",
        broken_histories,
    ),
    (
        "annotation.given",
        "Nothing is given out in the wave of an import or of a withdrawn claim.",
        work_given_out_in_vain,
    ),
]
