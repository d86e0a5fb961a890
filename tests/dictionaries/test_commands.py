"""The commands on indexes and dictionaries print one object, and one clear line for mistakes."""

import json

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Article, Paragraph
from tests.dictionaries.corpora import new_corpus, sample_corpus, small_corpus
from tests.factories import make_article

pytestmark = pytest.mark.django_db


def run(capsys, name, *arguments):
    """The printed object."""
    call_command(name, *map(str, arguments), "--json")
    return json.loads(capsys.readouterr().out)


def refusal(capsys, name, *arguments):
    with pytest.raises(CommandError) as refused:
        run(capsys, name, *arguments)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_build_index_says_what_it_did(capsys):
    corpus = new_corpus()
    make_article(corpus, "The bridge is open.")

    printed = run(capsys, "build_index", corpus.slug)

    assert list(printed) == ["paragraphs", "added", "seconds", "bytes"]
    assert (printed["paragraphs"], printed["added"]) == (1, 1)
    assert printed["bytes"] > 0
    assert run(capsys, "build_index", corpus.slug)["added"] == 0


def test_check_index_passes_what_is_up_to_date(capsys):
    corpus = small_corpus("The bridge is open.", "The ferry is gone.")

    printed = run(capsys, "check_index", corpus.slug)

    assert printed["checksum_ok"] is True
    counts = ("paragraphs", "indexed", "missing", "extra")
    assert [printed[name] for name in counts] == [2, 2, 0, 0]


def test_check_index_exits_where_it_is_not(capsys):
    corpus = small_corpus("The bridge is open.")
    make_article(corpus, "Not indexed.", external_id="new")

    assert "build_index" in refusal(capsys, "check_index", corpus.slug)


def test_a_corpus_without_an_index_is_told_so(capsys):
    slug = new_corpus().slug

    assert f"build it with build_index {slug}" in refusal(capsys, "check_index", slug)
    told = refusal(
        capsys, "build_dictionary", slug, "--text", "A text.", "--as-of", "2022-01-01T00:00:00Z"
    )
    assert "has no index yet" in told


@pytest.mark.parametrize("command", ["build_index", "check_index"])
def test_a_corpus_that_is_not_there_is_named_with_those_that_are(capsys, command):
    slug = new_corpus().slug

    told = refusal(capsys, command, "nowhere")

    assert "There is no corpus 'nowhere'" in told
    assert slug in told


def test_build_dictionary_prints_all_that_led_to_it(capsys):
    corpus = sample_corpus()

    printed = run(capsys, "build_dictionary", corpus.slug, "--paragraph", "npa-050_2")

    assert list(printed) == ["as_of", "entities", "seconds", "excluded", "entries"]
    source = Paragraph.objects.get(corpus=corpus, public_id="npa-050_2")
    assert printed["as_of"] == source.published_at.isoformat()
    assert {"keyword", "cluster"} <= set(printed["seconds"])
    assert printed["excluded"]["newer"] > 0
    for entry in printed["entries"]:
        assert list(entry) == [
            "paragraph",
            "article",
            "published_at",
            "method",
            "rank",
            "score",
            "query",
            "text",
        ]
        assert entry["published_at"] < printed["as_of"]
        assert entry["article"] != "npa-050"


def test_a_text_is_judged_as_of_the_given_moment(capsys):
    corpus = sample_corpus()
    arguments = ("build_dictionary", corpus.slug, "--text", "The Norvell bridge is delayed.")

    printed = run(capsys, *arguments, "--as-of", "2022-01-01T00:00:00+01:00")

    assert printed["entries"]
    assert all(entry["published_at"] < "2022" for entry in printed["entries"])


def test_the_same_arguments_print_the_same(capsys):
    corpus = sample_corpus()
    arguments = ("build_dictionary", corpus.slug, "--paragraph", "npa-050_2", "--seed", "3")

    first, second = run(capsys, *arguments), run(capsys, *arguments)

    assert first["entries"] == second["entries"]


def test_a_moment_without_an_offset_is_one_of_the_corpus_zone(capsys):
    corpus = small_corpus("The bridge is open.", time_zone="Asia/Tokyo")

    printed = run(
        capsys, "build_dictionary", corpus.slug, "--text", "A bridge.", "--as-of", "2022-02-01"
    )

    assert printed["as_of"] == "2022-02-01T00:00:00+09:00"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--text", "A text."], "--as-of"),
        (["--text", " ", "--as-of", "2022-01-01"], "--text is empty"),
        (["--text", "A text.", "--as-of", "soon"], "'soon'"),
        (["--paragraph", "none_1"], "no paragraph 'none_1'"),
        (["--paragraph", ""], "no paragraph ''"),
        (["--paragraph", "none_1", "--as-of", "2022-01-01"], "--as-of goes with --text"),
        (["--text", "A text.", "--as-of", "2022-01-01", "--seed", "-1"], "seed"),
        (["--text", "A text.", "--as-of", "0001-01-01T00:00:00+10:00"], "use a year"),
    ],
)
def test_a_mistake_is_one_clear_line(capsys, arguments, told):
    corpus = small_corpus("The bridge is open.")

    assert told in refusal(capsys, "build_dictionary", corpus.slug, *arguments)


def test_an_undated_corpus_takes_no_moment(capsys):
    corpus = small_corpus("The bridge is open.", undated=True)
    arguments = ("build_dictionary", corpus.slug, "--text", "A text.")

    assert "is undated" in refusal(capsys, *arguments, "--as-of", "2022-01-01")
    assert run(capsys, *arguments)["as_of"] is None
    assert "no paragraph" in refusal(capsys, *arguments[:2], "--paragraph", "")


def test_a_title_and_a_table_are_not_found(capsys):
    corpus = sample_corpus()
    tables = set(
        Article.objects.filter(corpus=corpus, is_tabular=True).values_list("external_id", flat=True)
    )

    printed = run(
        capsys,
        *("build_dictionary", corpus.slug, "--text", "First League of Halvern, final table"),
        *("--as-of", "2030-01-01T00:00:00Z"),
    )

    assert tables
    assert not tables & {entry["article"] for entry in printed["entries"]}
    assert not any(entry["paragraph"].endswith("_0") for entry in printed["entries"])
