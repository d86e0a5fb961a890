"""Baselines of a release: searched, trained and scored, stored with it, the same again."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, transaction

from accounts.models import Event
from agreement.measures.classification import macro_f1
from corpus.models import Article, Corpus
from datasets.models import ReleaseResult
from datasets.results.claims import released_claims, roles_of
from datasets.results.measuring import measured
from datasets.results.searching import Search
from datasets.results.services import (
    cancel_baselines,
    jobs_of,
    run_baselines,
    shown_job_of,
    start_baselines,
)
from datasets.results.words import verdict_rows
from dictionaries.evaluating import evaluate
from dictionaries.known_evidence import KnownClaim
from dictionaries.services import build_corpus_index
from operations.jobs import claim_next_job, run_job
from operations.models import Job
from operations.progress import JobCancelled
from tests.datasets.importing import import_lines, line
from tests.datasets.releasing import make_release
from tests.datasets.results import NEI, R, S, make_decided, make_searchable
from tests.factories import (
    A_DAY,
    add_paragraphs,
    make_article,
    make_campaign,
    make_user,
    paragraph_of,
)

pytestmark = pytest.mark.django_db
SPLIT = "train=0.5,dev=0.25,test=0.25"


@pytest.fixture
def campaign():
    return make_searchable()[0]


@pytest.fixture
def release(campaign):
    return make_release(campaign, split=SPLIT, seed=5)


@pytest.fixture
def mia():
    return make_user(username="mia")


def bare(*cases, **corpus):
    """A release of claims: (number, label, fields of `make_decided`); and its wave."""
    campaign, wave = make_searchable(claims=0, indexed=False, **corpus)
    for number, label, fields in cases:
        make_decided(wave, number, label, **fields)
    build_corpus_index(corpus=campaign.corpus)
    return make_release(campaign), wave


def test_all_parts_have_figures(release):
    found = measured(release, seed=3)

    assert found.figures["undefined"] == {}
    assert sum(found.figures["n_claims"].values()) == 18
    assert found.figures["retrieval"]["left_out"] == {"nei": 6, "no_evidence": 0}
    assert found.figures["retrieval"]["scopes"]["all"]["keyword"]["claims"] == 12
    assert set(found.figures["pipeline"]) == {"keyword", "semantic", "combined"}
    assert set(found.confusions) == {
        "claim_and_evidence", "claim_only", "majority", "keyword", "semantic", "combined"
    }  # fmt: skip


def test_the_same_seed_gives_the_same_figures(release):
    first, again = measured(release, seed=3), measured(release, seed=3)

    assert first == again


def test_retrieval_is_as_counted_by_hand():
    release, wave = bare((1, S, {}), (2, NEI, {}))
    rain = paragraph_of(make_article(wave.campaign.corpus, "It rained and rained."))
    own = paragraph_of(Article.objects.get(external_id="spring1"))
    make_decided(wave, 3, S, cited=[[own, rain]], text="The town of Dalby opened 1 schools.")
    build_corpus_index(corpus=wave.campaign.corpus)
    release = make_release(wave.campaign, "1.1.0")

    retrieval = measured(release, seed=0).figures["retrieval"]

    keyword = retrieval["scopes"]["all"]["keyword"]
    assert retrieval["left_out"] == {"nei": 1, "no_evidence": 0}
    assert keyword["claims"] == 2
    assert keyword["mrr"] == 1  # both begin with the paragraph that says the same
    assert keyword["recall"]["1"] == 0.75  # all of the one, half of the other
    assert keyword["full_support"] == {"1": 0.5, "5": 0.5, "10": 0.5, "20": 0.5, "all": 0.5}


def test_nothing_newer_than_the_source_is_found():
    later = {"published_at": A_DAY + timedelta(days=9)}
    release, wave = bare((1, S, {}))
    newer = make_decided(wave, 10, S, text="The town of Dalby opened 1 schools.", **later)
    build_corpus_index(corpus=wave.campaign.corpus)
    release = make_release(wave.campaign, "1.1.0")
    released = released_claims(release)
    search = Search(wave.campaign.corpus, released.known)
    for claim in released.all:
        search.ask(claim)

    found = search.rankings["semantic"]
    assert found[1] == ["spring1_1"]
    assert sorted(found[newer.number]) == ["spring10_1", "spring1_1"]


def test_evidence_that_cannot_be_found_is_counted():
    release, wave = bare((1, S, {}), (3, R, {}))
    newer = make_article(wave.campaign.corpus, published_at=A_DAY + timedelta(days=1))
    title = newer.paragraphs.get(rank=0)
    make_decided(wave, 2, S, cited=[[paragraph_of(newer)], [title]])
    build_corpus_index(corpus=wave.campaign.corpus)
    release = make_release(wave.campaign, "1.1.0")

    limits = measured(release, seed=0).figures["retrieval"]["limits"]

    assert limits == {"without_date": 0, "not_indexed": 1, "out_of_reach": 1}


def test_the_figures_agree_with_evaluate_retrieval():
    release, wave = bare(*((n, (S, R)[n % 2], {}) for n in range(6)), undated=True)
    claims = [
        KnownClaim(claim.text, None, (frozenset([claim.source.public_id]),))
        for claim in wave.campaign.claims.select_related("source")
    ]

    ours = measured(release, seed=0).figures["retrieval"]["scopes"]["all"]
    theirs = evaluate(
        wave.campaign.corpus, claims, limit=None, seed=0, drqa=False, progress=lambda *n: None
    )

    for way in ("keyword", "semantic", "combined"):
        assert ours[way]["mrr"] == pytest.approx(theirs["methods"][way]["mrr"])
        assert ours[way]["recall"] == pytest.approx(theirs["methods"][way]["recall"])


def test_verdicts_are_those_of_the_test_split(release):
    found = measured(release, seed=3)

    verdicts, confusion = found.figures["verdicts"], found.confusions["majority"]
    given = [cell["gold"] for cell in confusion["cells"] for _ in range(cell["n"])]
    told = [verdicts["majority"]["label"]] * len(given)
    assert verdicts["n_test"] == len(given) == found.figures["n_claims"]["test"]
    assert verdicts["majority"]["macro_f1"] == pytest.approx(macro_f1(given, told, (S, R, NEI)))


def test_without_splits_the_retrieval_alone_is_measured(campaign):
    release = make_release(campaign)

    figures = measured(release, seed=3).figures

    assert figures["undefined"] == {"verdicts": "no_splits", "pipeline": "no_splits"}
    assert figures["verdicts"] is figures["pipeline"] is None
    assert list(figures["retrieval"]["scopes"]) == ["all"]


def test_claims_without_verdicts_have_a_reason_instead_of_figures():
    campaign, wave = make_searchable(claims=0, indexed=False)
    for number in range(9):
        make_decided(wave, number, NEI)
    build_corpus_index(corpus=campaign.corpus)

    figures = measured(make_release(campaign, split=SPLIT), seed=3).figures

    assert figures["undefined"] == {
        "retrieval": "no_evidence", "verdicts": "one_label", "pipeline": "one_label"
    }  # fmt: skip
    assert figures["retrieval"] is None


def test_without_a_corpus_claims_alone_are_judged(tmp_path):
    campaign = make_campaign(slug="elsewhere")
    lines = [line(n, (S, R, NEI)[n % 3], source=f"a{n}_1") for n in range(1, 31)]
    import_lines(tmp_path, campaign, *lines, language="en")

    result = run_baselines(release=make_release(campaign, split=SPLIT), seed=3)

    figures = result.figures
    assert result.name == "baselines-3"
    assert figures["undefined"] == {
        "retrieval": "no_corpus", "claim_and_evidence": "no_texts", "pipeline": "no_texts"
    }  # fmt: skip
    assert figures["verdicts"]["claim_and_evidence"] is None
    assert [row["matrix"] for row in verdict_rows([result])] == ["majority", "claim_only"]
    assert set(result.confusions) == {"majority", "claim_only"}


def test_evidence_of_an_earlier_version_is_read_but_not_found(release, campaign):
    number, article = 1, Article.objects.get(external_id="spring0")
    Article.objects.filter(pk=article.pk).update(version=2)
    article.refresh_from_db()
    add_paragraphs(article, "Quite another text.")
    build_corpus_index(corpus=campaign.corpus)

    found = measured(release, seed=3)

    assert found.figures["retrieval"]["limits"]["not_indexed"] == 1
    assert found.figures["retrieval"]["limits"]["out_of_reach"] == 1
    assert found.figures["verdicts"] is not None
    assert number == campaign.claims.get(text__contains="Norvell opened 0").number


def test_without_an_index_it_is_said_what_to_do(mia):
    campaign, _ = make_searchable(slug="autumn", indexed=False)
    release = make_release(campaign, split=SPLIT)

    with pytest.raises(ValidationError, match="build it with build_index autumn-agency"):
        start_baselines(release=release, seed=0, by=mia)

    assert not Job.objects.exists()


def test_a_release_without_decided_claims_is_refused():
    release, _ = bare()

    with pytest.raises(ValidationError, match="nothing can be measured"):
        measured(release, seed=0)


def test_the_job_stores_one_row_that_names_all_that_it_rests_on(release, mia):
    start_baselines(release=release, seed=3, by=mia)

    run_job(claim_next_job(worker="test"))

    result = ReleaseResult.objects.get()
    assert Job.objects.get().state == Job.State.DONE
    assert (result.kind, result.seed, result.created_by) == ("baselines", 3, mia)
    assert result.settings["index_version"] in result.name
    assert result.settings["splits"] == {"train": "train", "dev": "dev", "test": "test"}
    assert result.figures == measured(release, seed=3).figures
    assert Event.objects.filter(verb="measured baselines").count() == 1


def test_the_encoder_is_named_that_made_the_vectors(release):
    Corpus.objects.update(encoder="auto")

    assert measured(release, seed=0).settings["encoder"] == "svd"


def test_a_run_that_died_is_run_again_and_ends_the_same(release):
    def dies(done, total, message=""):
        if done == 15:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_baselines(release=release, seed=3, progress=dies)
    assert not ReleaseResult.objects.exists()

    first = run_baselines(release=release, seed=3)
    again = run_baselines(release=release, seed=3)

    assert first == again
    assert ReleaseResult.objects.count() == 1


def test_a_cancelled_run_stores_nothing(release, mia):
    start_baselines(release=release, seed=3, by=mia)
    job = claim_next_job(worker="test")
    cancel_baselines(release=release, by=mia)

    run_job(job)

    assert shown_job_of(release).state == Job.State.CANCELLED
    assert not ReleaseResult.objects.exists()


def test_it_can_be_cancelled_at_every_step(release):
    told = []

    def cancelled_at_the_end(done, total, message=""):
        told.append((done, total))
        if done == total:
            raise JobCancelled

    with pytest.raises(JobCancelled):
        measured(release, seed=3, progress=cancelled_at_the_end)

    assert told == [(n, told[0][1]) for n in range(told[0][1] + 1)]


def test_the_same_is_not_measured_twice(release, mia):
    run_baselines(release=release, seed=3)

    with pytest.raises(ValidationError, match="would be the same"):
        start_baselines(release=release, seed=3, by=mia)
    start_baselines(release=release, seed=4, by=mia)
    with pytest.raises(ValidationError, match="being measured already"):
        start_baselines(release=release, seed=5, by=mia)

    assert jobs_of(release).count() == 1


def test_a_result_never_changes(release):
    result = run_baselines(release=release, seed=3)
    result.seed = 4

    with pytest.raises((IntegrityError, DatabaseError)), transaction.atomic():
        result.save()

    assert ReleaseResult.objects.get().seed == 3


def test_a_file_that_was_touched_is_not_measured(release):
    path = release.folder / "data/ctkfacts/train.jsonl"
    path.chmod(0o644)
    path.write_text(path.read_text() + "\n")

    with pytest.raises(ValidationError, match="not as it was"):
        measured(release, seed=3)


def test_results_stand_beside_the_release(release):
    before = release.hashes

    run_baselines(release=release, seed=3)

    release.refresh_from_db()
    assert release.hashes == before
    assert not list(release.folder.rglob("*baseline*"))


@pytest.mark.parametrize(
    ("sizes", "roles"),
    [
        ({"train": 8, "dev": 1, "test": 1}, {"train": "train", "dev": "dev", "test": "test"}),
        (
            {"bulk": 8, "Validation": 1, "test": 1, "extra": 3},
            {"train": "bulk", "dev": "Validation", "test": "test"},
        ),
        ({"all": 10}, {}),
        ({"train": 8, "test": 1}, {"train": "train", "test": "test"}),
    ],
)
def test_splits_are_told_by_their_names(sizes, roles):
    assert roles_of(sizes) == roles
