"""Raw annotations: one line for each, under a pseudonym, with what its annotator was shown."""

from collections.abc import Iterator

from datasets.records import RawAnnotation
from datasets.writers.lines import as_it_is


def lines(annotation: RawAnnotation) -> Iterator[str]:
    yield as_it_is(
        {
            "instance": annotation.instance,
            "claim_id": annotation.number,
            "claim": annotation.claim,
            "source": annotation.source,
            "mutated_from": annotation.mutated_from,
            "annotator": annotation.annotator,
            "wave": annotation.wave,
            "kind": annotation.kind,
            "label": annotation.label,
            "flags": annotation.flags,
            **annotation.texts,
            **steps_of(annotation),
            "evidence": annotation.evidence,
            **annotation.times,
            "scope": annotation.scope,
        }
    )


def steps_of(annotation: RawAnnotation) -> dict:
    return {} if annotation.steps is None else {"annotator_operations": annotation.steps}
