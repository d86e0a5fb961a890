"""How an index is built, replaced, resumed, checked and refused."""

import os
import re
from pathlib import Path
from threading import Event, Thread

import pytest

import dictionaries.backends.versions
from dictionaries.backends.base import (
    DictionaryQuery,
    DictionarySettings,
    IndexSettings,
    IndexUnavailable,
    backend_for,
)
from dictionaries.backends.embedded import EmbeddedIndex
from tests.dictionaries.builders import build, found, make_row, make_rows

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [f"Story {n} of the {'bridge' if n % 2 else 'ferry'} in town {n % 7}" for n in range(40)]
QUERY = DictionaryQuery("the bridge in town 3", None, None, "en")


def folder_of(data_dir):
    return data_dir / "indexes" / "news"


def versions(data_dir):
    names = (path.name for path in folder_of(data_dir).iterdir())
    return sorted(name for name in names if re.match(r"\d{6}-", name))


def refuse(reason):
    raise IndexUnavailable(reason)


def entries(backend):
    return backend.open("news").retrieve(QUERY, DictionarySettings()).entries


def test_a_missing_index_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(IndexUnavailable, match="no index yet; build it with build_index news"):
        backend_for("", data_dir=tmp_path).open("news")


def test_building_unchanged_rows_does_nothing(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS))
    version = backend.open("news").version

    report = backend.build("news", make_rows(TEXTS), IndexSettings("en", "svd"))

    assert (report.version, report.added, report.paragraphs) == (version, 0, 40)
    assert versions(tmp_path) == [version]


def test_a_forced_rebuild_gives_the_same_dictionaries_under_a_new_version(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS))
    before, version = entries(backend), backend.open("news").version

    report = backend.build("news", make_rows(TEXTS), IndexSettings("en", "svd"), rebuild=True)

    assert report.version != version
    assert report.added == 40
    assert entries(backend) == before


def test_only_new_and_changed_paragraphs_are_encoded(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS))
    changed = [*make_rows(TEXTS)[1:], make_row(1, "Quite another text"), make_row(99)]

    report = backend.build("news", changed, IndexSettings("en", "svd"))

    assert (report.added, report.paragraphs) == (2, 41)
    assert backend.check("news", changed).ok


def test_added_rows_are_found_as_if_all_had_been_built_at_once(tmp_path):
    rows = make_rows(TEXTS)
    backend = build(tmp_path / "steps", rows[:30])
    backend.build("news", rows, IndexSettings("en", "svd"))

    assert backend.open("news").keyword.paragraphs == 40
    assert keyword(backend) == keyword(build(tmp_path / "at once", rows))


def keyword(backend):
    return [entry for entry in entries(backend) if entry.method == "keyword"]


def test_removed_rows_are_gone_from_both_parts(tmp_path):
    rows = make_rows(TEXTS)
    backend = build(tmp_path, rows)

    backend.build("news", rows[:5], IndexSettings("en", "svd"))

    index = backend.open("news")
    assert index.keyword.paragraphs == index.paragraphs == 5


def test_a_late_article_with_an_old_date_is_found_as_older(tmp_path):
    rows = make_rows(TEXTS)
    backend = build(tmp_path, rows[10:])
    backend.build("news", rows, IndexSettings("en", "svd"))

    query = DictionaryQuery("bridge in town", rows[4].available_at, None, "en")
    result = backend.open("news").retrieve(query, DictionarySettings())

    assert set(found(result, "semantic")) == {1, 2, 3, 4}


def test_another_model_means_new_vectors_for_all(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS[:8]))

    report = backend.build("news", make_rows(TEXTS[:8]), IndexSettings("en", "use"))

    assert report.added == 8
    assert backend.open("news").encoder().name == "use"


def test_readers_keep_the_old_version_until_they_close(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS))
    reader = EmbeddedIndex(folder_of(tmp_path))
    before = reader.retrieve(QUERY, DictionarySettings()).entries

    rebuild(backend)
    assert reader.version in versions(tmp_path)
    assert reader.retrieve(QUERY, DictionarySettings()).entries == before
    reader.close()
    rebuild(backend)

    assert reader.version not in versions(tmp_path)


def rebuild(backend):
    backend.build("news", make_rows(TEXTS), IndexSettings("en", "svd"), rebuild=True)


def test_readers_never_meet_half_an_index_while_it_is_swapped(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS))
    expected, stop, failures = entries(backend), Event(), []

    def read():
        while not stop.is_set():
            index = EmbeddedIndex(folder_of(tmp_path))
            if index.retrieve(QUERY, DictionarySettings()).entries != expected:
                failures.append(index.version)
            index.close()

    reader = Thread(target=read)
    reader.start()
    for _ in range(4):
        rebuild(backend)
    stop.set()
    reader.join()

    assert failures == []


def test_a_cancelled_build_leaves_the_current_index_and_is_resumed(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS))
    version = backend.open("news").version
    more = make_rows([*TEXTS, *(f"{text} again" for text in TEXTS)])

    def cancel(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backend.build("news", more, IndexSettings("en", "svd"), progress=cancel)

    assert backend.open("news").version == version
    assert backend.build("news", more, IndexSettings("en", "svd")).paragraphs == 80


def test_progress_rises_to_its_total(tmp_path):
    calls = []

    build(tmp_path, make_rows(TEXTS), progress=lambda done, total: calls.append((done, total)))

    assert calls[-1] == (80, 80)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_a_repeated_paragraph_is_refused(tmp_path):
    with pytest.raises(ValueError, match="paragraph 3 comes twice"):
        build(tmp_path, [make_row(3), make_row(3)])


def test_a_slug_that_leaves_the_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"'\.\./x'"):
        build(tmp_path, [], corpus="../x")


