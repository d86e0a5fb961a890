"""Paragraphs as segments: what is cited, and what stands around it."""

from datasets.marks import marked

TEXT = "One. Two. Three."
UNITS = [
    {"id": "s0", "start": 0, "end": 4},
    {"id": "s1", "start": 5, "end": 9},
    {"id": "s2", "start": 10, "end": 16},
]


def test_cited_sentences_are_segments_of_their_own():
    segments = marked(TEXT, UNITS, [("s1", 2), ("s1", 1), ("s2", 1)])

    assert segments == (("One. ", ()), ("Two.", (1, 2)), (" ", ()), ("Three.", (1,)))


def test_a_paragraph_cited_whole_is_one_segment():
    assert marked(TEXT, UNITS, [("", 1), ("s0", 2)]) == ((TEXT, (1, 2)),)


def test_nothing_cited_marks_nothing():
    assert marked(TEXT, UNITS, []) == marked(TEXT, UNITS, [("lost", 1)]) == ((TEXT, ()),)
