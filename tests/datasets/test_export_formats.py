"""Exports in the formats of others: exact lines, what has no room in them, and the way back."""

import csv
import json

import pytest
from django.core.exceptions import ValidationError

from annotation.models import WaveItem
from datasets.downloads import file_answer
from datasets.exporting import export_to
from datasets.folders import names_in
from datasets.options import FORMATS, ExportOptions
from tests.corpus.test_readers_pages import PAGE
from tests.datasets.builders import label, make_export, make_item_of
from tests.datasets.importing import import_lines, line, make_target, run
from tests.datasets.test_importing_linked import corpus_of, feverous
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_wave,
    paragraph_of,
)

pytestmark = pytest.mark.django_db
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"


def export(campaign, folder, format, **options):
    return export_to(folder, campaign=campaign, options=ExportOptions(format=format, **options))


def lines_of(folder, name="all.jsonl"):
    return [json.loads(each) for each in (folder / name).read_text().splitlines()]


@pytest.fixture
def campaign():
    """Two claims of a corpus that may be published: a verdict with two sets, and none."""
    campaign = make_target(publishes_text=True)
    wave = make_wave(campaign)
    article = campaign.corpus.articles.get(external_id="a")
    first, second = paragraph_of(article, 1), paragraph_of(article, 2)
    claim = make_claim(wave, "Most se otevřel.", source=first)
    label(make_item_of(claim, wave), "ben", S, [first, second], [second])
    label(make_item_of(make_claim(wave, "It is red.", source=first, parent=claim), wave), "ben", N)
    return campaign


def test_claims_are_lines_and_rows_without_evidence(campaign, tmp_path):
    export(campaign, tmp_path / "lines", "claims")
    manifest = export(campaign, tmp_path / "rows", "claims_csv")

    assert (tmp_path / "lines/all.jsonl").read_text() == (
        '{"id": 1, "claim": "Most se otevřel.", "label": "SUPPORTS", "source": "a_1", '
        '"mutated_from": null}\n'
        '{"id": 2, "claim": "It is red.", "label": "NOT ENOUGH INFO", "source": "a_1", '
        '"mutated_from": 1}\n'
    )
    assert (tmp_path / "rows/all.csv").read_text() == (
        "id,claim,label,source,mutated_from\n"
        "1,Most se otevřel.,SUPPORTS,a_1,\n"
        "2,It is red.,NOT ENOUGH INFO,a_1,1\n"
    )
    assert [(each["name"], each["lines"]) for each in manifest["files"]] == [("all.csv", 2)]


@pytest.mark.parametrize(
    ("format", "name", "kind"),
    [
        ("claims_csv", "all.csv", "text/csv"),
        ("beir", "qrels/all.tsv", "text/tab-separated-values"),
        ("beir", "corpus.jsonl", "application/x-ndjson"),
    ],
)
def test_files_are_downloaded_as_what_they_are(campaign, settings, tmp_path, format, name, kind):
    settings.DATA_DIR = tmp_path
    answer = file_answer(make_export(campaign, format=format), name)

    assert answer["Content-Type"] == kind
    assert f'-{name.replace("/", "-")}"' in answer["Content-Disposition"]
    answer.close()


