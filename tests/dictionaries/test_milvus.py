"""What Milvus alone has: sparse vectors by hand, and what it refuses or loses."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
from fcntl import LOCK_EX, flock
from math import log
from pathlib import Path

import numpy as np
import pytest

from dictionaries.analysis import analyser_for
from dictionaries.backends.base import (
    KEYWORD,
    SEMANTIC,
    DictionaryQuery,
    DictionarySettings,
    IndexNotBuilt,
    IndexSettings,
    IndexUnavailable,
    SearchQuery,
    backend_for,
)
from tests.dictionaries.builders import DAY, build, found, make_rows
from tests.sites import free_port, wait_until

pytest.importorskip("milvus_lite")
from milvus_lite.server_manager import server_manager_instance

from dictionaries.backends.milvus import collection as collections
from dictionaries.backends.milvus import querying
from dictionaries.backends.milvus.collection import Collection, EngineError, connect
from dictionaries.backends.milvus.terms import Statistics, counts_of, dimension, saturated

ROOT = Path(__file__).resolve().parents[2]
ENGLISH = IndexSettings("en", "svd")
TEXTS = [f"Mayor Quist opened the ferry to Sael, time {n}." for n in range(6)]


def lite(folder):
    return backend_for(f"file://{folder}/lite.db", data_dir=folder)


def built(folder, texts=TEXTS):
    backend = lite(folder)
    backend.build("news", make_rows(texts), ENGLISH)
    return backend


def ask(backend, text="Quist in Sael", **settings):
    query = DictionaryQuery(text, None, None, "en")
    return backend.open("news").retrieve(query, DictionarySettings(**settings))


def statistics(**counts):
    """Of 9 paragraphs, 10 words long in the mean; counts by term."""
    known = sorted((dimension(term.replace("__", " ")), n) for term, n in counts.items())
    return Statistics(
        np.array([one for one, _ in known], dtype=np.uint32),
        np.array([n for _, n in known]),
        paragraphs=9,
        mean_length=10.0,
    )


def test_a_text_has_its_forms_and_its_neighbours():
    terms = analyser_for("").terms("Škoda škoda Jean-Luc")

    counts, words = counts_of(terms)

    forms = {"škoda": 2, "skoda": 2, "jean-luc": 1, "jean": 1, "luc": 1}
    pairs = {"škoda škoda": 1, "škoda jean-luc": 1}
    assert counts == {dimension(term): n for term, n in (forms | pairs).items()}
    assert words == {dimension(term) for term in forms}


def test_the_part_of_a_text_is_bm25_without_its_idf():
    values = saturated(np.array([1.0, 3.0]), 20, 10.0)

    # 1.2 * (0.25 + 0.75 * 20 / 10) = 2.1
    assert values.tolist() == pytest.approx([2.2 / 3.1, 6.6 / 5.1])


def test_a_query_weighs_words_and_neighbours_by_hand():
    terms = analyser_for("").terms("Škoda Plzen")
    weights = statistics(škoda=2, skoda=4, plzen=1, škoda__plzen=1).weights(terms)

    plain, exact, other = (log(1 + (9 - n + 0.5) / (n + 0.5)) for n in (4, 2, 1))
    assert weights == pytest.approx(
        {
            dimension("skoda"): plain,
            dimension("škoda"): exact - plain,
            dimension("plzen"): other,
            dimension("škoda plzen"): exact + other,
        }
    )


def test_words_that_no_paragraph_has_weigh_nothing():
    assert statistics(skoda=4).weights(analyser_for("").terms("Plzen")) == {}


def test_dimensions_are_what_milvus_takes():
    assert all(0 < dimension(str(n)) < 2**32 - 1 for n in range(1000))


def test_both_backends_give_the_same_dictionary_of_plain_texts(tmp_path):
    texts = [f"{'Orst' if n % 3 else 'Quist'} of Sael, ferry {n % 7}, year {n}" for n in range(60)]
    rows = make_rows(texts)
    backend = built(tmp_path / "milvus", texts)
    embedded = build(tmp_path / "embedded", rows)
    query = DictionaryQuery("Orst and Quist", 40 * DAY, None, "en", ("Orst", "Quist", "Sael"))

    ours = backend.open("news").retrieve(query, DictionarySettings(k=3, n_pre=20))
    theirs = embedded.open("news").retrieve(query, DictionarySettings(k=3, n_pre=20))

    assert found(ours, SEMANTIC) == found(theirs, SEMANTIC)
    assert found(ours, KEYWORD) == found(theirs, KEYWORD)
    assert ours.excluded == theirs.excluded
    scores = ([entry.score for entry in result.entries] for result in (ours, theirs))
    assert next(scores) == pytest.approx(next(scores), abs=1e-4)


def test_a_word_with_its_accents_comes_before_one_without(tmp_path):
    backend = built(tmp_path, ["Škromach spoke", "Skromach spoke", "it rained"])

    hits = backend.open("news").search(SearchQuery("Škromach", None, 5, language="en"))

    assert [hit.paragraph_id for hit in hits] == [1, 2]


def test_an_answer_that_is_too_short_is_refused(tmp_path):
    backend = built(tmp_path)
    name = backend.open("news").collection.name
    connect(f"file://{tmp_path}/lite.db").delete(name, ids=[3])

    with pytest.raises(IndexUnavailable, match="gave 5 hits where 6 are eligible"):
        ask(backend, n_kw=0)
    with pytest.raises(IndexUnavailable, match="Milvus has 5 of its 6 paragraphs"):
        lite(tmp_path).open("news")
    assert backend.check("news", make_rows(TEXTS)).missing == (3,)


def test_keyword_answers_are_held_against_their_number_as_well(tmp_path, monkeypatch):
    backend = built(tmp_path)
    index = backend.open("news")
    whole = Collection.by_terms

    def short(self, weights, limit, scope):
        hits = whole(self, weights, limit, scope)
        return type(hits)(hits.ids[:-1], hits.scores[:-1], hits.stored[:-1])

    monkeypatch.setattr(Collection, "by_terms", short)

    with pytest.raises(IndexUnavailable, match="gave 5 hits where 6 are eligible"):
        index.search(SearchQuery("ferry", None, 50, language="en"))


@pytest.mark.parametrize("method", [KEYWORD, SEMANTIC])
def test_an_answer_with_what_is_not_eligible_is_refused(tmp_path, monkeypatch, method):
    backend = built(tmp_path)
    monkeypatch.setattr(querying, "scope_of", lambda query: [])
    query = SearchQuery(TEXTS[5], 3 * DAY, 50, language="en")

    with pytest.raises(IndexUnavailable, match="hits that are not eligible"):
        backend.open("news").search(query, method)


def test_a_collection_that_is_gone_is_told_and_built_again(tmp_path):
    backend = built(tmp_path)
    client = connect(f"file://{tmp_path}/lite.db")
    client.drop_collection(backend.open("news").collection.name)

    with pytest.raises(IndexUnavailable, match=r"Milvus has no collection .* --rebuild"):
        lite(tmp_path).open("news")
    backend.build("news", make_rows(TEXTS), ENGLISH)

    assert len(found(ask(lite(tmp_path)), SEMANTIC)) == 4


def test_a_server_that_does_not_answer_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(collections, "SECONDS", 1.0)
    built(tmp_path)
    backend = backend_for("http://127.0.0.1:9", data_dir=tmp_path)

    with pytest.raises(IndexUnavailable, match=r"Milvus says: .*See that Milvus runs"):
        backend.open("news")
    with pytest.raises(IndexNotBuilt, match="The index of news was not built"):
        backend.build("news", make_rows(TEXTS), ENGLISH)
    backend.warm()


def test_a_file_that_another_process_has_is_told(tmp_path):
    built(tmp_path)
    server_manager_instance.release_server(f"{tmp_path}/lite.db")

    with (tmp_path / "lite.db" / "LOCK").open("w") as lock:
        flock(lock, LOCK_EX)
        with pytest.raises(IndexUnavailable, match="One process may have it at a time"):
            lite(tmp_path).open("news")


def test_only_the_collections_of_versions_that_are_left_are_kept(tmp_path):
    backend = built(tmp_path)
    others = lite(tmp_path / "another installation")
    others._clients = backend._clients
    others.build("news", make_rows(TEXTS[:2]), ENGLISH)
    backend.build("old", make_rows(TEXTS[:3]), ENGLISH)
    backend.open("news").close()

    backend.build("news", make_rows(TEXTS), ENGLISH, rebuild=True)

    client = connect(f"file://{tmp_path}/lite.db")
    counts = [client.get_collection_stats(name)["row_count"] for name in client.list_collections()]
    assert sorted(counts) == [2, 3, 6]


def test_milvus_leaves_the_files_of_an_embedded_index_alone(tmp_path):
    embedded = build(tmp_path, make_rows(TEXTS[:3]))
    version = embedded.open("news").version

    built(tmp_path)

    assert embedded.open("news").version == version
    assert embedded.check("news", make_rows(TEXTS[:3])).ok


def test_another_model_means_new_vectors_for_all(tmp_path):
    backend = built(tmp_path)

    report = backend.build("news", make_rows(TEXTS), IndexSettings("en", "use"))

    assert report.added == 6
    assert backend.open("news").encoder().name == "use"


def test_more_hits_than_milvus_gives_are_its_most(tmp_path, monkeypatch):
    backend = built(tmp_path)
    monkeypatch.setattr("dictionaries.backends.milvus.querying.MOST_HITS", 4)

    assert len(backend.open("news").search(SearchQuery("ferry", None, 6), SEMANTIC)) == 4
    assert len(backend.open("news").search(SearchQuery("ferry", None, 6), KEYWORD)) == 4


def test_an_error_of_the_engine_has_its_reason(tmp_path):
    collection = Collection(connect(f"file://{tmp_path}/lite.db"), "nothing", 4)

    with pytest.raises(EngineError, match=r"Milvus says: .*nothing"):
        collection.count()


SLOWLY = """
import sys, time
from pathlib import Path
from dictionaries.backends.base import IndexSettings, backend_for
from dictionaries.backends import encoding
from dictionaries.backends.milvus import building
from tests.dictionaries.builders import make_rows

