"""What a closed sample came to, from its rows: figures, and files of the answers."""

from collections import defaultdict

from annotation.pseudonyms import pseudonym_of
from datasets.models import TranslationAnswer, TranslationSample
from datasets.validating.results import Judged, results_of

HEADER = ("number", "claim", "label", "annotator", "verdict", "text", "original")


def judged_of(sample: TranslationSample) -> list[Judged]:
    """The claims of a sample in their order, with what each pseudonym said."""
    said = defaultdict(dict)
    answers = TranslationAnswer.objects.filter(item__sample=sample).order_by("pk")
    for item, user, verdict in answers.values_list("item_id", "user_id", "verdict"):
        said[item][pseudonym_of(sample.campaign, user)] = verdict
    items = sample.items.order_by("number").values_list("pk", "claim__number", "label")
    return [Judged(claim, label, said[pk]) for pk, claim, label in items]


def answers_sheet(sample: TranslationSample) -> list[list]:
    """A row for each answer under HEADER, and one without a verdict where nobody answered."""
    texts = {
        number: (text, original)
        for number, text, original in sample.items.values_list(
            "claim__number", "claim__text", "claim__original_text"
        )
    }
    return [
        [number, each.claim, each.label, name, verdict, *texts[each.claim]]
        for number, each in enumerate(judged_of(sample), start=1)
        for name, verdict in sorted(each.verdicts.items()) or [("", "")]
    ]


def as_json(sample: TranslationSample) -> dict:
    """The figures with how the sample was drawn, and the answers to each claim."""
    judged = judged_of(sample)
    return {
        "sample": {
            "number": sample.number,
            "size": sample.size,
            "labels": sample.labels,
            "stratified": sample.is_stratified,
            "seed": sample.seed,
        },
        "results": results_of(judged),
        "claims": [
            {
                "claim": each.claim,
                "label": each.label,
                "verdict": each.verdict,
                "verdicts": dict(sorted(each.verdicts.items())),
            }
            for each in judged
        ],
    }
