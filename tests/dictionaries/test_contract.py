"""What every backend of retrieval keeps to, one test for all of them."""

from dataclasses import dataclass

import pytest

from dictionaries.backends.base import (
    KEYWORD,
    SEMANTIC,
    DictionaryQuery,
    DictionarySettings,
    IndexBusy,
    IndexSettings,
    IndexUnavailable,
    SearchQuery,
    backend_for,
)
from dictionaries.backends.versions import build_lock, corpus_folder
from tests.dictionaries.builders import DAY, found, make_row, make_rows

ENGLISH = IndexSettings("en", "svd")
FERRY = [f"Mayor Quist opened the ferry to Sael for the {n}th time." for n in range(6)]
BRIDGE = [
    "Orst and Quist opened the bridge in Norvell.",
    "The bridge of Orst fell, said Orst, and Orst left Norvell.",
    "Quist was seen in Sael on Sunday with the whole band of the town.",
    "It rained in the hills of Kestrin for a week.",
    "Orst met Quist.",
    "Nothing happened in Norvell at all.",
]
COPIED = (
    "The transport minister Pavel Orst resigned on Monday after admitting that the Norvell bridge"
    " would not open this autumn as his ministry had promised for three years"
)


@dataclass
class Engine:
    """A backend and where it keeps its indexes."""

    name: str
    url: str
    folder: object

    def __post_init__(self):
        self.backend = self.another()

    def another(self):
        """A backend of another process, as far as one process can play it."""
        if self.name == "milvus" and hasattr(self, "backend"):
            return self.backend  # a file of Milvus Lite belongs to one process
        return backend_for(self.url, data_dir=self.folder)

    @property
    def files(self):
        return corpus_folder(self.folder / ("milvus" if self.name == "milvus" else ""), "news")

    def build(self, rows, settings=ENGLISH, **options):
        return self.backend.build("news", rows, settings, **options)

    def ask(self, text, *, as_of=None, article=None, entities=None, paragraph=None, **settings):
        query = DictionaryQuery(text, as_of, article, "en", entities, paragraph)
        return self.backend.open("news").retrieve(query, DictionarySettings(**settings))

    def search(self, text, method=KEYWORD, *, before=None, limit=10, article=None):
        query = SearchQuery(text, before, limit, article, "en")
        return [hit.paragraph_id for hit in self.backend.open("news").search(query, method)]


@pytest.fixture(params=["embedded", "milvus"])
def engine(request, tmp_path):
    if request.param == "milvus":
        pytest.importorskip("milvus_lite")
        return Engine("milvus", f"file://{tmp_path}/lite.db", tmp_path)
    return Engine("embedded", "", tmp_path)


def test_paragraphs_with_both_names_come_first(engine):
    engine.build(make_rows(BRIDGE))

    result = engine.ask("q", entities=("Orst", "Quist"), n_sem=0)

    assert found(result, KEYWORD)[:2] == [5, 1]  # the shorter of the two that have both
    assert set(found(result, KEYWORD)[2:]) == {2, 3}
    assert [entry.score > 1000 for entry in result.entries] == [True, True, False, False]
    assert {entry.query for entry in result.entries} == {"Orst + Quist"}


def test_a_name_of_two_words_is_worth_more_where_they_are_neighbours(engine):
    engine.build(make_rows(["Orst knew Pavel well", "Pavel Orst knew well", "it rained a lot"]))

    assert engine.search("Pavel Orst") == [2, 1]


def test_scores_are_bm25_by_hand(engine):
    engine.build(make_rows(["ferry", "ferry ferry", "bridge bridge bridge"]))

    index = engine.backend.open("news")
    hits = index.search(SearchQuery("ferry", None, 5, language="en"), KEYWORD)

    # N = 3, n = 2, mean length 2: idf = ln(1 + 1.5 / 2.5), k1 = 1.2, b = 0.75.
    idf = 0.470003629
    once = idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 0.5))
    twice = idf * 4.4 / (2 + 1.2 * (0.25 + 0.75 * 1))
    assert [hit.paragraph_id for hit in hits] == [2, 1]
    assert [hit.score for hit in hits] == pytest.approx([twice, once], abs=1e-4)


