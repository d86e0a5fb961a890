"""The pages on which managers look after an index and try out dictionaries."""

import pytest
from django.urls import reverse

from corpus import throttling
from corpus.followups import changed_texts
from corpus.models import Article
from operations.models import Job
from operations.worker import Worker
from tests.dictionaries.corpora import new_corpus, sample_corpus, small_corpus
from tests.factories import make_article

pytestmark = pytest.mark.django_db
TEXTS = ["The Norvell bridge is open.", "The Sael ferry is gone.", "Norvell elects a mayor."]


@pytest.fixture
def client(sign_in, root):
    return sign_in(root)


def get(client, name, corpus, **data):
    response = client.get(reverse(f"dictionaries:{name}", args=[corpus.slug]), data)
    assert response.status_code == 200
    return response


def shown(client, name, corpus, **data):
    return " ".join(get(client, name, corpus, **data).content.decode().split())


def explore(client, corpus, **data):
    return get(client, "explore", corpus, **{"text": "", "paragraph": "", **data})


def test_a_corpus_without_an_index_says_what_that_means(client):
    page = shown(client, "index", new_corpus())

    assert "not built yet" in page
    assert "Build the index" in page


def test_an_index_says_whether_it_is_up_to_date(client):
    corpus = small_corpus(*TEXTS)
    assert "up to date" in shown(client, "index", corpus)
    assert "<dt>In the index</dt><dd>3</dd>" in shown(client, "index", corpus)

    make_article(corpus, "One more.", external_id="more")
    changed_texts(corpus)

    page = shown(client, "index", corpus)
    assert "out of date" in page
    assert "<dt>Retrievable paragraphs</dt><dd>4</dd>" in page


def test_a_build_is_a_job_that_shows_on_the_page(client, root):
    corpus = new_corpus()
    make_article(corpus, "The bridge is open.")

    response = client.post(reverse("dictionaries:build-index", args=[corpus.slug]), follow=True)

    job = Job.objects.get()
    assert (job.kind, job.key, job.created_by) == ("build-index", corpus.slug, root)
    assert "is being built" in response.content.decode()
    assert "It waits for its turn." in response.content.decode()
    Worker("here").run_next()
    assert "up to date" in shown(client, "index", corpus)


def test_everything_can_be_built_anew(client):
    corpus = small_corpus(*TEXTS)

    client.post(reverse("dictionaries:build-index", args=[corpus.slug]), {"rebuild": "yes"})
    Worker("here").run_next()

    assert Job.objects.get().result["added"] == 3


def test_a_rebuild_is_not_mistaken_for_a_build_under_way(client):
    corpus = small_corpus(*TEXTS)
    url = reverse("dictionaries:build-index", args=[corpus.slug])
    client.post(url)

    page = client.post(url, {"rebuild": "yes"}, follow=True).content.decode()

    assert "A build is under way already" in page
    assert Job.objects.get().arguments["rebuild"] is False


def test_a_check_says_what_it_found(client):
    corpus = small_corpus(*TEXTS)
    make_article(corpus, "Not indexed yet.", external_id="new")

    client.post(reverse("dictionaries:check-index", args=[corpus.slug]))
    Worker("here").run_next()

    page = shown(client, "index", corpus)
    assert "<dt>Missing</dt><dd>1</dd>" in page
    assert "<dt>Too many</dt><dd>0</dd>" in page


def test_an_index_that_cannot_be_used_says_why(client, settings):
    corpus = small_corpus(*TEXTS)
    corpus.index_version = "lost"
    corpus.save()
    current = settings.DATA_DIR / "indexes" / corpus.slug / "CURRENT"
    current.write_text("gone")

    page = shown(client, "index", corpus)
    assert "cannot be used" in page
    assert "build it again" in page
    assert "build it again" in explore(client, corpus, text="A text").content.decode()


def test_the_overview_loads_the_state_as_a_fragment(client):
    corpus = small_corpus(*TEXTS)
    url = reverse("dictionaries:index", args=[corpus.slug])

    assert (
        f'hx-get="{url}"'
        in client.get(reverse("corpus:corpus", args=[corpus.slug])).content.decode()
    )
    fragment = client.get(url, headers={"HX-Request": "true"}).content.decode()
    assert fragment.lstrip().startswith('<section id="index"')


def test_exploring_asks_for_nothing_before_one_does(client):
    response = get(client, "explore", small_corpus(*TEXTS))

    assert response.context["explorations"] == []
    assert "one of the two" not in response.content.decode()


