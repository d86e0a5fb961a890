"""What an import refuses: one line for each mistake, and nothing stored."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Campaign, Claim, Wave
from tests.datasets.importing import import_lines, line, make_target, run
from tests.datasets.reading import write_lines
from tests.factories import make_claim, make_corpus, make_wave

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return make_target()


def refused(campaign, *files, **options):
    """What the command says of files that it does not import: the report, and the last line."""
    out, slug = StringIO(), getattr(campaign, "slug", campaign)
    options = {"format": "ctkfacts", "json": True, **options}
    with pytest.raises(CommandError) as error:
        call_command("import_dataset", slug, *map(str, files), stdout=out, stderr=StringIO(),
                     **options)  # fmt: skip
    return json.loads(out.getvalue() or "null"), str(error.value)


@pytest.mark.parametrize("dry_run", [True, False])
def test_broken_lines_are_all_named_and_nothing_is_stored(campaign, tmp_path, dry_run):
    path = write_lines(tmp_path, line(1), '{"id": 2,', line(3), line(4, evidence="x"))

    report, reason = refused(campaign, path, dry_run=dry_run)

    assert reason == "Nothing was stored: 2 lines cannot be used."
    places = [(e["file"], e["line"], e["column"]) for e in report["errors"]]
    assert places == [("claims.jsonl", 2, 10), ("claims.jsonl", 4, 53)]
    assert report["errors"][1]["reason"] == "evidence is 'x'; it is a list"
    assert '"evidence": "x"' in report["errors"][1]["excerpt"]
    assert not Claim.objects.exists()
    assert not Wave.objects.exists()


def test_a_new_campaign_is_not_made_where_nothing_is_stored(tmp_path):
    refused("new", write_lines(tmp_path, "{"), language="en")

    assert not Campaign.objects.exists()


@pytest.mark.parametrize("content", ["", "\n\n", '{"id": "", "claim": ""}\n'])
def test_files_without_a_claim_make_no_campaign_and_no_wave(tmp_path, content):
    path = tmp_path / "empty.jsonl"
    path.write_text(content)

    report, _ = refused("new", path, language="en")

    (error,) = report["errors"]
    assert (error["file"], error["reason"]) == ("empty.jsonl", "there is no claim in it")
    assert not Campaign.objects.exists()
    assert not Wave.objects.exists()


def test_an_empty_file_beside_another_is_no_mistake(campaign, tmp_path):
    empty = tmp_path / "test.jsonl"
    empty.touch()

    run(campaign, write_lines(tmp_path, line(1)), empty)

    assert Claim.objects.count() == 1


def test_a_file_that_is_given_twice_is_refused(campaign, tmp_path):
    path = write_lines(tmp_path, line(1))

    _, reason = refused(campaign, path, tmp_path / "." / path.name)

    assert reason == f"{path} is given twice."
    assert not Claim.objects.exists()


def test_an_id_that_another_claim_has_is_refused(campaign, tmp_path):
    import_lines(tmp_path, campaign, line(7, text="It opened."))

    report, _ = refused(campaign, write_lines(tmp_path, line(7, text="It closed.")))

    (error,) = report["errors"]
    assert error["reason"] == "the id 7 belongs to another claim of the campaign: It opened."
    assert error["excerpt"] == "It closed."


def test_the_number_of_a_claim_that_was_written_here_is_refused(campaign, tmp_path):
    claim = make_claim(make_wave(campaign), "It opened.")

    report, _ = refused(campaign, write_lines(tmp_path, line(claim.number, text="It opened.")))

    assert "belongs to another claim: It opened." in report["errors"][0]["reason"]


def test_an_id_at_two_texts_of_one_file_is_refused(campaign, tmp_path):
    path = write_lines(tmp_path, line(7, text="It opened."), line(7, text="It closed."))

    report, _ = refused(campaign, path)

    assert [e["line"] for e in report["errors"]] == [2]
    assert report["errors"][0]["reason"] == "the id 7 stood at another claim before"


def test_a_wave_for_work_takes_no_import(campaign, tmp_path):
    make_wave(campaign, name="First wave")

    _, reason = refused(campaign, write_lines(tmp_path, line(7)), wave="First wave")

    assert reason == "The wave “First wave” is for work; give the import another name."


def test_a_language_is_needed_without_a_corpus(tmp_path):
    _, reason = refused("new", write_lines(tmp_path, line(7)))

    assert "in which language" in reason


def test_a_campaign_keeps_its_corpus(campaign, tmp_path):
    make_corpus(slug="other")

    _, reason = refused(campaign, write_lines(tmp_path, line(7)), corpus="other")

    assert "leave the corpus out" in reason


def test_a_corpus_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match="There is no corpus 'none'"):
        run("new", write_lines(tmp_path, line(7)), corpus="none")


def test_a_file_that_is_not_there_is_named(campaign, tmp_path):
    report, _ = refused(campaign, tmp_path / "none.jsonl")

    assert report["errors"][0]["reason"] == "the file cannot be read: no such file or directory"


def test_the_command_says_in_words_what_it_met(campaign, tmp_path):
    out, err = StringIO(), StringIO()
    path = write_lines(tmp_path, line(7, "NOT ENOUGH INFO", ["lost_1"]))
    arguments = ("import_dataset", "spring", str(path), "--format", "ctkfacts")

    call_command(*arguments, stdout=out, stderr=err)

    assert out.getvalue() == (
        "claims_new 1, claims_same 0, annotations 1, evidence_linked 0, evidence_unresolved 1, "
        "sources_unresolved 0, nei_with_evidence 1.\n"
    )
    assert "claims.jsonl:1: lost_1 is not in the corpus" in err.getvalue()
    out.seek(0)
    call_command(*arguments, stdout=out, stderr=err)
    assert out.getvalue().endswith("nei_with_evidence 1. Nothing changes.\n")
