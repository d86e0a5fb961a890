"""A campaign over a corpus, with as many claims, items and labels as a benchmark asks for."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import numpy as np
from django.utils import timezone

from accounts.models import User
from annotation import choosing
from annotation.campaigns import create_campaign
from annotation.models import (
    Annotation,
    Assignment,
    Campaign,
    Claim,
    ClaimRevision,
    EvidenceItem,
    EvidenceSet,
    Instance,
    Membership,
    Participation,
    Wave,
    WaveItem,
)
from benchmarks.rows import BEGIN, hours, insert, keys, settle_keys
from benchmarks.texts import PER_ARTICLE, texts
from corpus.importing.rows import moment
from corpus.models import Article, Corpus, Import, Paragraph
from corpus.texts import text_hash
from dictionaries.models import Dictionary, DictionaryEntry

LABELS = ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
ENTRIES = 8  # of a dictionary: four found by keywords, four by meaning
OLDEST = 10  # articles that are too old to be sources: nothing is older than they are
CLAIMS_PER_ARTICLE = 20


@dataclass(frozen=True)
class World:
    """What the rows of claims and labels hang on."""

    campaign: Campaign
    wave: Wave
    people: list[int]
    corpus: "Texts"


@dataclass(frozen=True)
class Texts:
    """A corpus by its keys: paragraphs[article][rank - 1]; each article an hour after the last."""

    corpus: Corpus
    articles: range
    paragraphs: np.ndarray


def make_world(*, slug: str, claims: int, people: int, labels_wanted: int) -> World:
    """A campaign with an open wave of an exact plan, its people and its corpus, and no claims."""
    manager = User.objects.create_user(username=f"manager-{slug}", password=None)
    texts = make_corpus(slug, max(OLDEST * 3, claims // CLAIMS_PER_ARTICLE))
    campaign = create_campaign(actor=manager, name=slug, slug=slug, corpus=texts.corpus)
    wave = Wave.objects.create(
        campaign=campaign,
        name="First wave",
        opens_at=timezone.now() - timedelta(days=30),
        guideline=campaign.guidelines.last(),
        plan=Wave.Plan.EXACT,
        labels_wanted=labels_wanted,
        seed=1,
    )
    return World(campaign, wave, make_people(slug, wave, people), texts)


def make_people(slug: str, wave: Wave, amount: int) -> list[int]:
    users = User.objects.bulk_create(
        User(username=f"{slug}-{number:03d}", password="!") for number in range(amount)
    )
    Membership.objects.bulk_create(
        Membership(campaign=wave.campaign, user=user, role="annotator") for user in users
    )
    Participation.objects.bulk_create(
        Participation(wave=wave, user=user, status="approved") for user in users
    )
    return [user.pk for user in users]


def make_corpus(slug: str, articles: int) -> Texts:
    corpus = Corpus.objects.create(slug=slug, name=slug, language="en", publishes_text=True)
    brought = Import.objects.create(corpus=corpus, state=Import.State.COMPLETE)
    times = hours(BEGIN, articles)
    article_keys = keys(Article, articles)
    insert(
        Article,
        articles,
        id=list(article_keys),
        corpus_id=corpus.pk,
        added_by_id=brought.pk,
        external_id=[f"{slug}{number}" for number in range(articles)],
        title=[f"Report {number}" for number in range(articles)],
        language="en",
        published_at=times,
        available_at=times,
        content_hash=[f"{number:064d}" for number in range(articles)],
        record_hash=[f"{number:064d}" for number in range(articles)],
        random_key=np.random.default_rng(1).random(articles),
    )
    return Texts(corpus, article_keys, make_paragraphs(slug, corpus, article_keys, times))


def make_paragraphs(slug, corpus, articles: range, times: list[str]) -> np.ndarray:
    """Titles and paragraphs; the keys of the paragraphs: (articles, paragraphs of each)."""
    ranks = PER_ARTICLE + 1
    amount = len(articles) * ranks
    known = keys(Paragraph, amount)
    written = texts(len(articles) * PER_ARTICLE, seed=5)
    insert(
        Paragraph,
        amount,
        id=list(known),
        corpus_id=corpus.pk,
        article_id=[article for article in articles for _ in range(ranks)],
        rank=list(range(ranks)) * len(articles),
        public_id=[f"{slug}{a}_{rank}" for a in range(len(articles)) for rank in range(ranks)],
        kind=["title", *["prose"] * PER_ARTICLE] * len(articles),
        text=(
            next(written).text if rank else f"Report {a}"
            for a in range(len(articles))
            for rank in range(ranks)
        ),
        published_at=[time for time in times for _ in range(ranks)],
        available_at=[time for time in times for _ in range(ranks)],
    )
    return np.array(known).reshape(-1, ranks)[:, 1:]


def make_claims(world: World, amount: int) -> dict[str, np.ndarray]:
    """Claims with revisions, dictionaries and instances; the columns that labels need.

    claim, revision, instance, source, source_dictionary, dictionary: (amount,) keys.
    """
    rng = np.random.default_rng(2)
    texts = world.corpus
    article = rng.integers(OLDEST, len(texts.articles), size=amount)
    source = texts.paragraphs[article, rng.integers(0, PER_ARTICLE, size=amount)]
    of_articles = make_dictionaries(world, np.arange(OLDEST, len(texts.articles)), "source", rng)
    columns = {
        "claim": np.array(keys(Claim, amount)),
        "source": source,
        "source_dictionary": of_articles[article - OLDEST],
        "dictionary": make_dictionaries(world, article, "claim", rng),
    }
    insert_claims(world, columns, hours(BEGIN, len(texts.articles)), article)
    columns["revision"] = insert_revisions(world, columns["claim"])
    columns["instance"] = np.array(keys(Instance, amount))
    insert(Instance, amount, id=columns["instance"], claim_id=columns["claim"])
    return columns


def make_dictionaries(world: World, article: np.ndarray, kind: str, rng) -> np.ndarray:
    """A ready dictionary for each of (n,) articles, of paragraphs of older ones; their keys."""
    amount = len(article)
    known = np.array(keys(Dictionary, amount))
    times = hours(BEGIN, len(world.corpus.articles))
    insert(
        Dictionary,
        amount,
        id=known,
        corpus_id=world.corpus.corpus.pk,
        key=[f"{kind}{number:058d}" for number in known.tolist()],
        text="The bridge",
        language="en",
        as_of=[times[place] for place in article.tolist()],
        index_version="1",
        state="ready",
    )
    insert_entries(world.corpus, known, article, times, rng)
    return known


def insert_entries(texts: Texts, dictionaries, article, times: list[str], rng) -> None:
    """Eight different paragraphs each, of the hours before."""
    back = np.sort(rng.permuted(np.tile(np.arange(1, OLDEST + 1), (len(article), 1)), axis=1))
    older = (article[:, None] - rng.permuted(back, axis=1)[:, :ENTRIES]).ravel()
    ranks = rng.integers(0, PER_ARTICLE, size=len(older))
    half = ENTRIES // 2
    insert(
        DictionaryEntry,
        len(older),
        dictionary_id=np.repeat(dictionaries, ENTRIES),
        paragraph_id=texts.paragraphs[older, ranks],
        method=(["keyword"] * half + ["semantic"] * half) * len(article),
        rank=[*range(1, half + 1), *range(1, half + 1)] * len(article),
        score=0.5,
        query="cluster 1",
        available_at=[times[place] for place in older.tolist()],
        as_of=[times[place] for place in np.repeat(article, ENTRIES).tolist()],
    )


def claim_text(number: int) -> str:
    return f"The bridge number {number} was opened in May by the minister of transport."


def insert_claims(world: World, columns: dict, times: list[str], article: np.ndarray) -> None:
    """Extracted claims, numbered from 1; each by one of the people."""
    amount = len(article)
    as_of = [times[place] for place in article.tolist()]
    authors = [world.people[number % len(world.people)] for number in range(amount)]
    insert(
        Claim,
        amount,
        id=columns["claim"],
        campaign_id=world.campaign.pk,
        wave_id=world.wave.pk,
        number=list(range(1, amount + 1)),
        origin="extracted",
        text=[claim_text(number) for number in range(1, amount + 1)],
        text_hash=[text_hash(claim_text(number)) for number in range(1, amount + 1)],
        language="en",
        author_id=authors,
        source_id=columns["source"],
        source_published_at=as_of,
        as_of=as_of,
        source_dictionary_id=columns["source_dictionary"],
        dictionary_id=columns["dictionary"],
    )
    Campaign.objects.filter(pk=world.campaign.pk).update(last_claim_number=amount)


def insert_revisions(world: World, claims: np.ndarray) -> np.ndarray:
    known = np.array(keys(ClaimRevision, len(claims)))
    insert(
        ClaimRevision,
        len(claims),
        id=known,
        claim_id=claims,
        text=[claim_text(number) for number in range(1, len(claims) + 1)],
        created_by_id=world.people[0],
    )
    return known


def make_items(world: World, columns: dict, labels: np.ndarray) -> np.ndarray:
    """An item for each claim, with so many labels: (n,), each by somebody else; their keys.

    labels: at most what the wave wants; an item with fewer is open.
    """
    amount = len(labels)
    known = np.array(keys(WaveItem, amount))
    rng = np.random.default_rng(4)
    owner = np.repeat(np.arange(amount), labels)  # for each label the place of its item
    given = given_labels(owner, amount, rng)
    states = states_of(owner, given, labels, world.wave.labels_wanted)
    seed = world.wave.seed
    insert(
        WaveItem,
        amount,
        id=known,
        wave_id=world.wave.pk,
        instance_id=columns["instance"],
        state=states,
        wanted=world.wave.labels_wanted,
        taken=labels,
        random_key=[choosing.random_key(seed, number) for number in range(1, amount + 1)],
    )
    settle_outcomes(columns["instance"], states)
    insert_labels(world, columns, known, owner, given)
    settle_keys(Article, Paragraph, Dictionary, Claim, ClaimRevision, Instance, WaveItem)
    settle_keys(Assignment, Annotation, EvidenceSet)
    return known


def given_labels(owner: np.ndarray, amount: int, rng) -> np.ndarray:
    """(labels,) codes: four in five are the item's truth."""
    truth = rng.choice(len(LABELS), size=amount, p=[0.45, 0.3, 0.25])[owner]
    return np.where(rng.random(len(owner)) < 0.8, truth, rng.integers(0, 3, size=len(owner)))


