"""The manifest of an export: what went in and what came out. It holds no time of its own."""

import json
from pathlib import Path

from annotation.models import Annotation, Campaign, Wave
from datasets.bridge import Tally
from datasets.folders import MANIFEST
from datasets.options import WITH_CORPUS, ExportOptions, is_excerpt
from datasets.records import LABELS
from datasets.sinks import QUERIES

VERSION = 1
POLICIES = ("own", "conditional", "ties", "drop_supersets")
DUPLICATES = "last"  # of an imported annotator's repeats, the latest counts
FEVER = {
    "page": "the article's external id, from its second version on with @ and the version",
    "line": "ranks: the paragraph's rank in its article, where 0 is the title; "
    "units: the number of the sentence or line in its article",
    "ids": "those of the file that the label came from, else 1000 times the claim's number "
    "plus 1, 2, 3 …",
}
STEPS = {
    "annotator_operations": "what was done before the label was given: searches by their words, "
    "articles opened by their ids, paragraphs ticked by theirs; time: seconds since the claim was "
    "given out, where asked for"
}
EXCERPT = (
    "the texts of paragraphs that the claims cite or come from; what stands beside them in their "
    "articles is empty or missing, as other texts of the corpus may not be published"
)
NOTES = {
    "fever": FEVER,
    "csfever": {**FEVER, "claim_en": "the claim that was translated; null where none was"},
    "ctkfacts": {"evidence": "sets of paragraph ids", "source": "a paragraph id"},
    "ctkfacts_fever": {"evidence": "page is a paragraph id, line is 0", "source": "a paragraph id"},
    "scifact": {
        "evidence": "sentences by their numbers in the abstract, which is the article",
        "corpus.jsonl": "the articles, where their texts may be published",
    },
    "feverous": {
        "evidence": "elements, named by the article and the part's name in it; three sets at most",
        "context": "that of the file that the label came from, else the page's title",
    },
    "ambifc": {
        "wiki_passage": "the passage or article that was the scope, else the source",
        "worker": "a pseudonym, or the name that an imported file gave",
        "sentences": "of a passage, where its text may be published",
        "soft_label": "the share of each label among those that count",
    },
    "claims": {"source": "a paragraph id", "mutated_from": "the id of another claim"},
    "claims_csv": {"source": "a paragraph id", "mutated_from": "the id of another claim"},
    "beir": {
        "queries.jsonl": "claims that have evidence",
        "qrels/": "the paragraphs of all evidence sets of a claim, each with the grade 1",
        "corpus.jsonl": "the paragraphs of the whole corpus",
    },
    "nli": {"evidence": "as the setting says", "source": "a paragraph id"},
    "raw": {
        "instance": "the claim's id, and the article or passage where that is the scope",
        "annotator": "a pseudonym, or the name that an imported file gave",
        "evidence": "sets of paragraph ids; a part stands behind a colon; what the corpus lacks "
        "by the ids of its file",
        "scope": "paragraphs of the dictionaries and articles opened, beside the source",
    },
}


def manifest_of(
    campaign: Campaign,
    waves: list[Wave],
    options: ExportOptions,
    *,
    tally: Tally,
    files: list[dict],
    more_files: list[dict],
    splits: dict | None,
    left_out: dict[str, int],
) -> dict:
    settings = options.as_settings()
    policies = {name: settings.pop(name) for name in POLICIES}
    return {
        "manifest": VERSION,
        "format": settings.pop("format"),
        "campaign": {"slug": campaign.slug, "name": campaign.name},
        "corpus": corpus_facts(campaign),
        "waves": wave_facts(waves),
        "seed": settings.pop("seed"),
        "settings": settings,
        "policies": {**policies, "duplicates": DUPLICATES, "surplus": "never", "sandbox": "never"},
        "fields": fields_of(options) | corpus_note(campaign, options),
        "counts": counts_of(tally, files) | retrieval_counts(files, more_files),
        "left_out": left_out,
        "splits": splits,
        "files": [*files, *more_files],
    }


def fields_of(options: ExportOptions) -> dict:
    lines = {"lines": options.lines} if options.lines else {}
    return NOTES[options.format] | lines | (STEPS if options.texts else {})


def corpus_note(campaign: Campaign, options: ExportOptions) -> dict:
    """What stands in the corpus' file where not all texts may be published."""
    if options.format not in WITH_CORPUS or not is_excerpt(campaign):
        return {}
    return {"corpus.jsonl": EXCERPT}


def corpus_facts(campaign: Campaign) -> dict | None:
    if (corpus := campaign.corpus) is None:
        return None
    facts = ("slug", "name", "language", "licence", "publishes_text", "publishes_cited")
    return {name: getattr(corpus, name) for name in (*facts, "data_version")}


def wave_facts(waves: list[Wave]) -> list[dict]:
    """Each wave with the guideline versions that its annotators had before them."""
    rows = Annotation.objects.filter(item__wave__in=waves, assignment__guideline__isnull=False)
    pairs = rows.order_by().values_list("item__wave_id", "assignment__guideline__number")
    shown = set(pairs.distinct())
    return [
        {
            "name": wave.name,
            "purpose": wave.purpose,
            "plan": wave.plan,
            "guidelines": sorted(number for pk, number in shown if pk == wave.pk),
        }
        for wave in waves
    ]


def counts_of(tally: Tally, files: list[dict]) -> dict:
    return {
        "lines": sum(file["lines"] for file in files),
        "annotations": tally.annotations,
        "annotators": len(tally.annotators),
        "labels": {label: tally.labels[label] for label in LABELS},
        "verdicts_without_evidence": tally.without_evidence,
    }


def retrieval_counts(files: list[dict], more_files: list[dict]) -> dict:
    """What a retrieval set is made of, where it is one: a line of its own is a query."""
    lines = {file["name"]: file["lines"] for file in files}
    if QUERIES not in lines:
        return {}
    queries = lines.pop(QUERIES)
    documents = sum(file["lines"] for file in more_files)
    relevant = sum(lines.values())
    return {"lines": queries, "queries": queries, "relevant": relevant, "documents": documents}


def as_text(manifest: dict) -> str:
    return json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"


def read_manifest(folder: Path) -> dict | None:
    """The manifest of a finished export; None where there is none."""
    try:
        return json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