building.BATCH = encoding.BATCH = encoding.CHUNK = building.INSERTED = 1
folder = Path(sys.argv[1])

def progress(done, total):
    (folder / "trace").write_text(str(done))
    if done == int(sys.argv[2]):
        time.sleep(60)

backend = backend_for(f"file://{folder}/lite.db", data_dir=folder)
backend.build("news", make_rows([f"Text {n}" for n in range(6)]), IndexSettings("en", "svd"),
              progress=progress)
"""


@pytest.mark.processes
@pytest.mark.parametrize("step", [15, 21])  # while it encodes, while it inserts
def test_a_killed_build_leaves_the_old_index_and_is_resumed(tmp_path, step):
    backend = built(tmp_path)
    before = ask(backend).entries
    server_manager_instance.release_server(f"{tmp_path}/lite.db")  # a file has one process
    kill_at(tmp_path, step)

    backend = lite(tmp_path)
    assert ask(backend).entries == before
    report = backend.build("news", make_rows([f"Text {n}" for n in range(6)]), ENGLISH)

    assert report.added < 6
    assert backend.check("news", make_rows([f"Text {n}" for n in range(6)])).ok


def kill_at(folder, step):
    """A build in a process of its own, which is killed in the middle of its work."""
    arguments = [sys.executable, "-c", textwrap.dedent(SLOWLY), str(folder), str(step)]
    process = subprocess.Popen(arguments, cwd=ROOT)
    trace = folder / "trace"
    wait_until(lambda: trace.exists() and trace.read_text() == str(step), what="it builds")
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


ASK = """
import sys
from dictionaries.backends.base import DictionaryQuery, DictionarySettings, backend_for

index = backend_for(sys.argv[1], data_dir=sys.argv[2]).open("news")
query = DictionaryQuery("Quist in Sael", None, None, "en")
print([entry.paragraph_id for entry in index.retrieve(query, DictionarySettings()).entries])
"""


@pytest.mark.processes
def test_several_processes_share_a_server(tmp_path):
    port = free_port()
    command = [sys.executable, "-m", "milvus_lite", "server", "--host", "127.0.0.1"]
    server = subprocess.Popen([*command, "--port", str(port), "--data-dir", str(tmp_path / "db")])
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: answers(port), what="the server listens")
        backend = backend_for(url, data_dir=tmp_path)
        backend.build("news", make_rows(TEXTS), ENGLISH)

        other = [sys.executable, "-c", textwrap.dedent(ASK), url, str(tmp_path)]
        told = subprocess.run(other, cwd=ROOT, capture_output=True, text=True, check=True)

        assert told.stdout.strip() == str([e.paragraph_id for e in ask(backend).entries])
    finally:
        server.kill()
        server.wait()


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
