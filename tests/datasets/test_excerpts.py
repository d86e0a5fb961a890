"""Corpora of which only released paragraphs may be published: no other text leaves the site."""

import json

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from corpus.models import Article
from datasets.exporting import export_to
from datasets.forms.exports import ExportForm
from datasets.options import ExportOptions
from tests.datasets.builders import label, make_item_of
from tests.datasets.importing import make_target
from tests.datasets.releasing import make_release
from tests.datasets.test_export_formats import rationale, scifact_campaign
from tests.factories import make_claim, make_user, make_wave, paragraph_of

pytestmark = pytest.mark.django_db
S, N = "SUPPORTS", "NOT ENOUGH INFO"


@pytest.fixture
def campaign():
    """A claim from a_1 that cites a_2, and one from b_1 that cites nothing; a and b have three."""
    campaign = make_target(publishes_cited=True, licence="On request")
    wave = make_wave(campaign)
    a, b = (campaign.corpus.articles.get(external_id=name) for name in "ab")
    first = make_claim(wave, "It was costly.", source=paragraph_of(a, 1))
    label(make_item_of(first, wave), "ben", S, [paragraph_of(a, 2)])
    label(make_item_of(make_claim(wave, "Red.", source=paragraph_of(b, 1)), wave), "ben", N)
    return campaign


def export(campaign, folder, format, **options):
    return export_to(folder, campaign=campaign, options=ExportOptions(format=format, **options))


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_retrieval_set_has_the_paragraphs_of_its_claims_alone(campaign, tmp_path):
    manifest = export(campaign, tmp_path / "out", "beir")

    assert lines_of(tmp_path / "out/corpus.jsonl") == [
        {"_id": "a_1", "title": "", "text": "The bridge opened in May."},
        {"_id": "a_2", "title": "", "text": "It cost ten million."},
    ]
    assert manifest["counts"]["documents"] == 2
    assert manifest["fields"]["corpus.jsonl"].startswith("the texts of paragraphs that the claims")
    assert manifest["corpus"]["publishes_cited"] is True


def test_a_title_that_is_cited_is_shown(campaign, tmp_path):
    title = campaign.corpus.articles.get(external_id="b").paragraphs.get(rank=0)
    wave = campaign.waves.get()
    label(make_item_of(make_claim(wave, "A title.", source=title), wave), "ben", S, [title])

    export(campaign, tmp_path / "out", "beir")

    (told,) = [each for each in lines_of(tmp_path / "out/corpus.jsonl") if each["_id"] == "b_0"]
    assert told == {"_id": "b_0", "title": title.text, "text": title.text}


def test_a_title_of_today_is_not_that_of_the_version_that_is_cited(campaign, tmp_path):
    article = campaign.corpus.articles.get(external_id="b")
    title = article.paragraphs.get(rank=0)
    label(
        make_item_of(make_claim(campaign.waves.get(), "Old."), campaign.waves.get()),
        "cyn",
        S,
        [title],
    )
    Article.objects.filter(pk=article.pk).update(title="A title that nobody cites")

    export(campaign, tmp_path / "out", "beir")

    (told,) = [each for each in lines_of(tmp_path / "out/corpus.jsonl") if each["_id"] == "b_0"]
    assert told == {"_id": "b_0", "title": title.text, "text": title.text}


def test_pairs_for_inference_have_their_texts(campaign, tmp_path):
    export(campaign, tmp_path / "texts", "nli")
    export(campaign, tmp_path / "ids", "nli", evidence="ids")

    texts = [line["evidence"] for line in lines_of(tmp_path / "texts/all.jsonl")]
    assert texts == ["It cost ten million.", "The bridge opened in May."]
    ids = [line["evidence"] for line in lines_of(tmp_path / "ids/all.jsonl")]
    assert ids == [["a_2"], ["b_1"]]


def test_abstracts_have_the_sentences_of_released_paragraphs(tmp_path):
    claim = {"id": 1, "claim": "Cells grow.", "cited_doc_ids": [11, 12], "evidence":
        {"11": [rationale("SUPPORT", 0)]}}  # fmt: skip
    campaign = scifact_campaign(tmp_path, claim, publishes_cited=True)

    export(campaign, tmp_path / "out", "scifact")

    (abstract,) = lines_of(tmp_path / "out/corpus.jsonl")
    assert (abstract["doc_id"], abstract["title"]) == (11, "")
    assert abstract["abstract"] == ["One.", "Two.", "Three."]  # all of the paragraph that is cited


def test_sentences_beside_released_paragraphs_are_empty(campaign, tmp_path):
    wave = campaign.waves.get()
    claim = make_claim(wave, "It is costly.")
    article = campaign.corpus.articles.get(external_id="a")
    scope = {"scope_kind": "article", "article": article, "article_version": 1}
    given = label(make_item_of(claim, wave, **scope), "ben", S, [paragraph_of(article, 2)])
    given.evidence_sets.get().items.update(unit="s0")

    export(campaign, tmp_path / "out", "scifact")

    by_id = {each["doc_id"]: each["abstract"] for each in lines_of(tmp_path / "out/corpus.jsonl")}
    assert by_id["a"][1:] == ["It cost ten million.", ""]
    assert "It is long." not in (tmp_path / "out/corpus.jsonl").read_text()


def test_a_corpus_without_either_choice_keeps_every_text(campaign, tmp_path):
    campaign.corpus.publishes_cited = False
    campaign.corpus.save()

    export(campaign, tmp_path / "nli", "nli")

    assert lines_of(tmp_path / "nli/all.jsonl")[0]["evidence"] == ["a_2"]
    with pytest.raises(ValidationError, match="none that may be published"):
        export(campaign, tmp_path / "beir", "beir")


def test_a_release_tells_the_licence_of_its_excerpts(campaign):
    release = make_release(campaign, formats=("beir", "nli"), licence="CC BY 4.0")

    described = json.loads((release.folder / "croissant.json").read_text())
    card = (release.folder / "README.md").read_text()
    assert described["license"] == ["CC BY 4.0", "On request"]
    assert "those of paragraphs that claims cite or come from may be published" in card
    for path in release.folder.rglob("*"):
        assert path.is_dir() or "It is long." not in path.read_text()


def test_managers_choose_it_on_the_page_of_the_corpus(campaign, sign_in):
    make_user(username="mia", is_superuser=True)
    mia = sign_in("mia")

    form = mia.get(reverse("corpus:edit-corpus", args=[campaign.corpus.slug])).content.decode()
    about = mia.get(reverse("corpus:corpus", args=[campaign.corpus.slug])).content.decode()

    assert 'name="publishes_cited"' in form
    assert "may carry the texts of what claims cite or come from" in about
    assert len(ExportForm(campaign=campaign).fields["evidence"].choices) == 3
