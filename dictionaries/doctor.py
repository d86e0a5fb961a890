"""Rules of indexes and dictionaries that no constraint holds."""

from django.db.models import F, Q

from corpus.followups import BUILD_JOB
from corpus.models import Corpus
from dictionaries.backends.base import IndexUnavailable
from dictionaries.bridge import backend
from dictionaries.models import Dictionary, DictionaryEntry
from dictionaries.services import check_corpus_index
from operations.models import Job

SHOWN = 5


def wrong_indexes():
    """What indexes hold and should not, or do not and should."""
    for corpus in Corpus.objects.exclude(index_version="").order_by("slug"):
        try:
            yield from wrong_with(corpus)
        except IndexUnavailable as unavailable:
            yield str(unavailable)


def wrong_with(corpus):
    if corpus.is_index_stale:
        if not Job.objects.live().filter(kind=BUILD_JOB, key=corpus.slug).exists():
            yield f"the index of {corpus.slug} is out of date: run build_index {corpus.slug}"
        return
    version = backend().open(corpus.slug).version
    if version != corpus.index_version:
        yield f"the index of {corpus.slug} is {version}, its corpus names {corpus.index_version}"
    check = check_corpus_index(corpus)
    if not check.checksum_ok:
        yield f"the index of {corpus.slug} is damaged: run build_index {corpus.slug} --rebuild"
    for what in ("missing", "extra", "changed"):
        if ids := getattr(check, what):
            some = ", ".join(map(str, ids[:SHOWN]))
            yield f"the index of {corpus.slug} has {len(ids)} paragraphs {what}: {some}"


def left_out_articles():
    rows = DictionaryEntry.objects.filter(
        paragraph__article=F("dictionary__left_out_article")
    ).select_related("paragraph")
    for entry in rows.order_by("pk").iterator():
        yield f"dictionary {entry.dictionary_id} holds {entry.paragraph} of its left-out article"


def copied_times():
    differ = ~Q(available_at=F("paragraph__available_at")) & Q(available_at__isnull=False)
    differ |= Q(available_at=None, paragraph__available_at__isnull=False)
    differ |= ~Q(as_of=F("dictionary__as_of")) & Q(as_of__isnull=False)
    differ |= Q(as_of=None, dictionary__as_of__isnull=False)
    rows = DictionaryEntry.objects.filter(differ).select_related("paragraph")
    for entry in rows.order_by("pk").iterator():
        yield f"dictionary {entry.dictionary_id} has other times for {entry.paragraph}"


def strange_paragraphs():
    """Titles, and paragraphs of other corpora."""
    rows = DictionaryEntry.objects.filter(
        Q(paragraph__rank=0) | ~Q(paragraph__corpus=F("dictionary__corpus"))
    ).select_related("paragraph")
    for entry in rows.order_by("pk").iterator():
        yield f"dictionary {entry.dictionary_id} holds {entry.paragraph}, which is not retrieved"


def half_filled():
    """Entries without the state, or the state without what it rests on."""
    rows = Dictionary.objects.filter(
        Q(entries__isnull=False) & ~Q(state=Dictionary.State.READY)
        | Q(state=Dictionary.State.READY, index_version="")
    ).distinct()
    for dictionary in rows.order_by("pk").iterator():
        yield f"dictionary {dictionary.pk} is {dictionary.state} and half filled"


RULES = [
    (
        "the index holds current paragraphs only, and all of them",
        "Dictionaries are retrieved from it; build_index brings it up to date.",
        wrong_indexes,
    ),
    (
        "nothing of the left-out article is in a dictionary",
        "A source must not be found for itself.",
        left_out_articles,
    ),
    (
        "times in dictionaries equal those of paragraphs",
        "The rule that all is older looks at the copies.",
        copied_times,
    ),
    (
        "dictionaries hold paragraphs of their corpus, and no titles",
        "Titles can be cited and are never retrieved.",
        strange_paragraphs,
    ),
    (
        "dictionaries are filled at once",
        "Entries and state are written in one transaction.",
        half_filled,
    ),
]
