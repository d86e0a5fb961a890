"""Retrieval and verdict together, scored as a whole: NSE and SE of CTKFacts, and the FEVER score.

Source: Ullrich et al., "CsFEVER and CTKFacts" (2023), section 6; Thorne et al., "FEVER" (2018).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from datasets.baselines.pairs import pair_of
from datasets.baselines.verdicts import VerdictModel
from datasets.records import LabelledClaim
from datasets.scorers import Report, score_records

KEPT, READ = 20, 1


def pipeline_predictions(
    model: VerdictModel,
    claims: Sequence[LabelledClaim],
    ranking: Mapping[int, Sequence[str]],
    text_of: Callable[[str], str],
    *,
    read: int = READ,
) -> list[dict]:
    """Predictions in CTKFacts' form, from what was retrieved and nothing else.

    ranking: public ids of paragraphs for a claim's number, best first; text_of: the text of one;
    read: how many of them the model reads, joined in their order; one by default, since most
    gold evidence sets that it learnt on are one paragraph.
    """
    pages = [list(dict.fromkeys(ranking.get(claim.number, ())))[:KEPT] for claim in claims]
    texts = [" ".join(map(text_of, found[:read])) for found in pages]
    pairs = [pair_of(claim.text, text) for claim, text in zip(claims, texts, strict=True)]
    labels = model.predict(pairs)
    return [
        {"id": claim.number, "predicted_label": label, "predicted_pages": found}
        for claim, label, found in zip(claims, labels, pages, strict=True)
    ]


def pipeline_figures(
    claims: Iterable[LabelledClaim], predictions: Sequence[Mapping]
) -> dict[str, Report]:
    """The reports of the CTKFacts pipeline and of FEVER, where a paragraph is a page's line 0.

    Claims without a label are left out. Raises BadInput where no claim is left.
    """
    labelled = [claim for claim in claims if claim.label is not None]
    wanted = {claim.number for claim in labelled}
    told = [one for one in predictions if one["id"] in wanted]
    return {
        "ctkfacts": score_records("ctkfacts", map(ctkfacts_line, labelled), told),
        "fever": score_records("fever", map(fever_line, labelled), map(fever_prediction, told)),
    }


def ctkfacts_line(claim: LabelledClaim) -> dict:
    groups = [[cited.paragraph for cited in one] for one in claim.evidence]
    return {"id": claim.number, "label": claim.label, "evidence": groups}


def fever_line(claim: LabelledClaim) -> dict:
    groups = [[[None, None, cited.paragraph, 0] for cited in one] for one in claim.evidence]
    return {"id": claim.number, "label": claim.label, "evidence": groups}


def fever_prediction(prediction: Mapping) -> dict:
    pieces = [[page, 0] for page in prediction["predicted_pages"]]
    return {
        "id": prediction["id"],
        "predicted_label": prediction["predicted_label"],
        "predicted_evidence": pieces,
    }
