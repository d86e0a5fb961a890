"""Dictionaries: the embedded index beside TF-IDF and brute force, on the same corpus.

Vectors are random: no model is loaded, and near neighbours are as hard to tell apart as can be.
"""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import linear_kernel

from benchmarks.measuring import (
    Timings,
    anonymous_mb,
    folder_mb,
    median,
    memory,
    rounded,
    say,
)
from benchmarks.sampling import Sampled
from benchmarks.sites import Sites
from benchmarks.texts import PER_ARTICLE, texts, times
from dictionaries.backends.base import DictionaryQuery, DictionarySettings, IndexRow, IndexSettings
from dictionaries.backends.building import Build
from dictionaries.backends.embedded import EmbeddedIndex
from dictionaries.backends.old import Old
from dictionaries.backends.versions import build_lock, corpus_folder, current_version
from dictionaries.selection import entity_pairs
from dictionaries.semantic import unit

SIZES = {"small": 100_000, "full": 1_000_000}
QUERIES = 20
WARM_UP = 3
DIMENSIONS = (384, 512)
SHARES = (0.1, 0.5, 1.0)  # of the corpus that is older than the as-of date
ADDED = 1_000
CORPUS = "bench"
SEED, TIMES_SEED = 20, 1
SETTINGS = DictionarySettings()


def measure(sites: Sites, size: str) -> dict:
    count = SIZES[size]
    figures = {"paragraphs": count}
    with sites.site("sqlite") as site:
        chosen = site.step("retrieval", "choose", count=count, queries=QUERIES)
        for dimensions in DIMENSIONS:
            say(f"retrieval: {count:,} paragraphs, {dimensions} dimensions")
            plan = {"count": count, "dimensions": dimensions}
            built = site.step("retrieval", "build", **plan)
            asked = site.step("retrieval", "ask", **plan, queries=chosen)
            figures[f"{dimensions}_dimensions"] = built | asked
        figures["adding"] = site.step("retrieval", "add", **plan)
    return figures


def budgets(figures: dict) -> list[tuple]:
    rows = []
    for dimensions in DIMENSIONS:
        found = figures[f"{dimensions}_dimensions"]
        at = f"{dimensions} dimensions"
        rows += [
            (f"dictionary, ms, {at}", found["dictionary"]["wall_ms"]["median"], "<", 150),
            (f"times faster than brute force, {at}", found["times_faster"], ">=", 10),
            (f"recall@1024 of the dense part, {at}", found["recall_at_1024"], ">=", 0.99),
            (f"keyword part, MB, {at}", found["index_mb"]["keyword"], "<", 300),
            (f"anonymous memory, MB, {at}", found["memory"]["anonymous_peak_mb"], "<", 1000),
        ]
    return rows


class RandomEncoder:
    """A random vector for each text, always the same."""

    def __init__(self, dimensions: int):
        self.name, self.version, self.dimensions = f"random-{dimensions}", "1", dimensions

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.stack([self.vector(text) for text in texts])

    def fits(self, paragraphs: int) -> bool:
        return True

    def vector(self, text: str) -> np.ndarray:
        seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
        return np.random.default_rng(seed).standard_normal(self.dimensions, dtype=np.float32)


class RandomBuild(Build):
    """The real build with another encoder."""

    def __init__(self, folder: Path, encoder: RandomEncoder):
        super().__init__(folder, IndexSettings(language="en"), progress=lambda done, total: None)
        self._random = encoder

    def _model(self) -> str:
        return self._random.name

    def _encoder(self, table, spool, old) -> RandomEncoder:
        return self._random

    def _kept_encoder(self, old) -> RandomEncoder | None:
        same = old.manifest["encoder"]["name"] == self._random.name
        return self._random if same else None


