"""Claims on corpora that name their own parts: FEVER's lines, FEVEROUS' elements."""

import json

import pytest
from django.core.management import call_command

from tests.corpus.test_readers_pages import PAGE, WIKI
from tests.datasets.importing import cited_by, doctor, import_lines, make_target, only_label
from tests.datasets.reading import write_lines
from tests.factories import make_article, make_campaign, make_corpus

pytestmark = pytest.mark.django_db


def corpus_of(folder, format, *records):
    path = write_lines(folder, *records, name=f"{format}.jsonl")
    call_command("import_corpus", "pages", str(path), format=format, undated=True)
    return make_campaign(slug="pages", corpus=make_corpus(slug="pages"))


def feverous(*elements):
    return {"id": 5, "label": "SUPPORTS", "claim": "It won a cup.", "challenge": "Other",
            "evidence": [{"content": list(elements), "context": {}}]}  # fmt: skip


def test_a_line_of_fever_is_the_line_of_its_page(tmp_path):
    campaign = corpus_of(tmp_path, "fever-wiki", WIKI)
    page = WIKI["id"]
    evidence = [[[5001, 5001, page, 2]], [[5002, 5002, page, 1]]]
    claim = {"id": 5, "verifiable": "VERIFIABLE", "label": "SUPPORTS", "claim": "It is long.",
             "evidence": evidence}  # fmt: skip

    report = import_lines(tmp_path, campaign, claim, format="fever")

    assert cited_by(only_label()) == {1: [f"{page}_1:sentence_1"]}
    assert (report["evidence_linked"], report["evidence_unresolved"]) == (1, 1)
    assert report["unresolved"][0]["id"] == f"{page} 1"


def test_elements_of_feverous_are_the_units_of_their_page(tmp_path):
    campaign = corpus_of(tmp_path, "feverous", PAGE)
    name = PAGE["title"]
    elements = ("sentence_1", "cell_0_1_1", "header_cell_0_0_1", "table_caption_0", "item_0_0")
    claim = feverous(*(f"{name}_{element}" for element in elements), f"{name}_title")

    import_lines(tmp_path, campaign, claim, format="feverous")

    label = only_label()
    assert label.challenge == "Other"
    assert cited_by(label) == {
        1: [f"{name}_1:sentence_1", f"{name}_2:cell_0_1_1", f"{name}_2:header_cell_0_0_1",
            f"{name}_2:table_caption_0", f"{name}_3:item_0_0", f"{name}_0"]
    }  # fmt: skip
    assert doctor() == {}


def test_elements_of_other_corpora_are_counted_over_the_article(tmp_path):
    campaign = make_target()
    article = make_article(campaign.corpus, "One.", "x | y", "Two.", external_id="t")
    table = article.paragraphs.get(rank=2)
    table.kind = "table"
    table.units = [{"id": "cell_0_1", "kind": "cell", "start": 4, "end": 5, "external_id": ""}]
    table.save()

    import_lines(tmp_path, campaign, feverous("t_sentence_1", "t_cell_0_0_1"), format="feverous")

    assert cited_by(only_label()) == {1: ["t_3:s0", "t_2:cell_0_1"]}


def test_an_article_in_its_second_version_is_named_with_it(tmp_path):
    campaign = make_target()
    article = make_article(campaign.corpus, "Old.", external_id="v")
    article.version = 2
    article.save()
    for rank, text in ((0, "Title"), (1, "New.")):
        article.paragraphs.create(
            corpus=campaign.corpus, version=2, rank=rank, public_id=f"v@2_{rank}", text=text,
            kind="prose" if rank else "title", published_at=article.published_at,
            available_at=article.available_at,
        )  # fmt: skip
    evidence = [[[5001, 5001, "v", 1]], [[5002, 5002, "v@2", 1]], [[5003, 5003, "v@3", 1]]]
    claim = {"id": 5, "label": "SUPPORTS", "claim": "It is.", "evidence": evidence}

    import_lines(tmp_path, campaign, json.loads(json.dumps(claim)), format="fever")

    assert cited_by(only_label()) == {1: ["v_1"], 2: ["v@2_1"]}
