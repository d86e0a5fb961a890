"""The one way to read dataset files of any format."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from corpus.readers.files import display_names
from datasets.readers import ambifc, averitec, ctkfacts, fever, feverous, nli, plain, scifact
from datasets.readers.fields import is_empty_record
from datasets.readers.lines import Raw, raw_records
from datasets.readers.problems import Problem, Unusable
from datasets.readers.records import ReadClaim

READERS: dict[str, Callable[[Mapping], ReadClaim]] = {
    "fever": fever.claim_of,
    "ctkfacts": ctkfacts.claim_of,
    "nli": nli.claim_of,
    "csfever": fever.claim_of,
    "scifact": scifact.claim_of,
    "feverous": feverous.claim_of,
    "ambifc": ambifc.claim_of,
    "averitec": averitec.claim_of,
    "claims": plain.claim_of,
}
FORMATS = tuple(READERS)


def read_claims(
    paths: Iterable[str | Path], format: str, empty: Counter | None = None
) -> Iterator[ReadClaim | Problem]:
    """Every claim of the files, in order, and a Problem for what makes none.

    Nothing is raised for any content, and memory does not grow with the files. empty: counts
    records that state nothing at all.
    """
    files = [Path(path) for path in paths]
    for path, file in zip(files, display_names(files), strict=True):
        claims = claims_of_file(path, file, format, Counter() if empty is None else empty)
        yield from nli.joined(claims) if format == "nli" else claims


def claims_of_file(
    path: Path, file: str, format: str, empty: Counter
) -> Iterator[ReadClaim | Problem]:
    for raw in raw_records(path, file):
        if isinstance(raw, Problem):
            yield raw
        elif is_empty_record(raw.values):
            empty["empty_records"] += 1
        else:
            yield claim_or_problem(raw, file, format)


def claim_or_problem(raw: Raw, file: str, format: str) -> ReadClaim | Problem:
    try:
        claim = READERS[format](raw.values)
    except Unusable as error:
        return raw.problem(file, error)
    claim.file, claim.line = file, raw.line
    return claim
