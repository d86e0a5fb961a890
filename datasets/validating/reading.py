"""What is shown of a claim that is judged: its evidence, by whole abstracts, and no label."""

from collections import defaultdict
from dataclasses import dataclass, field

from annotation.models import Annotation, Claim, EvidenceItem
from corpus.models import Paragraph
from datasets.importing.extra import from_text
from datasets.models import TranslationItem
from datasets.reading import told


@dataclass
class ShownSet:
    """One evidence set: paragraphs of the corpus, what the corpus lacks, and the pages that the
    claim's original cited."""

    paragraphs: list[Paragraph] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    originals: list[str] = field(default_factory=list)


def shown_sets(item: TranslationItem) -> list[ShownSet]:
    """The evidence sets of the item's label, in the order of their file; none where it has none.

    A constant number of queries. Where a title is cited, the article's first paragraph is shown.
    """
    # One that was superseded since is still what the sample holds against people's verdicts.
    rows = Annotation.objects.filter(
        kind=Annotation.Kind.IMPORT, item__instance__claim=item.claim, label=item.label
    )
    annotation = rows.select_related("item").order_by("-pk").first()
    if annotation is None:
        return []
    sets: dict[int, ShownSet] = defaultdict(ShownSet)
    for number, paragraph in cited_paragraphs(annotation):
        if paragraph not in sets[number].paragraphs:
            sets[number].paragraphs.append(paragraph)
    for entry in lost_sets(item.claim, annotation):
        sets[entry["number"]].lost += [told(each) for each in entry["items"]]
    shown = [sets[number] for number in sorted(sets)]
    for each, titles in zip(shown, original_titles(item.claim, len(shown)), strict=False):
        each.originals = titles
    return shown


def cited_paragraphs(annotation: Annotation) -> list[tuple[int, Paragraph]]:
    """(number of the set, paragraph), of a title the paragraph below it."""
    items = EvidenceItem.objects.filter(evidence_set__annotation=annotation)
    items = items.select_related("paragraph__article", "evidence_set")
    cited = [(row.evidence_set.number, row.paragraph) for row in items.order_by("pk")]
    titles = {(p.article_id, p.version) for _number, p in cited if p.rank == 0}
    first = {
        (row.article_id, row.version): row
        for row in Paragraph.objects.filter(
            article__in={article for article, _version in titles}, rank=1
        ).select_related("article")
    }
    return [
        (number, first.get((p.article_id, p.version), p) if p.rank == 0 else p)
        for number, p in cited
    ]


def lost_sets(claim: Claim, annotation: Annotation) -> list[dict]:
    """What of the annotation's sets the corpus does not have as a whole."""
    owner = (annotation.item.wave_id, annotation.external_annotator)
    return [
        entry
        for entry in from_text(claim.extra).get("unresolved", [])
        if "items" in entry and (entry["wave"], entry["annotator"]) == owner
    ]


def original_titles(claim: Claim, n_sets: int) -> list[list[str]]:
    """For each of so many sets the titles that stood there before.

    None at all where the file has no group for each set, or more: groups that name no page or
    stand there again have no set, and it cannot be told which.
    """
    groups = from_text(claim.extra).get("record", {}).get("evidence_ids")
    if not isinstance(groups, list) or len(groups) != n_sets:
        return []
    return [[str(ids[2]) for ids in as_list(group) if len(as_list(ids)) > 2] for group in groups]


def as_list(told: object) -> list:
    return told if isinstance(told, list) else []