def named_rows(count: int) -> Iterator[tuple[IndexRow, tuple[str, ...]]]:
    """The paragraphs, in articles of six, each at a time of its own; and the names in them."""
    moments = times(count // PER_ARTICLE + 1, seed=TIMES_SEED)
    micros = [int(moment.timestamp() * 1e6) for moment in moments]
    for number, made in enumerate(texts(count, seed=SEED)):
        article, rank = divmod(number, PER_ARTICLE)
        name = f"a{article}_{rank + 1}"
        yield IndexRow(number + 1, article + 1, name, micros[article], made.text, "en"), made.names


def rows(count: int) -> Iterator[IndexRow]:
    return (row for row, _names in named_rows(count))


def folder() -> Path:
    from django.conf import settings

    return corpus_folder(settings.DATA_DIR, CORPUS)


def build(*, count: int, dimensions: int) -> dict:
    """Step: build the index; the second time the keyword part is taken over as it is."""
    path = folder()
    with build_lock(path):
        old = Old(path) if (path / "CURRENT").exists() else None
        report = RandomBuild(path, RandomEncoder(dimensions)).run(rows(count), old)
    version = path / current_version(path)
    parts = {name: folder_mb(version / name) for name in ("keyword", "rows", "semantic")}
    return {"build_s": rounded(report.seconds), "index_mb": parts}


class Rows:
    """Rows that can be read again, as those of a corpus can."""

    def __init__(self, count: int):
        self._count = count

    def __iter__(self) -> Iterator[IndexRow]:
        return rows(self._count)


def add(*, count: int, dimensions: int) -> dict:
    """Step: a thousand paragraphs more, of any time; the first adding makes the small segment."""
    path, figures = folder(), {}
    for number, name in enumerate(("first", "second"), start=1):
        before = disk_writes_mb()
        with build_lock(path):
            build = RandomBuild(path, RandomEncoder(dimensions))
            report = build.run(Rows(count + number * ADDED), Old(path))
        written = rounded(disk_writes_mb() - before)
        figures[name] = {"s": rounded(report.seconds), "added": report.added, "written_mb": written}
    return figures


def disk_writes_mb() -> float:
    """What this process had written to disk, mapped files included once they are flushed."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes")) / 1e6


def choose(*, count: int, queries: int) -> list[dict]:
    """Step: paragraphs of the newest twentieth of articles, so that nearly all others are older."""
    moments = times(count // PER_ARTICLE, seed=TIMES_SEED)
    latest = sorted(range(len(moments)), key=moments.__getitem__)[
        -max(queries, len(moments) // 20) :
    ]
    articles = set(np.random.default_rng(3).choice(latest, size=queries, replace=False).tolist())
    return [
        {
            "text": row.text,
            "as_of": row.available_at,
            "left_out_article": row.article_id,
            "language": "en",
            "entities": names,
        }
        for row, names in named_rows(count)
        if row.article_id - 1 in articles and row.public_id.endswith("_1")
    ]


def ask(*, count: int, dimensions: int, queries: list[dict]) -> dict:
    """Step: the same queries to the index and to brute force, in turn."""
    encoder = RandomEncoder(dimensions)
    before = memory()["anonymous_mb"]
    index = EmbeddedIndex(folder())
    index._encoder = encoder
    asked = [DictionaryQuery(**query | {"entities": tuple(query["entities"])}) for query in queries]
    for query in asked[:WARM_UP]:
        index.retrieve(query, SETTINGS)
    held = memory_of(index, asked) | {"process_before_mb": before}
    brute = BruteForce(count, encoder)
    figures = compared(index, brute, asked) | {"memory": held}
    return figures | {"by_share": {str(share): at_share(index, brute, asked, share)
                                   for share in SHARES}}  # fmt: skip


def at_share(
    index: EmbeddedIndex, brute: "BruteForce", queries: list[DictionaryQuery], share: float
) -> dict:
    """The same queries as of the moment for which so large a share of the corpus is older."""
    times = np.sort(index.rows.values("available_at"))
    moment = int(times[min(len(times) - 1, round(share * len(times)))]) + (share == 1)
    dated = [replace(query, as_of=moment) for query in queries]
    ours, theirs, stages = Timings(), Timings(), []
    for query in dated:
        stages.append(ours.add(lambda query=query: index.retrieve(query, SETTINGS)).seconds)
        theirs.add(lambda query=query: brute.retrieve(query))
    return {
        "eligible": int(index.rows.prefix(moment)),
        "dictionary_ms": rounded(median(ours.wall) * 1000),
        "stages_ms": by_stage(stages),
        "brute_force_ms": rounded(median(theirs.wall) * 1000),
        "recall_at_1024": min(recall(index, brute, query) for query in dated[:5]),
    }


def by_stage(stages: list[dict]) -> dict:
    return {name: rounded(median(stage[name] for stage in stages) * 1000) for name in stages[0]}


def memory_of(index: EmbeddedIndex, queries: list[DictionaryQuery]) -> dict:
    """After the queries, and the most during one."""
    with Sampled(anonymous_mb) as sampled:
        for query in queries:
            index.retrieve(query, SETTINGS)
    return memory() | {"anonymous_peak_mb": sampled.most}


def compared(index: EmbeddedIndex, brute: "BruteForce", queries: list[DictionaryQuery]) -> dict:
    ours, theirs, by_pair, stages = Timings(), Timings(), Timings(), []
    for number, query in enumerate(queries):
        stages.append(ours.add(lambda query=query: index.retrieve(query, SETTINGS)).seconds)
        theirs.add(lambda query=query: brute.retrieve(query))
        by_pair.add(lambda query=query: brute.retrieve(query, by_pair=True))
        if number % 5 == 0:
            say(f"  query {number + 1} of {len(queries)}: {ours.wall[-1]:.3f} s, brute force "
                f"{theirs.wall[-1]:.3f} s")  # fmt: skip
    return {
        "entities": median(len(query.entities) for query in queries),
        "dictionary": ours.figures(),
        "stages_ms": by_stage(stages),
        "brute_force": theirs.figures(),
        "brute_force_by_pair": by_pair.figures(),
        "times_faster": rounded(median(theirs.wall) / median(ours.wall)),
        "times_faster_by_pair": rounded(median(by_pair.wall) / median(ours.wall)),
        "times_less_cpu": rounded(median(theirs.cpu) / median(ours.cpu)),
        "recall_at_1024": min(recall(index, brute, query) for query in queries),
        "brute_force_fit_s": rounded(brute.seconds),
    }


def recall(index: EmbeddedIndex, brute: "BruteForce", query: DictionaryQuery) -> float:
    """The share of the exact nearest, by the vectors as they were made, that the index finds."""
    vector = unit(index.encoder().encode([query.text]))[0]
    prefix = index.rows.prefix(query.as_of)
    blocked = index.rows.of_article(query.left_out_article, prefix)
    found = index.semantic.nearest(vector, index.semantic.scan(vector, prefix), blocked, 1024)
    ids = set(index.rows.values("paragraph", found.positions).tolist())
    exact = set((brute.nearest(vector, brute.eligible(query)) + 1).tolist())
    return len(ids & exact) / len(exact)


class BruteForce:
    """What one would write first: TF-IDF and vectors in memory, every paragraph scored.

    The date is a mask over the scores. All pairs of a query go through one sparse product.
    """

    def __init__(self, count: int, encoder: RandomEncoder):
        say("  fitting TF-IDF for brute force")
        started = perf_counter()
        self.encoder = encoder
        self.times, self.articles = np.empty(count, np.int64), np.empty(count, np.int64)
        self.vectors = np.empty((count, encoder.dimensions), dtype=np.float32)
        self.tfidf = TfidfVectorizer(dtype=np.float32)
        self.words = self.tfidf.fit_transform(self._noted(rows(count)))
        self.seconds = perf_counter() - started

    def _noted(self, rows: Iterator[IndexRow]) -> Iterator[str]:
        """The texts of the rows, whose other values are kept on the way."""
        for place, row in enumerate(rows):
            self.times[place], self.articles[place] = row.available_at, row.article_id
            self.vectors[place] = unit(self.encoder.encode([row.text]))[0]
            yield row.text

    def retrieve(self, query: DictionaryQuery, *, by_pair: bool = False) -> list[int]:
        """by_pair: a product for each pair, which is simpler to write, instead of one for all."""
        eligible = self.eligible(query)
        scores = self.scores_by_pair(query) if by_pair else self.scores(query)
        return self.by_keywords(scores, eligible) + self.by_meaning(query, eligible)

    def eligible(self, query: DictionaryQuery) -> np.ndarray:
        return (self.times < query.as_of) & (self.articles != query.left_out_article)

    def scores(self, query: DictionaryQuery) -> np.ndarray:
        return (self.words @ self.tfidf.transform(pairs_of(query)).T).toarray().max(axis=1)

    def scores_by_pair(self, query: DictionaryQuery) -> np.ndarray:
        vectors = (self.tfidf.transform([pair]) for pair in pairs_of(query))
        return np.max([linear_kernel(vector, self.words)[0] for vector in vectors], axis=0)

    def by_keywords(self, scores: np.ndarray, eligible: np.ndarray) -> list[int]:
        scores[~eligible] = -1
        top = np.argpartition(-scores, SETTINGS.n_kw)[: SETTINGS.n_kw]
        return top[np.argsort(-scores[top])].tolist()

    def by_meaning(self, query: DictionaryQuery, eligible: np.ndarray) -> list[int]:
        vector = unit(self.encoder.encode([query.text]))[0]
        near = self.nearest(vector, eligible)
        labels = KMeans(SETTINGS.k, n_init=1, random_state=0).fit_predict(self.vectors[near])
        chosen = [near[labels == label][: SETTINGS.n_sem // 2] for label in range(SETTINGS.k)]
        return np.concatenate(chosen).tolist()

    def nearest(self, vector: np.ndarray, eligible: np.ndarray) -> np.ndarray:
        """The places of the nearest eligible paragraphs, nearest first."""
        scores = self.vectors @ vector
        scores[~eligible] = -2
        wanted = min(SETTINGS.n_pre, int(eligible.sum()))
        top = np.argpartition(-scores, wanted)[:wanted]
        return top[np.argsort(-scores[top])]


def pairs_of(query: DictionaryQuery) -> list[str]:
    return [" ".join(pair) for pair in entity_pairs(query.entities)] or [query.text]