def states_of(owner, given, labels: np.ndarray, wanted: int) -> list[str]:
    """The state of each item: open, complete, or conflicted where its labels differ."""
    kinds = np.zeros((len(labels), len(LABELS)), dtype=bool)
    kinds[owner, given] = True
    differ = (kinds.sum(axis=1) > 1).tolist()
    done = (labels >= wanted).tolist()
    names = {(True, True): "conflicted", (True, False): "complete"}
    return [names.get(pair, "open") for pair in zip(done, differ, strict=True)]


def settle_outcomes(instances: np.ndarray, states: list[str]) -> None:
    for outcome in {"complete", "conflicted"} & set(states):
        chosen = instances[np.array(states) == outcome].tolist()
        for start in range(0, len(chosen), 5_000):
            part = chosen[start : start + 5_000]
            Instance.objects.filter(pk__in=part).update(outcome=outcome)


def insert_labels(world: World, columns: dict, items, owner, given) -> None:
    """A submitted assignment and a live annotation for each label, a verdict with its evidence."""
    amount = len(owner)
    people = np.array(world.people)[annotator_places(owner, len(world.people))]
    now = timezone.now() - timedelta(days=1)
    assignments, annotations = (
        np.array(keys(Assignment, amount)),
        np.array(keys(Annotation, amount)),
    )
    insert(
        Assignment,
        amount,
        id=assignments,
        user_id=people,
        wave_id=world.wave.pk,
        task="T2",
        item_id=items[owner],
        revision_id=columns["revision"][owner],
        source_dictionary_id=columns["source_dictionary"][owner],
        claim_dictionary_id=columns["dictionary"][owner],
        guideline_id=world.wave.guideline_id,
        given_at=now - timedelta(minutes=3),
        leased_until=now + timedelta(minutes=27),
        active_seconds=150,
        shuffle_seed=1,
        outcome="submitted",
        ended_at=now,
    )
    insert(
        Annotation,
        amount,
        id=annotations,
        item_id=items[owner],
        assignment_id=assignments,
        revision_id=columns["revision"][owner],
        kind="cross",
        user_id=people,
        label=[LABELS[code] for code in given.tolist()],
        submission=[UUID(int=int(number)).hex for number in annotations],
        created_at=moment(now),
    )
    insert_evidence(annotations[given < 2], columns["source"][owner][given < 2])


def annotator_places(owner: np.ndarray, people: int) -> np.ndarray:
    """(labels,) places of people: up to four of an item are different, and none is its author.

    people: at least 29, so that four steps of seven do not come round to the author.
    """
    starts = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]]) if len(owner) else owner
    nth = np.arange(len(owner)) - np.repeat(starts, np.diff(np.r_[starts, len(owner)]))
    step = 1 + owner // people % 7
    return (owner + (nth + 1) * step) % people


def insert_evidence(annotations: np.ndarray, sources: np.ndarray) -> None:
    """One set for each verdict: the source, cited whole."""
    sets = np.array(keys(EvidenceSet, len(annotations)))
    insert(EvidenceSet, len(sets), id=sets, annotation_id=annotations, number=1)
    insert(EvidenceItem, len(sets), evidence_set_id=sets, paragraph_id=sources)
