"""Builders with defaults: a test names only the detail that it is about."""

from datetime import UTC, datetime, timedelta
from itertools import count
from uuid import uuid4

from django.utils import timezone

from accounts.models import User
from annotation.answering import Answer, submit_annotation
from annotation.campaigns import create_campaign
from annotation.models import (
    Assignment,
    Campaign,
    Claim,
    ClaimRevision,
    Membership,
    Participation,
    Preselection,
    Wave,
)
from annotation.readiness import make_item
from annotation.writing import allocate_numbers
from corpus.models import Article, Corpus, Import, Paragraph, public_id
from corpus.texts import text_hash
from dictionaries.models import Dictionary, DictionaryEntry

PASSWORD = "correct horse battery"
A_DAY = datetime(2022, 5, 14, 9, tzinfo=UTC)
numbers = count(1)


def make_user(*, username="ada", password=PASSWORD, **fields):
    """The user of this name; made where there is none yet."""
    if user := User.objects.filter(username=username).first():
        return user
    return User.objects.create_user(username=username, password=password, **fields)


def make_campaign(*, slug="spring", manager=None, **fields):
    """The campaign of this slug, with the built-in guidelines; made where there is none yet."""
    if campaign := Campaign.objects.filter(slug=slug).first():
        return campaign
    manager = manager or make_user(username=f"manager-of-{slug}")
    fields.setdefault("name", slug.capitalize())
    return create_campaign(actor=manager, slug=slug, **fields)


def make_member(campaign, user="ben", *, role="annotator"):
    """`user` (or the user of this name) as a member; a role that was there is replaced."""
    user = make_user(username=user) if isinstance(user, str) else user
    Membership.objects.update_or_create(campaign=campaign, user=user, defaults={"role": role})
    return user


def make_wave(campaign=None, *, name="First wave", is_open=True, **fields):
    """A wave by the campaign's newest guidelines, opened an hour ago unless told otherwise."""
    campaign = campaign or make_campaign()
    if is_open:
        fields.setdefault("opens_at", timezone.now() - timedelta(hours=1))
    fields.setdefault("guideline", campaign.guidelines.last())
    return Wave.objects.create(campaign=campaign, name=name, **fields)


def make_participant(wave, user="ben", **fields):
    """`user` as a member of the campaign who may work in `wave`."""
    campaign = wave.campaign
    user = make_user(username=user) if isinstance(user, str) else user
    Membership.objects.get_or_create(campaign=campaign, user=user, defaults={"role": "annotator"})
    Participation.objects.update_or_create(wave=wave, user=user, defaults=fields)
    return user


def make_corpus(*, slug="agency", **fields):
    """The corpus of this slug, without an index; made where there is none yet."""
    defaults = {"name": slug.capitalize(), **fields}
    return Corpus.objects.get_or_create(slug=slug, defaults=defaults)[0]


def make_article(corpus=None, *texts, published_at=A_DAY, title="Bridge delayed again", **fields):
    """An article of a complete import, with its title and a paragraph for each of `texts`."""
    corpus = corpus or make_corpus()
    number = next(numbers)
    added_by = fields.pop("added_by", None) or make_import(corpus)
    article = Article.objects.create(
        corpus=corpus,
        added_by=added_by,
        external_id=fields.pop("external_id", f"article{number}"),
        title=title,
        language=fields.pop("language", corpus.language),
        published_at=published_at,
        available_at=fields.pop("available_at", published_at),
        content_hash=f"{number:064d}",
        random_key=fields.pop("random_key", number * 0.6180339 % 1),
        **fields,
    )
    add_paragraphs(article, *(texts or ("The bridge opened in May.", "It cost ten million.")))
    return article


def make_import(corpus):
    fields = {"state": Import.State.COMPLETE, "fingerprint": "0" * 64}
    return Import.objects.filter(corpus=corpus, **fields).first() or Import.objects.create(
        corpus=corpus, **fields
    )


