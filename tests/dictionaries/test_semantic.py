import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dictionaries import semantic
from dictionaries.semantic import (
    SemanticIndex,
    choose_from_clusters,
    cluster_labels,
    quantise,
    unit,
    write_vectors,
)

NONE = np.empty(0, dtype=np.int64)


def random_vectors(count, dimensions, seed=0, repeat=1):
    """Vectors of length 1 as float16, each `repeat` times."""
    rng = np.random.default_rng(seed)
    vectors = unit(rng.standard_normal((count, dimensions))).astype(np.float16)
    return np.repeat(vectors, repeat, axis=0)


def open_index(folder, vectors):
    write_vectors(folder, vectors)
    return SemanticIndex(folder)


def nearest(index, query, *, prefix, blocked=NONE, k=10):
    return index.nearest(query, index.scan(query, prefix), blocked, k)


def by_brute_force(vectors, query, *, prefix, blocked=NONE, k=10):
    """Every eligible row scored in float64, then sorted by score and position."""
    eligible = [row for row in range(prefix) if row not in set(blocked.tolist())]
    scores = {
        row: round(float(vectors[row].astype(float) @ query.astype(float)), 6) for row in eligible
    }
    return sorted(eligible, key=lambda row: (-scores[row], -row))[:k]


@settings(max_examples=60, deadline=None)
@example(count=7, repeat=2, share=1.0, k=6, seed=2)  # float32 sums of equal rows differed
@given(
    count=st.integers(1, 60),
    repeat=st.integers(1, 3),
    share=st.floats(0, 1),
    k=st.integers(1, 50),
    seed=st.integers(0, 10_000),
)
def test_the_nearest_are_those_of_a_full_scan(tmp_path_factory, count, repeat, share, k, seed):
    vectors = random_vectors(count, 16, seed, repeat)
    query = unit(np.random.default_rng(seed + 1).standard_normal((1, 16)))[0]
    prefix = round(share * len(vectors))
    blocked = np.flatnonzero(np.random.default_rng(seed).random(prefix) < 0.2)
    index = open_index(tmp_path_factory.mktemp("index"), vectors)

    found = nearest(index, query, prefix=prefix, blocked=blocked, k=k)

    expected = by_brute_force(vectors, query, prefix=prefix, blocked=blocked, k=k)
    assert found.positions.tolist() == expected


@pytest.mark.parametrize("prefix", [50, 2_000, 20_000])
def test_a_date_filter_loses_none_of_the_nearest(tmp_path, prefix):
    vectors = random_vectors(20_000, 64)
    query = unit(np.random.default_rng(9).standard_normal((1, 64)))[0]

    found = nearest(open_index(tmp_path, vectors), query, prefix=prefix, k=1024)

    scores = vectors[:prefix].astype(np.float32) @ query
    expected = set(np.argsort(-scores)[:1024].tolist())
    assert len(found.positions) == min(1024, prefix)
    assert len(expected & set(found.positions.tolist())) >= len(expected) - 1  # the last may tie
    assert found.positions.max() < prefix


def test_spiky_vectors_do_not_mislead_the_codes(tmp_path):
    vectors = random_vectors(300, 32)
    vectors[:, 0] += np.float16(20)  # one large value makes the codes of all others coarse
    vectors = unit(vectors).astype(np.float16)
    query = unit(np.random.default_rng(3).standard_normal((1, 32)))[0]

    found = nearest(open_index(tmp_path, vectors), query, prefix=300, k=20)

    assert found.positions.tolist() == by_brute_force(vectors, query, prefix=300, k=20)


def test_codes_differ_from_their_vectors_by_their_error_at_most():
    vectors = random_vectors(100, 24)
    codes = quantise(vectors)

    distance = np.linalg.norm(
        vectors.astype(np.float32) - codes.codes * codes.scales[:, None], axis=1
    )

    assert (distance <= codes.errors + 1e-6).all()
    assert np.abs(codes.codes).max() == 127


