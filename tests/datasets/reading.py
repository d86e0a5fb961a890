"""Small dataset files, and the claims that are read from them."""

import json
from collections import Counter

from datasets.readers.dispatch import read_claims
from datasets.readers.problems import Problem
from datasets.readers.records import ReadClaim


def write_lines(folder, *lines, name="claims.jsonl"):
    """A file of these objects, or texts as they stand, one a line."""
    path = folder / name
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def read(folder, format, *lines, name="claims.jsonl"):
    return list(read_claims([write_lines(folder, *lines, name=name)], format))


def one(folder, format, line):
    """The claim of the only line."""
    (claim,) = read(folder, format, line)
    assert isinstance(claim, ReadClaim), claim
    return claim


def one_problem(folder, format, *lines):
    (problem,) = read(folder, format, *lines)
    assert isinstance(problem, Problem)
    return problem


def summary(*paths, format):
    """Claims, instances, labels and sets of real files, and the rules that they break."""
    counts, labels, violations = Counter(), Counter(), Counter()
    for claim in read_claims(paths, format):
        assert isinstance(claim, ReadClaim), claim
        counts["claims"] += 1
        violations.update(claim.violations)
        for instance in claim.instances:
            counts["instances"] += 1
            for annotation in instance.annotations:
                labels[annotation.label] += 1
                counts["sets"] += len(annotation.evidence)
    return dict(+counts), dict(labels), dict(+violations)


def label_in(claim):
    """The only label of a claim."""
    (instance,) = claim.instances
    (annotation,) = instance.annotations
    return annotation


def places(annotation):
    """What each set cites: (paragraph or article, part in it, text)."""
    return [[(c.paragraph, c.external, c.text) for c in group] for group in annotation.evidence]