def add_paragraphs(article, *texts):
    """The title and paragraphs of the article's current version."""
    return Paragraph.objects.bulk_create(
        Paragraph(
            corpus=article.corpus,
            article=article,
            version=article.version,
            rank=rank,
            public_id=public_id(article.external_id, article.version, rank),
            kind="prose" if rank else "title",
            text=text,
            units=[{"id": "s0", "kind": "sentence", "start": 0, "end": len(text)}] if rank else [],
            published_at=article.published_at,
            available_at=article.available_at,
        )
        for rank, text in enumerate([article.title, *texts])
    )


def paragraph_of(article, rank=1):
    return article.paragraphs.get(version=article.version, rank=rank)


def make_dictionary(corpus, *paragraphs, as_of=A_DAY, method="semantic", **fields):
    """A ready dictionary of these paragraphs."""
    dictionary = Dictionary.objects.create(
        corpus=corpus,
        key=f"{next(numbers):064d}",
        text="The bridge",
        language=corpus.language,
        as_of=as_of,
        index_version="1",
        **{"state": "ready", **fields},
    )
    DictionaryEntry.objects.bulk_create(
        DictionaryEntry(
            dictionary=dictionary,
            paragraph=paragraph,
            method=method,
            rank=rank,
            score=1 / rank,
            query="cluster 1",
            available_at=paragraph.available_at,
            as_of=as_of,
        )
        for rank, paragraph in enumerate(paragraphs, start=1)
    )
    return dictionary


def make_source(wave, paragraph=None, **fields):
    """A paragraph that was accepted as a source and is ready for writers."""
    paragraph = paragraph or paragraph_of(make_article(wave.campaign.corpus))
    defaults = {"state": "accepted", "is_ready": True, "wanted": wave.writers_per_source}
    defaults |= {"is_sandbox": wave.is_sandbox, "random_key": next(numbers) * 0.6180339 % 1}
    return Preselection.objects.create(
        campaign=wave.campaign,
        wave=wave,
        paragraph=paragraph,
        **{**defaults, "chosen_by": make_user(username="cyn"), **fields},
    )


def make_claim(wave, text=None, *, author="ada", source=None, **fields):
    """A claim with its first revision: extracted, or mutated where it has a parent."""
    source = source or paragraph_of(make_article(wave.campaign.corpus))
    (number,) = allocate_numbers(wave.campaign_id, 1)
    text = text or f"The bridge opened in {number}."
    if fields.get("parent"):
        fields = {"origin": "mutated", "mutation": "rephrase", **fields}
    claim = Claim.objects.create(
        campaign=wave.campaign,
        wave=wave,
        number=number,
        text=text,
        text_hash=text_hash(text),
        language="en",
        author=make_user(username=author) if isinstance(author, str) else author,
        source=source,
        source_published_at=source.published_at,
        as_of=source.published_at,
        **{"origin": "extracted", **fields},
    )
    ClaimRevision.objects.create(claim=claim, text=text, created_by=claim.author)
    return claim


def make_work(wave, size=1, **fields):
    """Items of a wave for new claims, each upon an article of its own."""
    return [make_item(make_claim(wave, **fields), wave) for _ in range(size)]


def make_answer(label="NOT ENOUGH INFO", *sets, **fields):
    """An answer whose sets are lists of paragraphs, each taken whole."""
    sets = [[(paragraph.pk, "") for paragraph in items] for items in sets]
    return Answer(label=label, evidence_sets=sets, **{"submission": uuid4(), **fields})


def answer_of(assignment, label="NOT ENOUGH INFO", **fields):
    """An answer that the rules accept: a verdict cites the source."""
    cited = [] if label == "NOT ENOUGH INFO" else [[assignment.item.instance.claim.source]]
    return make_answer(label, *cited, **fields)


def submit(assignment, label="NOT ENOUGH INFO", **fields):
    """The stored answer to an assignment."""
    return submit_annotation(assignment=assignment, answer=answer_of(assignment, label, **fields))


def run_out(assignment, *, minutes=1):
    """Let an assignment's lease have ended some minutes ago; the clock is never moved."""
    ended = timezone.now() - timedelta(minutes=minutes)
    Assignment.objects.filter(pk=assignment.pk).update(leased_until=ended)
    assignment.refresh_from_db()
    return assignment