def test_a_row_stays_one_line_and_has_its_shares(campaign, tmp_path):
    campaign.claims.filter(number=1).update(text='It "cost",\nthey say.')

    export(campaign, tmp_path / "out", "claims_csv", ties="soft")

    with (tmp_path / "out/all.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][-3:] == [S, R, N]
    assert rows[1] == ["1", 'It "cost", they say.', S, "a_1", "", "1.0", "0.0", "0.0"]


def test_ctkfacts_in_fever_form_counts_its_items(campaign, tmp_path):
    export(campaign, tmp_path / "out", "ctkfacts_fever")

    assert (tmp_path / "out/all.jsonl").read_text().splitlines()[0] == (
        '{"id": 1, "label": "SUPPORTS", "claim": "Most se otevřel.", "evidence": '
        '[[[1001, 1001, "a_1", 0], [1002, 1002, "a_2", 0]], [[1003, 1003, "a_2", 0]]], '
        '"source": "a_1", "mutated_from": null, "verifiable": "VERIFIABLE"}'
    )


def test_csfever_keeps_the_english_claim_and_the_titles(tmp_path):
    campaign = make_target()
    claim = {"id": 5, "verifiable": "VERIFIABLE", "label": S, "claim": "Most je dlouhý.",
             "evidence": [[[71, 72, "b", 1, "The_Bridge"]], [[71, 73, "x", 4, "X"]]],
             "claim_en": "The bridge is long."}  # fmt: skip
    nobody = {"id": 6, "verifiable": "NOT VERIFIABLE", "label": N, "claim": "Most je červený.",
              "evidence": [], "claim_en": "The bridge is red."}  # fmt: skip
    import_lines(tmp_path, campaign, claim, nobody, format="csfever")

    export(campaign, tmp_path / "out", "csfever")

    assert lines_of(tmp_path / "out") == [claim, nobody]
    assert "dlouhý" in (tmp_path / "out/all.jsonl").read_text()


def test_feverous_comes_back_with_context_and_challenge(tmp_path):
    campaign = corpus_of(tmp_path, "feverous", PAGE)
    page = PAGE["title"]
    claim = feverous(f"{page}_cell_0_1_1", f"{page}_sentence_1", "Other_page_sentence_4")
    claim["evidence"][0]["context"] = {f"{page}_cell_0_1_1": [f"{page}_title"]}
    claim["annotator_operations"] = [{"operation": "start", "value": "start", "time": "0"}]
    import_lines(tmp_path, campaign, claim, format="feverous")

    export(campaign, tmp_path / "out", "feverous")

    assert lines_of(tmp_path / "out") == [claim]


def test_feverous_has_room_for_three_sets_and_takes_the_smallest(tmp_path):
    campaign = corpus_of(tmp_path, "feverous", PAGE)
    page = PAGE["title"]
    sets = [["sentence_0", "sentence_1"], ["cell_0_1_1"], ["table_caption_0"], ["item_0_0"]]
    claim = feverous()
    claim["evidence"] = [
        {"content": [f"{page}_{part}" for part in each], "context": {}} for each in sets
    ]
    import_lines(tmp_path, campaign, claim, format="feverous")

    manifest = export(campaign, tmp_path / "out", "feverous")

    (told,) = lines_of(tmp_path / "out")
    assert [each["content"] for each in told["evidence"]] == [
        [f"{page}_cell_0_1_1"], [f"{page}_table_caption_0"], [f"{page}_item_0_0"]
    ]  # fmt: skip
    assert manifest["left_out"]["sets_too_many"] == 1


CELLS = {"doc_id": 11, "title": "On cells", "abstract": ["One.", "Two.", "Three."]}
MICE = {"doc_id": 12, "title": "On mice", "abstract": ["Four."]}
ABSTRACTS = [{**each, "structured": False} for each in (CELLS, MICE)]


def scifact_campaign(folder, *claims, **corpus):
    campaign = corpus_of(folder, "scifact", *ABSTRACTS)
    for name, value in corpus.items():
        setattr(campaign.corpus, name, value)
    campaign.corpus.save()
    import_lines(folder, campaign, *claims, format="scifact")
    return campaign


def rationale(given, *sentences):
    return {"sentences": list(sentences), "label": given}


def test_scifact_comes_back_with_its_abstracts(tmp_path):
    claims = [
        {"id": 1, "claim": "Cells grow.", "cited_doc_ids": [12, 11], "evidence":
            {"11": [rationale("SUPPORT", 0, 2), rationale("SUPPORT", 1)]}},
        {"id": 2, "claim": "Mice fly.", "cited_doc_ids": [12], "evidence":
            {"12": [rationale("CONTRADICT", 0)]}},
        {"id": 3, "claim": "Cells sing.", "cited_doc_ids": [11], "evidence": {}},
    ]  # fmt: skip
    campaign = scifact_campaign(tmp_path, *claims, publishes_text=True)

    manifest = export(campaign, tmp_path / "out", "scifact")

    assert lines_of(tmp_path / "out") == claims
    assert lines_of(tmp_path / "out", "corpus.jsonl") == ABSTRACTS
    assert manifest["counts"]["lines"] == 3


def test_scifact_has_disjoint_rationales_and_no_corpus_of_others(tmp_path):
    sets = [rationale("SUPPORT", 0, 1), rationale("SUPPORT", 1), rationale("SUPPORT", 2)]
    claim = {"id": 1, "claim": "Cells grow.", "cited_doc_ids": [11], "evidence": {"11": sets}}
    campaign = scifact_campaign(tmp_path, claim, publishes_text=False)

    manifest = export(campaign, tmp_path / "out", "scifact")

    assert lines_of(tmp_path / "out")[0]["evidence"] == {"11": sets[1:]}
    assert manifest["left_out"]["sets_too_many"] == 1
    assert [each["name"] for each in manifest["files"]] == ["all.jsonl"]


def test_a_verdict_without_a_rationale_is_no_line_of_scifact(tmp_path):
    campaign = make_target()
    import_lines(tmp_path, campaign, line(1, S, ["gone_1"]), line(2, N))

    manifest = export(campaign, tmp_path / "out", "scifact")

    assert [each["id"] for each in lines_of(tmp_path / "out")] == [2]
    assert manifest["left_out"]["no_evidence"] == 1


def test_a_retrieval_set_has_queries_relevance_and_the_corpus(campaign, tmp_path):
    manifest = export(campaign, tmp_path / "out", "beir")

    assert lines_of(tmp_path / "out", "queries.jsonl") == [{"_id": "1", "text": "Most se otevřel."}]
    assert (tmp_path / "out/qrels/all.tsv").read_text() == (
        "query-id\tcorpus-id\tscore\n1\ta_1\t1\n1\ta_2\t1\n"
    )
    corpus = lines_of(tmp_path / "out", "corpus.jsonl")
    assert [each["_id"] for each in corpus if each["_id"][0] == "a"][-3:] == ["a_1", "a_2", "a_3"]
    assert {each["_id"]: each["text"] for each in corpus}["a_1"] == "The bridge opened in May."
    assert [(each["name"], each["lines"]) for each in manifest["files"][:2]] == [
        ("queries.jsonl", 1), ("qrels/all.tsv", 2)
    ]  # fmt: skip
    assert manifest["left_out"]["no_evidence"] == 1
    assert manifest["counts"] == {
        "lines": 1, "annotations": 2, "annotators": 1, "labels": {S: 1, R: 0, N: 0},
        "verdicts_without_evidence": 0, "queries": 1, "relevant": 2, "documents": len(corpus),
    }  # fmt: skip


def test_a_retrieval_set_keeps_all_queries_in_one_file(campaign, tmp_path):
    export(campaign, tmp_path / "out", "beir", split="dev=0,test=1.0")

    assert names_in(tmp_path / "out") == [
        "corpus.jsonl", "manifest.json", "qrels/dev.tsv", "qrels/test.tsv", "queries.jsonl"
    ]  # fmt: skip
    assert (tmp_path / "out/qrels/dev.tsv").read_text() == "query-id\tcorpus-id\tscore\n"
    assert len((tmp_path / "out/qrels/test.tsv").read_text().splitlines()) == 3


def test_ambifc_has_every_label_of_any_campaign(campaign, tmp_path):
    item = campaign.claims.get(number=1).instances.get().items.get()
    label(item, "cyn", N, is_relevant=True)
    label(item, "dan", S, is_uncertain=True)

    export(campaign, tmp_path / "out", "ambifc")

    first, second = lines_of(tmp_path / "out")
    assert (first["claim_id"], first["wiki_page"], first["wiki_passage"]) == (1, "a", "a_1")
    assert first["labels"]["passage"] == "supporting"
    assert first["soft_label"] == {"supporting": 2 / 3, "refuting": 0.0, "neutral": 1 / 3}
    assert [tuple(each.values())[::2] for each in first["passage_annotations"]] == [
        ("supporting", True, None), ("neutral", True, None), ("supporting", True, None)
    ]  # fmt: skip
    assert [each["certain"] for each in first["passage_annotations"]] == [True, True, False]
    assert second["soft_label"]["neutral"] == 1.0


@pytest.mark.parametrize("publishes", [True, False])
def test_ambifc_has_the_sentences_of_a_passage_where_it_may(tmp_path, publishes):
    campaign = make_target(publishes_text=publishes)
    wave = make_wave(campaign)
    passage = campaign.corpus.articles.get(external_id="a").paragraphs.get(rank=1)
    claim = make_claim(wave, "It opened.")
    item = make_item_of(claim, wave, scope_kind="passage", passage=passage)
    given = label(item, "ben", S, [passage])
    given.evidence_sets.get().items.update(unit="s0")

    export(campaign, tmp_path / "out", "ambifc")

    (told,) = lines_of(tmp_path / "out")
    assert told["wiki_passage"] == "a_1"
    assert told["sentences"] == ({"0": "The bridge opened in May."} if publishes else {})
    assert [each["annotation"] for each in told["sentence_annotations"]["0"]] == ["supporting"]


@pytest.mark.parametrize("kind", ["article", "passage"])
@pytest.mark.parametrize("name", ["Barack_Obama", "Barack", "Area_51", "whole"])
def test_ambifc_names_the_article_that_a_claim_was_judged_against(tmp_path, name, kind):
    article = make_article(make_corpus(), "He was born in Honolulu.", external_id=name)
    wave = make_wave(make_campaign(corpus=article.corpus))
    claim = make_claim(wave, "He was born.", source=paragraph_of(article))
    scope = {"article": article, "article_version": 1}
    scope = scope if kind == "article" else {"passage": paragraph_of(article)}
    label(make_item_of(claim, wave, scope_kind=kind, **scope), "ben", N)

    export(wave.campaign, tmp_path / "out", "ambifc")

    (told,) = lines_of(tmp_path / "out")
    passage = name if kind == "article" else f"{name}_1"
    assert (told["wiki_page"], told["wiki_passage"]) == (name, passage)


@pytest.mark.parametrize(
    ("source", "article", "passage"),
    [(None, "", ""), ("Oslo_3", "Oslo", "Oslo_3"), ("Oslo_city", "Oslo_city", "Oslo_city")],
)
def test_ambifc_names_a_source_that_no_corpus_has_and_none_where_there_is_none(
    tmp_path, source, article, passage
):
    campaign = make_campaign(corpus=None)
    import_lines(tmp_path, campaign, line(4, N, source=source), language="en")
    label(make_item_of(campaign.claims.get(), make_wave(campaign)), "ben", N)

    export(campaign, tmp_path / "out", "ambifc")

    (told,) = lines_of(tmp_path / "out")
    assert (told["wiki_page"], told["wiki_passage"]) == (article, passage)


def test_scifact_knows_an_abstract_of_any_name(tmp_path):
    article = make_article(make_corpus(), "Cells grow.", external_id="whole")
    wave = make_wave(make_campaign(corpus=article.corpus))
    claim = make_claim(wave, "Cells sing.", source=paragraph_of(article))
    scope = {"scope_kind": "article", "article": article, "article_version": 1}
    label(make_item_of(claim, wave, **scope), "ben", N)

    export(wave.campaign, tmp_path / "out", "scifact")

    assert lines_of(tmp_path / "out")[0]["cited_doc_ids"] == ["whole"]


def test_ambifc_comes_back_as_its_file_had_it(tmp_path):
    campaign = make_target(publishes_text=True)
    told = {
        "claim": "It opened.", "claim_id": 4, "wiki_page": "a", "wiki_section": "Opening",
        "wiki_passage": "a_1", "entity": "Bridge", "section": "", "category": "places",
        "labels": {"method": "gold", "passage": "supporting"},
        "passage_annotations": [
            {"label": "supporting", "worker": "w1", "relevant": True, "certain": True,
             "annotation_time": 8.5},
            {"label": "neutral", "worker": "w2", "relevant": False, "certain": True,
             "annotation_time": 3.0}],
        "sentences": {"0": "The bridge opened in May."},
        "sentence_annotations": {"0": [{"annotator": "w1", "annotation": "supporting"},
                                       {"annotator": "w2", "annotation": "neutral"}]},
    }  # fmt: skip
    import_lines(tmp_path, campaign, told, format="ambifc")

    export(campaign, tmp_path / "out", "ambifc")

    (back,) = lines_of(tmp_path / "out")
    assert back.pop("soft_label") == {"supporting": 0.5, "refuting": 0.0, "neutral": 0.5}
    assert back == told


def test_ambifc_of_a_file_that_names_no_annotators_is_exported(tmp_path):
    campaign = make_target(publishes_text=True)
    told = {"claim": "It opened.", "claim_id": 4, "wiki_page": "a", "wiki_passage": "a_1",
            "passage_annotations": None}  # fmt: skip
    import_lines(tmp_path, campaign, told, format="ambifc")
    instance = campaign.claims.get().instances.get()
    wave = make_wave(campaign, name="Work")
    label(WaveItem.objects.create(wave=wave, instance=instance, random_key=0.5), "ben", N)

    export(campaign, tmp_path / "out", "ambifc")

    (back,) = lines_of(tmp_path / "out")
    assert (back["claim_id"], back["labels"]["passage"]) == (4, "neutral")


@pytest.mark.parametrize("publishes", [None, False])
def test_a_retrieval_set_is_refused_where_its_corpus_stays_here(tmp_path, publishes):
    campaign = make_campaign(slug="shut", corpus=None)
    if publishes is not None:
        campaign = make_target(publishes_text=publishes)

    with pytest.raises(ValidationError, match="none that may be published"):
        export(campaign, tmp_path / "out", "beir")


@pytest.mark.parametrize("format", ["claims", "claims_csv", "csfever", "ctkfacts_fever"])
def test_our_own_come_back_byte_by_byte(campaign, tmp_path, format):
    export(campaign, tmp_path / "first", format)
    again = make_campaign(slug="again", corpus=campaign.corpus)
    (file,) = [each for each in (tmp_path / "first").iterdir() if each.stem == "all"]
    reader = {"claims_csv": "claims", "ctkfacts_fever": "ctkfacts"}.get(format, format)

    run(again, file, format=reader)
    export(again, tmp_path / "second", format)

    assert (tmp_path / "second" / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_told_in_its_manifest(campaign, tmp_path, format):
    manifest = export(campaign, tmp_path / format, format)

    assert manifest["fields"]
    assert manifest["counts"]["lines"] > 0