def test_a_paragraph_is_explored_with_all_that_led_to_it(client):
    corpus = sample_corpus()

    page = " ".join(explore(client, corpus, paragraph="npa-050_2").content.decode().split())

    for part in (
        "Tomas Veil",
        "3 queries",
        "By keywords",
        "By meaning",
        "cluster 1",
        "search by keywords",
        "a longer name has more words that can match, so it scores higher",
        '<span class="small soft" dir="ltr">npa-050</span>',
        "21 Nov 2022, 15:10",
    ):
        assert part in page, part


def test_a_text_is_explored_as_of_a_moment_in_the_corpus_zone(client):
    corpus = sample_corpus()

    response = explore(
        client, corpus, text="The Norvell bridge is delayed.", as_of="2022-01-01T00:00"
    )

    (found,) = response.context["explorations"]
    assert found.query["as_of"].isoformat() == "2021-12-31T23:00:00+00:00"
    times = [one.paragraph.available_at for one in found.keyword + found.semantic]
    assert times
    assert max(times) < found.query["as_of"]


def test_a_cluster_of_texts_past_those_looked_at_has_no_typical_words(client, monkeypatch):
    monkeypatch.setattr("dictionaries.typical.MOST_TEXTS", 1)

    (found,) = explore(client, sample_corpus(), paragraph="npa-050_2").context["explorations"]

    assert len(found.clusters) == 2
    assert [] in [cluster.words for cluster in found.clusters]


def test_settings_shape_what_is_found(client):
    corpus = sample_corpus()

    (found,) = explore(
        client, corpus, paragraph="npa-050_2", n_kw="2", n_sem="1", per_pair="on"
    ).context["explorations"]

    assert [len(found.keyword), len(found.semantic)] == [2, 1]
    assert len({one.entry.query for one in found.keyword}) == 2


def test_exploring_stores_nothing(client):
    corpus = sample_corpus()

    explore(client, corpus, paragraph="npa-050_2")

    assert not corpus.dictionaries.exists()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({}, "one of the two"),
        ({"text": "A text.", "paragraph": "a0_1"}, "one of the two"),
        ({"paragraph": "none_1"}, "has no paragraph “none_1”"),
        ({"text": "A text.", "n_kw": "-1"}, "greater than or equal to 0"),
        ({"text": "A text.", "n_pre": "2", "n_sem": "5"}, "n_pre is 2"),
        ({"text": "A text.", "as_of": "0001-01-01T00:00"}, "year cannot be right"),
        ({"text": "A text.", "as_of": "soon"}, "valid date/time"),
    ],
)
def test_what_cannot_be_asked_is_said_on_the_form(client, data, told):
    response = explore(client, small_corpus(*TEXTS), **data)

    assert response.context["explorations"] == []
    assert told in response.content.decode()


def test_without_an_index_exploring_says_so(client):
    assert "has no index yet" in explore(client, new_corpus(), text="A text.").content.decode()


def test_an_undated_corpus_asks_for_no_moment(client):
    corpus = small_corpus(*TEXTS, undated=True)

    response = explore(client, corpus, text="The Norvell bridge")

    assert "as_of" not in response.context["form"].fields
    assert response.context["explorations"][0].result.entries


def test_htmx_gets_the_form_and_what_was_found_alone(client):
    corpus = small_corpus(*TEXTS)
    url = reverse("dictionaries:explore", args=[corpus.slug])

    text = client.get(
        url, {"text": "Norvell", "paragraph": ""}, headers={"HX-Request": "true"}
    ).content.decode()

    assert text.lstrip().startswith('<div id="explore"')


def test_exploring_is_within_the_budget(client, monkeypatch):
    monkeypatch.setitem(throttling.BUDGETS, "search", (1, 10**9))
    corpus = small_corpus(*TEXTS)
    url = reverse("dictionaries:explore", args=[corpus.slug])
    client.get(url)

    assert client.get(url).status_code == 429


def test_texts_are_shown_as_text(client):
    corpus = small_corpus("<script>alert(1)</script> Norvell bridge")
    Article.objects.filter(corpus=corpus).update(title="<b>Bold</b>")

    page = explore(client, corpus, text="Norvell <i>bridge</i>").content.decode()

    assert "<script>alert" not in page
    assert "<b>Bold" not in page
    assert "<i>bridge" not in page
