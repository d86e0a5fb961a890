"""Dictionaries by brute force: every paragraph is scored, all are sorted, nothing is clever.

It knows what the method says (DESIGN, section 4, and the query in dictionaries/keyword.py), and
shares with the index only the words of a text, the vectors and scikit-learn's k-means. Texts are
of plain words in a language without rules, so that a word has one form.
"""

from collections import Counter
from itertools import combinations
from math import log

import numpy as np
from sklearn.cluster import KMeans

K1, B = 1.2, 0.75


class Oracle:
    def __init__(self, rows, encoder):
        self.rows = list(rows)
        self.words = {row.paragraph_id: row.text.lower().split() for row in rows}
        self.average = sum(map(len, self.words.values())) / max(1, len(self.rows))
        self.having = Counter(word for words in self.words.values() for word in set(words))
        self.encoder = encoder

    def eligible(self, query):
        """Newest first, at equal times by public id: the order of all ties."""
        rows = [
            row
            for row in self.rows
            if (query.as_of is None or row.available_at < query.as_of)
            and row.article_id != query.left_out_article
            and self.words[row.paragraph_id] != query.text.lower().split()
        ]
        return sorted(rows, key=lambda row: (-row.available_at, row.public_id))

    # the keyword part

    def idf(self, word):
        return log(1 + (len(self.rows) - self.having[word] + 0.5) / (self.having[word] + 0.5))

    def bm25(self, count, row, idf):
        length = len(self.words[row.paragraph_id]) / self.average
        return idf * (K1 + 1) * count / (count + K1 * (1 - B + B * length)) if count else 0.0

    def entity(self, name, row):
        """Each word, and the phrase of several, whose rarity is that of its words together."""
        here, words = self.words[row.paragraph_id], name.lower().split()
        score = sum(self.bm25(here.count(word), row, self.idf(word)) for word in words)
        if len(words) > 1:
            starts = range(len(here) - len(words) + 1)
            phrases = sum(here[start : start + len(words)] == words for start in starts)
            score += self.bm25(phrases, row, sum(map(self.idf, words)))
        return score

    def pair(self, pair, row):
        here = set(self.words[row.paragraph_id])
        has_both = all(word in here for name in pair for word in name.lower().split())
        return sum(self.entity(name, row) for name in pair) + (1000 if has_both else 0)

    def keyword(self, query, n):
        """(paragraph, query, score), best first."""
        rows = self.eligible(query)
        if pairs := list(combinations(query.entities, 2)):
            hits = [(self.pair(pair, row), row, " + ".join(pair)) for pair in pairs for row in rows]
            return self._best(hits, n)
        hits = [(self.entity(name, row), row, name) for name in query.entities for row in rows]
        single = self._best(hits, n)
        seen = {paragraph for paragraph, _, _ in single}
        words = [w for w in dict.fromkeys(query.text.lower().split()) if self.having[w]]
        rarest = sorted(words, key=lambda word: (self.having[word], word))[:12]
        chosen = [word for word in words if word in rarest]
        by_words = [
            (sum(self.entity(word, row) for word in chosen), row, " ".join(chosen))
            for row in rows
            if row.paragraph_id not in seen
        ]
        return [*single, *self._best(by_words, n)][:n]

    def _best(self, hits, n):
        """By score; of equal ones the order of `eligible`, then that of the queries."""
        newest = {row.paragraph_id: i for i, row in enumerate(self._all_newest_first())}
        found = [hit for hit in hits if hit[0] > 0]
        found.sort(key=lambda hit: (-round(hit[0], 4), newest[hit[1].paragraph_id]))
        best = {}
        for score, row, name in found:
            best.setdefault(row.paragraph_id, (row.paragraph_id, name, score))
        return list(best.values())[:n]

    def _all_newest_first(self):
        return sorted(self.rows, key=lambda row: (-row.available_at, row.public_id))

    # the semantic part

    def vectors(self, texts):
        made = self.encoder.encode(list(texts)).astype(np.float32)
        norms = np.linalg.norm(made, axis=1, keepdims=True)
        return (made / np.where(norms > 0, norms, 1)).astype(np.float16).astype(np.float64)

    def nearest(self, query, n):
        """(row, cosine, vector) of the nearest, nearest first."""
        rows = self.eligible(query)
        if not rows:
            return []
        vectors = self.vectors(row.text for row in rows)
        scores = np.round(np.einsum("ij,j->i", vectors, self.vectors([query.text])[0]), 6)
        order = sorted(range(len(rows)), key=lambda i: -scores[i])[:n]
        return [(rows[i], scores[i], vectors[i]) for i in order]

    def semantic(self, query, settings):
        """(paragraph, cluster, cosine): of each cluster in turn its nearest that is left."""
        found = self.nearest(query, settings.n_pre)
        labels = self._clusters([vector for _, _, vector in found], settings)
        turns = list(dict.fromkeys(labels))
        queues = {label: [f for f, of in zip(found, labels, strict=True) if of == label]
                  for label in turns}  # fmt: skip
        chosen = []
        while any(queues.values()) and len(chosen) < settings.n_sem:
            for number, label in enumerate(turns, start=1):
                if queues[label] and len(chosen) < settings.n_sem:
                    row, score, _ = queues[label].pop(0)
                    chosen.append((row.paragraph_id, f"cluster {number}", score))
        return chosen

    def _clusters(self, vectors, settings):
        distinct = len({tuple(vector) for vector in vectors})
        k = min(settings.k, distinct)
        if k < 2:
            return [0] * len(vectors)
        made = KMeans(k, n_init=1, random_state=settings.seed)
        return made.fit_predict(np.array(vectors, dtype=np.float32)).tolist()
