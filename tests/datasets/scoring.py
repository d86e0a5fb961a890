"""Gold claims and predictions of every task, in the small, and jobs that score them."""

import json
from io import StringIO

from django.core.files.base import ContentFile
from django.core.management import call_command
from django.urls import reverse

from datasets.scoring import start_score
from operations.jobs import claim_job, claim_next_job, run_job

S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"


def verdict(number, label, *groups):
    return {"id": number, "label": label, "evidence": list(groups)}


def told(number, label, **fields):
    return {"id": number, "predicted_label": label, **fields}


def passage(name, *labels):
    return {
        "id": name,
        "passage_annotations": [{"label": label} for label in labels],
        "sentences": {"0": "One.", "1": "Two."},
        "sentence_annotations": {"0": [{"annotation": labels[0]}], "1": []},
    }


TASKS = {
    "fever": (
        [verdict(1, S, [[1, 2, "Prague", 0]]), verdict(2, N, [[3, None, None, None]]),
         verdict(3, R, [[1, 2, "Brno", 4]])],
        [told(1, S, predicted_evidence=[["Prague", 0]]), told(2, R, predicted_evidence=[]),
         told(9, S, predicted_evidence=[])],
    ),
    "feverous": (
        [verdict(1, S, ["A_sentence_0"]), verdict(2, R, ["A_cell_0_1_2"])],
        [told(1, S, predicted_evidence=[["A", "sentence", "0"]]),
         told(2, S, predicted_evidence=[["A", "cell", "0_1_2"]])],
    ),
    "scifact": (
        [{"id": 1, "evidence": {"11": [{"sentences": [0], "label": "SUPPORT"}],
                                "12": [{"sentences": [3], "label": "SUPPORT"}]}},
         {"id": 2, "evidence": {}}],
        [{"id": 1, "evidence": {"11": {"sentences": [0], "label": "SUPPORT"},
                                "12": {"sentences": [1], "label": "SUPPORT"}}},
         {"id": 2, "evidence": {"11": {"sentences": [1], "label": "REFUTE"}}}],
    ),
    "ambifc": (
        [passage("a", "supporting", "supporting"), passage("b", "refuting", "neutral")],
        [{"id": "a", "predicted": [0.0, 0.25, 0.75], "sentence_keys": ["0"]},
         {"id": "b", "predicted": [0.5, 0.5, 0.0], "sentence_keys": []}],
    ),
    "ctkfacts": (
        [verdict(1, S, ["a_1"]), verdict(2, R, ["a_2"]), verdict(3, N)],
        [told(1, S, predicted_pages=["b_1", "a_1"]), told(2, R, predicted_pages=["b_1"]),
         told(3, N, predicted_pages=[])],
    ),
}  # fmt: skip


def as_lines(records):
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def files(gold, predictions, **more):
    """The files by their parts; a part is a list of records, or bytes as they are."""
    parts = {"gold": gold, "predictions": predictions, **more}
    return {
        part: ContentFile(
            records if isinstance(records, bytes) else as_lines(records), f"{part}.jsonl"
        )
        for part, records in parts.items()
    }


def run_next_job():
    run_job(claim_next_job(worker="test"))


def upload(client, task="fever", **chosen):
    return client.post(reverse("datasets:scores"), {"task": task, "match": "auto", **chosen})


def scored(client, task="fever", **chosen):
    """Upload, let the job run, the page of the scores."""
    response = upload(client, task, **chosen)
    run_next_job()
    return client.get(response["Location"])


def make_score(*, by, task="fever", gold=None, predictions=None, **options):
    """The waiting job of a score."""
    usual = TASKS[task]
    chosen = files(usual[0] if gold is None else gold, predictions or usual[1])
    return start_score(task=task, files=chosen, limits={}, by=by, **options)


def made_score(**options):
    """A score that is there."""
    job = make_score(**options)
    run_job(claim_job(job.pk, worker="test"))
    return job


def score_by_command(folder, task, gold, predictions, **options):
    """What `score --json` prints, and what `--per-claim` writes."""
    for name, records in (("gold", gold), ("predictions", predictions)):
        (folder / f"{name}.jsonl").write_bytes(as_lines(records))
    out = StringIO()
    call_command(
        "score",
        task=task,
        gold=folder / "gold.jsonl",
        predictions=folder / "predictions.jsonl",
        per_claim=folder / "claims.jsonl",
        json=True,
        stdout=out,
        stderr=StringIO(),
        **options,
    )
    return out.getvalue().rstrip("\n"), (folder / "claims.jsonl").read_text()
