"""Labels small enough to work out every figure by hand."""

import numpy as np

from agreement.measures import agreement_report, annotation_table

# Three units: two of one mind, one of two minds. By hand: labels S 3, R 3 of n = 6; observed
# disagreement 2/6; expected 18/30; alpha = 1 - (1/3) / (3/5) = 4/9.
TWO_AGREE_ONE_DIFFERS = np.array([[2, 0], [0, 2], [1, 1]])
ROWS = [("u1", "p", "A"), ("u1", "q", "A"), ("u2", "p", "B"), ("u2", "q", "B"), ("u3", "p", "A"),
        ("u3", "q", "B")]  # fmt: skip


def table_of(rows, **policies):
    return annotation_table(*zip(*rows, strict=True), **policies)


def report_on(rows, **options):
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    return agreement_report(*columns, rng=np.random.default_rng(1), n_samples=200, **options)