def test_accents_do_not_hide_a_word(engine):
    engine.build(make_rows(["Škromach spoke", "Skromach spoke", "it rained"]))

    assert set(engine.search("Škromach")) == set(engine.search("Skromach")) == {1, 2}


@pytest.mark.parametrize("method", [KEYWORD, SEMANTIC])
def test_nothing_as_new_as_the_as_of_date_is_found(engine, method):
    engine.build(make_rows(FERRY))

    result = engine.ask("Quist in Sael", as_of=3 * DAY)

    assert set(found(result, method)) == {1, 2}
    assert result.excluded["newer"] == 4
    assert set(found(engine.ask("Quist in Sael", as_of=3 * DAY + 1), method)) == {1, 2, 3}


@pytest.mark.parametrize("method", [KEYWORD, SEMANTIC])
def test_a_search_obeys_its_date_and_article(engine, method):
    engine.build(make_rows(FERRY))

    assert set(engine.search("ferry to Sael", method, before=4 * DAY, article=2)) == {1, 3}


def test_the_left_out_article_is_in_neither_part(engine):
    engine.build([make_row(n, text, article=n % 2) for n, text in enumerate(FERRY)])

    result = engine.ask("Quist in Sael", article=1)

    assert set(found(result, KEYWORD)) == set(found(result, SEMANTIC)) == {0, 2, 4}
    assert result.excluded["same_article"] == 3


def test_exact_and_near_copies_are_left_out_and_replaced(engine):
    copies = [COPIED, COPIED.upper(), COPIED.replace("Monday", "Sunday")]
    rest = [f"{COPIED.split(' resigned')[0]} of {n} towns spoke in Norvell." for n in range(5)]
    engine.build(make_rows(copies + rest))

    result = engine.ask(COPIED, n_pre=4)

    assert len(found(result, KEYWORD)) == len(found(result, SEMANTIC)) == 4
    assert not {1, 2, 3} & {entry.paragraph_id for entry in result.entries}
    assert result.excluded["copies"] == 3


@pytest.mark.parametrize("method", [KEYWORD, SEMANTIC])
def test_equal_paragraphs_come_newer_first_then_by_their_public_id(engine, method):
    texts = ["The ferry sails to Sael."] * 30
    engine.build(make_rows(texts, at=7)[:20] + [make_row(n, texts[0]) for n in range(21, 31)])

    assert engine.search("ferry", method, limit=12) == [*range(30, 20, -1), 1, 2]


def test_the_nearest_are_exact_where_fewer_are_asked_for_than_there_are(engine):
    texts = [f"{'bridge ' * (n % 5)} ferry {'town ' * (n % 3)} story {n}" for n in range(80)]
    rows = make_rows(texts)
    engine.build(rows)
    all_of_them = engine.search("bridge in town", SEMANTIC, limit=80, before=70 * DAY)

    assert engine.search("bridge in town", SEMANTIC, limit=7, before=70 * DAY) == all_of_them[:7]
    assert len(all_of_them) == 69


def test_a_paragraph_of_the_index_is_asked_for_by_its_stored_vector(engine):
    engine.build(make_rows(BRIDGE))

    stored = engine.ask(BRIDGE[0], article=1, paragraph=1)

    assert stored.entries == engine.ask(BRIDGE[0], article=1).entries


@pytest.mark.parametrize("texts", [[], ["Only one."], ["", "..."]])
def test_tiny_corpora_have_what_dictionaries_they_can(engine, texts):
    engine.build(make_rows(texts))

    result = engine.ask("Orst and Quist in Norvell", entities=("Orst", "Quist"))

    assert found(result, KEYWORD) == []
    assert len(found(result, SEMANTIC)) == len(texts)
    assert engine.search("nothing like it") == []


def test_words_that_the_corpus_lacks_find_nothing(engine):
    engine.build(make_rows(FERRY))

    result = engine.ask("q", entities=("Zanzibar", "Wuhan"))

    assert found(result, KEYWORD) == []
    assert len(found(result, SEMANTIC)) == 4


def test_a_text_without_names_is_searched_by_its_rarest_words(engine):
    engine.build(make_rows(BRIDGE))

    result = engine.ask("rain fell on the hills and it rained for a week", entities=(), n_sem=0)

    assert found(result, KEYWORD)[0] == 4
    assert "hills" in result.entries[0].query


