"""A dataset becomes one of another language: what is kept, what is lost at which step."""

import gzip
import hashlib
import json

import pytest
from django.core.management import CommandError

from datasets.localising.claims import Item
from datasets.localising.mapping import by_abstracts
from datasets.localising.titles import normalised, page_of, read_titles
from tests.datasets.importing import run as import_dataset
from tests.datasets.localising import (
    DATASET,
    FILM,
    TITLES,
    N,
    R,
    S,
    line,
    lines_of,
    localise,
    titles_file,
    translations_file,
)
from tests.datasets.localising import run as localise_files
from tests.datasets.test_round_trips import exported
from tests.factories import make_campaign
from tests.shared import shared_data


def test_each_step_says_what_is_left_and_what_was_lost(tmp_path):
    report = localise(tmp_path)

    left = {step["step"]: (*step["claims"].values(), step["sets"]) for step in report["steps"]}
    assert left == {
        "read": (3, 3, 2, 9),
        "abstracts": (3, 3, 2, 8),  # claim 1 cites the film twice by itself
        "covered": (3, 3, 2, 6),  # two sets cite the castle
        "merged": (3, 3, 2, 5),  # river and stream are one page now
        "evidence": (3, 1, 2, 5),
        "translated": (3, 0, 1, 4),
        "split": (3, 0, 1, 4),
    }
    assert report["steps"][4]["lost_claims"] == {S: 0, R: 2, N: 0}
    assert [step["lost_sets"] for step in report["steps"]] == [0, 1, 2, 1, 0, 1, 0]
    assert report["lost"] == {
        "without_evidence": 1, "evidence_lost": 1, "no_translation": 1, "empty_translation": 1,
        "label_balance": 0,
    }  # fmt: skip
    assert report["missing_titles"] == {
        "titles": 1, "commonest": [{"title": "Castle", "claims": 2}],
    }  # fmt: skip
    assert report["translations"] == {"by": "file", "rows": 8, "duplicates": 0, "unused": 1}


def test_a_claim_keeps_its_original_and_each_page_its_first_ids_and_old_title(tmp_path):
    localise(tmp_path)

    first, third, fourth, fifth = lines_of(tmp_path / "out" / "all.jsonl")
    film = "Jídlo_-LRB-film-RRB-"
    assert first == {
        "id": 1, "verifiable": "VERIFIABLE", "label": S, "claim": "Tvrzení 1.",
        "evidence": [[[101, 1101, film, 1, FILM]],
                     [[103, 1103, film, 1, FILM], [104, 1104, "Most", 1, "Bridge"]]],
        "claim_en": "Claim 1.",
    }  # fmt: skip
    assert third["evidence"] == [[[303, 1303, "Most", 1, "Bridge"]]]
    assert (fourth["label"], fourth["evidence"]) == (N, [])
    assert fifth["evidence"] == [[[501, 1501, "Řeka", 1, "River"]]]


def test_pages_can_be_named_as_the_table_does(tmp_path):
    localise(tmp_path, pages="given")

    first, *_ = lines_of(tmp_path / "out" / "all.jsonl")
    assert first["evidence"][0][0][2] == "Jídlo (film)"


@pytest.mark.parametrize(
    ("title", "same"),
    [("Soul_Food_-LRB-film-RRB-", "Soul Food (film)"), ("soul  Food", "Soul Food"),
     ("2001-COLON-_A_Space", "2001: A Space"), ("Café", "Café"),
     ("List_-LSB-a-RSB-", "List [a]")],
)  # fmt: skip
def test_titles_are_compared_without_their_spelling(title, same):
    assert normalised(title) == normalised(same)


@pytest.mark.parametrize(
    ("name", "text"), [("titles.csv", "source,target\n"), ("titles.jsonl", "\n")]
)
def test_a_table_without_rows_is_refused_in_each_form(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)

    with pytest.raises(CommandError) as refusal:
        localise(tmp_path, titles=path)

    assert str(refusal.value) == f"{name}: the table has no rows"


def test_whoever_waits_is_told_of_each_thousand_rows(tmp_path):
    path, told = titles_file(tmp_path, *((f"Page {n}", f"Strana {n}") for n in range(2001))), []

    read_titles(path, lambda step, done: told.append((step, done)))

    assert told == [("rows", 1000), ("rows", 2000)]


@pytest.mark.parametrize("bracket", ["(", ")", "[", "]", "{", "}", ":"])
def test_what_fever_escapes_is_written_as_it_is_read(bracket):
    page = page_of(f"Most {bracket}", "fever")

    assert (page[:6], page[-1]) == ("Most_-", "-")
    assert normalised(page) == f"Most {bracket}"