def damage(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


PARTS = ["semantic/vectors.npy", "semantic/codes.npy", "rows/paragraph.npy", "encoder/ngrams.npz"]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (Path.unlink, "is missing"),
        (lambda path: os.truncate(path, 20), "20 bytes instead of"),
    ],
)
def test_a_half_index_is_refused_with_the_file_and_the_remedy(tmp_path, part, harm, message):
    backend = build(tmp_path, make_rows(TEXTS))
    harm(folder_of(tmp_path) / versions(tmp_path)[0] / part)

    with pytest.raises(IndexUnavailable, match=f"{part} .*{message}.*--rebuild"):
        backend.open("news")


@pytest.mark.parametrize("part", [*PARTS, "*.term"])
def test_a_damaged_file_is_refused_once_it_was_verified(tmp_path, part):
    backend = build(tmp_path, make_rows(TEXTS))
    damage(next((folder_of(tmp_path) / versions(tmp_path)[0]).rglob(part)))

    backend.warm()

    with pytest.raises(IndexUnavailable, match=r"checksum differs.*--rebuild"):
        backend.open("news")


def test_opening_reads_no_file_through(tmp_path, monkeypatch):
    backend = build(tmp_path, make_rows(TEXTS))
    monkeypatch.setattr(dictionaries.backends.versions, "sha256", None)

    assert entries(backend)


def test_each_version_is_warmed_up_once(tmp_path, monkeypatch):
    backend, warmed = build(tmp_path, make_rows(TEXTS)), []
    monkeypatch.setattr(EmbeddedIndex, "verify", lambda index: warmed.append(index.version))

    backend.warm()
    backend.warm()
    rebuild(backend)
    backend.warm()

    assert warmed == [warmed[0], backend.open("news").version]
    assert len(set(warmed)) == 2


def test_an_index_whose_model_is_away_for_now_is_served_all_the_same(tmp_path, monkeypatch):
    backend = build(tmp_path, make_rows(TEXTS))
    with monkeypatch.context() as away:
        away.setattr(EmbeddedIndex, "warm", lambda index: refuse("the model is away"))
        backend.warm()

    assert entries(backend)


def test_an_index_of_other_rules_is_refused_until_it_is_built_anew(tmp_path, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr("dictionaries.analysis.VERSION", "before")
        build(tmp_path, make_rows(TEXTS))
    backend = backend_for("", data_dir=tmp_path)

    with pytest.raises(IndexUnavailable, match=r"rules of another version.*--rebuild"):
        backend.open("news")

    backend.build("news", make_rows(TEXTS), IndexSettings("en", "svd"))
    assert entries(backend)


def test_a_harmed_version_is_not_carried_on_when_paragraphs_are_added(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS))
    damage(folder_of(tmp_path) / versions(tmp_path)[0] / "semantic/vectors.npy")

    backend.build("news", make_rows([*TEXTS, "A new story"]), IndexSettings("en", "svd"))
    backend.warm()

    assert backend.open("news").paragraphs == 41


def test_a_rebuilt_index_is_served_after_a_harmed_one(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS))
    damage(folder_of(tmp_path) / versions(tmp_path)[0] / "semantic/vectors.npy")
    backend.warm()

    rebuild(backend)
    backend.warm()

    assert len(entries(backend)) > 0


def test_an_index_that_cannot_be_opened_does_not_keep_others_from_being_warmed(tmp_path):
    build(tmp_path, make_rows(TEXTS), corpus="aged")
    (tmp_path / "indexes" / "aged" / "CURRENT").write_text("nonsense")
    backend = build(tmp_path, make_rows(TEXTS))
    damage(folder_of(tmp_path) / versions(tmp_path)[0] / "semantic/vectors.npy")

    backend.warm()

    with pytest.raises(IndexUnavailable, match="checksum differs"):
        backend.open("news")


@pytest.mark.parametrize("name", ["CURRENT", "manifest.json"])
def test_a_scrambled_pointer_or_manifest_is_refused(tmp_path, name):
    backend = build(tmp_path, make_rows(TEXTS))
    place = folder_of(tmp_path) / ("" if name == "CURRENT" else versions(tmp_path)[0]) / name
    place.write_text("{ nonsense")

    with pytest.raises(IndexUnavailable, match="build it again"):
        backend.open("news")


def test_a_harmed_index_is_built_anew(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS))
    damage(folder_of(tmp_path) / versions(tmp_path)[0] / "semantic/vectors.npy")

    report = backend.build("news", make_rows(TEXTS), IndexSettings("en", "svd"))

    assert report.added == 40
    assert backend.open("news").paragraphs == 40


def test_a_check_names_what_is_missing_extra_and_changed(tmp_path):
    rows = make_rows(TEXTS)
    backend = build(tmp_path, rows)

    check = backend.check("news", [*rows[2:], make_row(2, TEXTS[1], at=7), make_row(77)])

    assert (check.missing, check.extra, check.changed) == ((77,), (1,), (2,))
    assert check.checksum_ok
    assert not check.ok


def test_a_check_sees_damage_that_opening_would_refuse(tmp_path):
    backend = build(tmp_path, make_rows(TEXTS))
    damage(folder_of(tmp_path) / versions(tmp_path)[0] / "semantic/vectors.npy")

    assert not backend.check("news", make_rows(TEXTS)).checksum_ok