def test_the_same_index_and_query_give_the_same_dictionary(engine):
    engine.build(make_rows(BRIDGE * 4))
    first = engine.ask("Orst and Quist in Norvell", k=3)

    engine.build(make_rows(BRIDGE * 4), rebuild=True)

    again = engine.ask("Orst and Quist in Norvell", k=3)
    assert again.entries == first.entries
    assert again.index_version != first.index_version


def test_a_missing_index_is_refused_with_what_to_do(engine):
    with pytest.raises(IndexUnavailable, match="no index yet; build it with build_index news"):
        engine.backend.open("news")


def test_building_unchanged_rows_does_nothing(engine):
    first = engine.build(make_rows(FERRY))

    second = engine.build(make_rows(FERRY))

    assert (second.version, second.added, second.paragraphs) == (first.version, 0, 6)


def test_only_new_and_changed_paragraphs_are_encoded_and_all_changes_are_found(engine):
    engine.build(make_rows(FERRY))
    changed = [*make_rows(FERRY)[2:], make_row(1, "A zeppelin rose."), make_row(99, "Late.", at=1)]

    report = engine.build(changed)

    assert (report.added, report.paragraphs) == (2, 6)
    assert engine.backend.check("news", changed).ok
    assert engine.search("zeppelin") == [1]
    assert 2 not in engine.search("ferry")
    assert engine.search("late", SEMANTIC, before=DAY) == [99]


def test_a_check_names_what_is_missing_extra_and_changed(engine):
    engine.build(make_rows(FERRY))
    others = [*make_rows(FERRY)[1:4], make_row(5, "Another text."), make_row(6, at=1), make_row(9)]

    check = engine.backend.check("news", others)

    assert (check.missing, check.extra, check.changed) == ((9,), (1,), (5, 6))
    assert check.checksum_ok
    assert not check.ok


def test_a_damaged_file_is_found_by_a_check(engine):
    engine.build(make_rows(FERRY))
    version = engine.backend.open("news").version
    path = engine.files / version / "rows" / "tokens.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"\xff")

    assert not engine.backend.check("news", make_rows(FERRY)).checksum_ok


def test_an_open_index_names_the_encoder_of_its_vectors(engine):
    engine.build(make_rows(FERRY))

    assert engine.backend.open("news").model == "svd"


def test_a_reader_keeps_its_version_while_another_is_built(engine):
    engine.build(make_rows(FERRY))
    reader = engine.backend.open("news")
    query = DictionaryQuery("ferry to Sael", None, None, "en", ())
    before = reader.retrieve(query, DictionarySettings()).entries

    engine.build(make_rows(BRIDGE))

    assert reader.retrieve(query, DictionarySettings()).entries == before
    assert engine.backend.open("news").version != reader.version
    assert engine.search("rained") == [4]


def test_a_cancelled_build_leaves_the_current_index(engine):
    engine.build(make_rows(FERRY))
    version = engine.backend.open("news").version

    def cancel(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.build(make_rows(BRIDGE), progress=cancel)

    assert engine.backend.open("news").version == version
    assert len(engine.search("ferry")) == 6
    assert engine.build(make_rows(BRIDGE)).paragraphs == 6


def test_two_builders_are_one_too_many(engine):
    with build_lock(engine.files), pytest.raises(IndexBusy, match="is being built by process"):
        engine.another().build("news", make_rows(FERRY), ENGLISH)


def test_progress_rises_to_its_total(engine):
    calls = []

    engine.build(make_rows(FERRY), progress=lambda done, total: calls.append((done, total)))

    assert calls[-1][0] == calls[-1][1] > 0
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_nobody_has_to_be_helped(engine):
    engine.build(make_rows(FERRY))

    assert engine.backend.help("news", patience=0.01, tick=lambda count: None) == 0


def test_warming_up_changes_no_answer(engine):
    engine.backend.warm()
    engine.build(make_rows(FERRY))
    before = engine.search("ferry")

    engine.backend.warm()
    engine.backend.warm()

    assert engine.search("ferry") == before


def test_a_repeated_paragraph_and_a_wrong_slug_are_refused(engine):
    with pytest.raises(ValueError, match="paragraph 3 comes twice"):
        engine.build([make_row(3), make_row(3)])
    with pytest.raises(ValueError, match=r"'\.\./x'"):
        engine.backend.build("../x", [], ENGLISH)