@pytest.mark.parametrize("title", ["Most (film)", "Most_-LRB-film-RRB-", "Most_(film)"])
def test_a_page_is_escaped_once(title):
    assert page_of(title, "fever") == "Most_-LRB-film-RRB-"


def test_equal_sets_are_one_whatever_their_order():
    first, second = Item((1, 1), "A"), Item((2, 2), "B")

    assert by_abstracts(((first, second), (second, first))) == ((first, second),)


def test_a_title_with_two_targets_is_none_and_repeats_are_counted(tmp_path):
    rows = [*TITLES, ("Bridge", "Lávka"), ("bridge", "Most"), ("River", "Řeka"), ("Hill", "")]

    report = localise(tmp_path, titles=rows)

    assert report["titles"] == {
        "rows": 8, "usable": 3, "duplicates": 2, "without_target": 1, "shared_targets": 1,
        "ambiguous": 1, "ambiguous_titles": [{"title": "Bridge", "targets": ["Lávka", "Most"]}],
    }  # fmt: skip
    commonest = report["missing_titles"]["commonest"]
    assert commonest == [{"title": "Bridge", "claims": 3}, {"title": "Castle", "claims": 2}]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "tsv.gz"])
def test_a_table_is_read_in_each_form(tmp_path, kind):
    path = tmp_path / f"titles.{kind}"
    if kind == "csv":
        path.write_text("source,target\n" + "".join(f'"{s}","{t}"\n' for s, t in TITLES))
    elif kind == "jsonl":
        path.write_text("".join(json.dumps({"source": s, "target": t}) + "\n" for s, t in TITLES))
    else:
        path.write_bytes(gzip.compress(titles_file(tmp_path, *TITLES).read_bytes()))

    report = localise(tmp_path, titles=path)

    assert report["steps"][-1]["sets"] == 4


def test_quotes_in_a_tsv_are_letters_of_the_title(tmp_path):
    report = localise(
        tmp_path, line(1, S, [('"Heroes"_-LRB-album-RRB-', 0)]), titles=[('"Heroes" (album)', "H")]
    )

    assert report["steps"][-1]["sets"] == 1


def test_the_same_claims_give_the_same_bytes_in_whatever_order(tmp_path):
    options = {"split": "train=0.5,dev=0.5", "group": "none", "balance": "", "seed": 3}
    texts = {n: f"Tvrzení {n}." for n in range(9)}

    localise(tmp_path, texts=texts, output="first", **options)
    localise(tmp_path, *reversed(DATASET), texts=texts, output="second", **options)

    for name in ("train.jsonl", "dev.jsonl", "manifest.json"):
        first, second = (tmp_path / folder / name for folder in ("first", "second"))
        assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"titles": [("", "Most")]}, "titles.tsv:2:1: there is no source title"),
        ({"titles": [("Bridge", "Most\tagain")]}, "has 3 fields where the header has 2"),
        ({"texts": {1: 5}}, "translations.jsonl:1:11: the claim is 5; write it as text"),
        ({"translator": "nowhere.translate"}, "either a file of translations or a translator"),
        ({"texts": None}, "either a file of translations or a translator"),
        ({"split": "train=2"}, "add up to 2, not to the 4 records"),
        ({"split": "../train=rest"}, "cannot name a file"),
        ({"split": "train=0.5,dev=0.5", "balance": "test"}, "There is no split “test”"),
        ({"texts": {99: "X."}}, "No claim is left to write: without_evidence 1, evidence_lost 1"),
        ({"titles": []}, "titles.tsv: the table has no rows"),
        ({"texts": {}}, "translations.jsonl: the table has no rows"),
    ],
)
def test_what_cannot_be_used_is_named_and_nothing_is_written(tmp_path, broken, reason):
    with pytest.raises(CommandError) as refusal:
        localise(tmp_path, **broken)

    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"id": 1, "claim": "A.", "label": S, "evidence": [[["x"]]]}, "has four values"),
        ({"id": 1, "claim": "A."}, "there is no label"),
        ({"id": 1, "label": S, "evidence": []}, "there is no claim"),
        (line(3, S), "the id 3 stands twice"),
        (line(9, S, [("\ud83d", 0)]), "a page holds half of a surrogate pair"),
        ("{", "no JSON"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path, wrong, reason):
    with pytest.raises(CommandError, match=r"^train\.jsonl:9:\d+: ") as refusal:
        localise(tmp_path, *DATASET, wrong)

    assert reason in str(refusal.value)