def test_equal_vectors_go_newest_first(tmp_path):
    vectors = np.repeat(random_vectors(1, 8), 5, axis=0)

    found = nearest(open_index(tmp_path, vectors), vectors[0].astype(np.float32), prefix=5, k=3)

    assert found.positions.tolist() == [4, 3, 2]


@pytest.mark.parametrize(("prefix", "blocked"), [(0, []), (2, [0, 1])])
def test_nothing_eligible_gives_nothing(tmp_path, prefix, blocked):
    vectors = random_vectors(3, 8)
    index = open_index(tmp_path, vectors)

    found = nearest(
        index, vectors[0].astype(np.float32), prefix=prefix, blocked=np.array(blocked, dtype=int)
    )

    assert found.positions.tolist() == []
    assert choose_from_clusters(found.vectors, k=2, n=4, seed=0).indices == []


def test_an_index_of_nothing_opens(tmp_path):
    index = open_index(tmp_path, np.empty((0, 8), dtype=np.float16))

    assert nearest(index, np.ones(8, dtype=np.float32), prefix=0).positions.tolist() == []


def test_a_vector_without_length_has_cosine_0(tmp_path):
    vectors = np.zeros((2, 4), dtype=np.float16)

    assert unit(vectors).tolist() == vectors.tolist()
    found = nearest(open_index(tmp_path, vectors), np.eye(4, dtype=np.float32)[0], prefix=2)
    assert found.scores.tolist() == [0, 0]


TWO_GROUPS = unit(np.array([[1, 0.0], [1, 0.05], [1, 0.1], [0.1, 1], [0.0, 1]]))


def test_candidates_are_chosen_from_clusters_in_turn():
    chosen = choose_from_clusters(TWO_GROUPS, k=2, n=4, seed=0)

    assert chosen.labels.tolist() == [0, 0, 0, 1, 1]
    assert chosen.indices == [0, 3, 1, 4]
    assert chosen.sizes == (3, 2)


@pytest.mark.parametrize("seed", range(5))
def test_the_same_seed_gives_the_same_clusters(seed):
    vectors = random_vectors(200, 8).astype(np.float32)

    first = cluster_labels(vectors, k=2, seed=seed)

    assert first.tolist() == cluster_labels(vectors, k=2, seed=seed).tolist()


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_fewer_candidates_than_wished_are_all_chosen(count):
    chosen = choose_from_clusters(random_vectors(count, 8).astype(np.float32), k=2, n=4, seed=0)

    assert sorted(chosen.indices) == list(range(count))


@pytest.mark.filterwarnings("error")
def test_equal_candidates_make_one_cluster():
    vectors = np.ones((6, 4), dtype=np.float32)

    assert choose_from_clusters(vectors, k=3, n=4, seed=0).indices == [0, 1, 2, 3]


@pytest.mark.parametrize(("scanners", "prefix"), [(1, 500), (3, 500), (3, 499), (3, 1), (3, 0)])
def test_a_scan_shared_by_threads_covers_every_row(tmp_path, monkeypatch, scanners, prefix):
    monkeypatch.setattr(semantic, "SCANNERS", scanners)
    vectors = random_vectors(500, 16)
    query = unit(np.random.default_rng(1).standard_normal((1, 16)))[0]

    scores = open_index(tmp_path, vectors).scan(query, prefix)

    assert scores == pytest.approx(vectors[:prefix].astype(float) @ query, abs=0.05)


@pytest.mark.parametrize("spread", [0, 1, 4])
def test_true_cosines_lie_within_the_bounds_of_approximate_ones(tmp_path, spread):
    # The larger the spread, the fewer values carry a vector, and the coarser the others' codes.
    rng = np.random.default_rng(spread)
    stretch = np.exp(spread * rng.standard_normal(24))
    vectors = unit(rng.standard_normal((3000, 24)) * stretch).astype(np.float16)
    query = unit(rng.standard_normal((1, 24)) * stretch)[0]
    index = open_index(tmp_path, vectors)

    off = np.abs(index.scan(query, 3000) - vectors.astype(np.float64) @ query)

    assert (off <= index._reach(query, 3000) + 1e-6).all()
    assert index._reach(query, 3000).max() < 0.05