def test_columns_of_other_names_are_told_once(tmp_path):
    path = tmp_path / "titles.csv"
    path.write_text("en,cs\nBridge,Most\nRiver,Reka\n")

    with pytest.raises(CommandError) as refusal:
        localise(tmp_path, titles=path)

    known = "'source', 'source_title', 'target', 'target_title'"
    reason = f"titles.csv:2:1: the columns are 'en', 'cs'; name them as {known}: Bridge,Most"
    assert str(refusal.value) == reason


def test_an_id_has_one_translation(tmp_path):
    path = translations_file(tmp_path, {1: "Jedna."})
    with path.open("a", encoding="utf-8") as file:
        file.write('{"id": "1", "claim": "Jedna."}\n{"id": 1, "claim": "Dvě."}\n')

    with pytest.raises(CommandError, match=r"^translations\.jsonl:3:2: the claim 1 has another"):
        localise(tmp_path, texts=path)


# A translator that is plugged in


def shout(texts):
    return [text.upper() for text in texts]


def too_few(texts):
    return texts[1:]


def fails(texts):
    raise OSError("no network")


def gives_none(texts):
    return [None for _ in texts]


HERE = "tests.datasets.test_localising"


def test_a_translator_is_asked_for_what_keeps_its_evidence(tmp_path, settings):
    settings.TRANSLATOR = f"{HERE}.shout"

    report = localise(tmp_path, texts=None)

    assert [each["claim"] for each in lines_of(tmp_path / "out" / "all.jsonl")] == [
        "CLAIM 1.", "CLAIM 3.", "CLAIM 4.", "CLAIM 5.", "CLAIM 7.", "CLAIM 8.",
    ]  # fmt: skip
    assert report["translations"]["by"] == "translator"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (f"{HERE}.too_few", "The translator gave 5 for 6 claims; it gives one text for each."),
        (f"{HERE}.fails", "The translator failed: OSError: no network"),
        (f"{HERE}.gives_none", "The translator gave None; it gives texts."),
        (f"{HERE}.HERE", "The translator tests.datasets.test_localising.HERE is no function."),
        (f"{HERE}.nothing", "cannot be loaded: AttributeError"),
        ("nowhere.at_all", "cannot be loaded: ModuleNotFoundError"),
        ("translate", "The translator is 'translate'; write it as module.function."),
    ],
)
def test_a_translator_that_does_not_translate_is_named(tmp_path, path, reason):
    with pytest.raises(CommandError) as refusal:
        localise(tmp_path, texts=None, translator=path)

    assert reason in str(refusal.value)


# The real file


def is_covered(title):
    return hashlib.sha256(normalised(title).encode()).digest()[0] % 2 == 0


@pytest.mark.django_db
def test_fever_is_localised_imported_and_exported_again(tmp_path):
    """Made-up titles cover every other page; the counts follow from the file itself."""
    path = shared_data("fever", "paper_dev_1-5000.jsonl.gz")
    claims = [json.loads(text) for text in gzip.decompress(path.read_bytes()).splitlines()]
    pages = {item[2] for each in claims for group in each["evidence"] for item in group} - {None}
    titles = titles_file(tmp_path, *sorted((p, f"cs {p}") for p in pages if is_covered(p)))
    texts = translations_file(tmp_path, {each["id"]: f"cs {each['claim']}" for each in claims})

    report = localise_files(path, titles=titles, translations=texts, output=tmp_path / "out")

    kept = {each["id"]: sets_of(each) for each in claims if each["label"] == N or sets_of(each)}
    written = lines_of(tmp_path / "out" / "all.jsonl")
    assert {each["id"]: sets_written(each) for each in written} == kept
    assert sum(report["steps"][-1]["claims"].values()) == len(kept)
    assert report["steps"][0]["claims"] == {
        label: sum(each["label"] == label for each in claims) for label in (S, R, N)
    }
    assert report["lost"]["evidence_lost"] == len(claims) - len(kept)

    campaign = make_campaign()
    imported = import_dataset(
        campaign, tmp_path / "out" / "all.jsonl", format="csfever", language="cs"
    )
    again = exported(campaign, tmp_path / "again", "csfever")

    assert (imported["claims_new"], imported["errors"]) == (len(kept), [])
    assert again.read_bytes() == (tmp_path / "out" / "all.jsonl").read_bytes()


def sets_of(claim):
    """What is to be left of a claim's evidence, told in another way."""
    if claim["label"] == N:
        return set()
    groups = (frozenset(item[2] for item in group) for group in claim["evidence"])
    return {group for group in groups if all(map(is_covered, group))}


def sets_written(claim):
    for group in claim["evidence"]:
        assert all(item[3] == 1 and normalised(item[2]) for item in group)
        assert len({item[4] for item in group}) == len(group)
    return {frozenset(item[4] for item in group) for group in claim["evidence"]}
