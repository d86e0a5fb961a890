"""When sources and claims are ready for work: their dictionaries are there, or none is needed."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from annotation import choosing
from annotation.items import (
    lock_claim,
    lock_item,
    lock_items_of,
    planned_labels,
    settle,
    settle_all,
)
from annotation.models import Claim, Instance, Preselection, Wave, WaveItem
from corpus.models import Paragraph
from dictionaries.backends.base import IndexUnavailable
from dictionaries.models import Dictionary
from dictionaries.services import build_dictionary, prepare_dictionary
from operations.database_time import database_now
from operations.jobs import queue_job, run_again
from operations.models import REST, Job

SOURCE_JOB = "prepare-source"
CLAIM_JOB = "prepare-claim"
FILL_JOB = "fill-wave"
SETTLE_JOB = "settle-wave"
TRIES = 3
ORIGINS = {
    Wave.Pool.MUTATIONS: [Claim.Origin.MUTATED],
    Wave.Pool.INITIAL: [Claim.Origin.EXTRACTED],
    Wave.Pool.IMPORTED: [Claim.Origin.IMPORTED, Claim.Origin.CITANCE, Claim.Origin.TRANSLATED],
}


def needs_dictionary(corpus) -> bool:
    """Whether dictionaries can be made: without an index people work with the source alone."""
    return corpus is not None and bool(corpus.index_version)


def ready_source(preselection: Preselection, *, by=None) -> None:
    """Make an accepted source ready: by a job, or at once where the corpus has no index."""
    if needs_dictionary(preselection.campaign.corpus):
        arguments = {"preselection": preselection.pk}
        queue_job(kind=SOURCE_JOB, key=str(preselection.pk), arguments=arguments, by=by)
    else:
        Preselection.objects.filter(pk=preselection.pk).update(is_ready=True)


def ready_claim(claim: Claim, *, wave: Wave | None = None, by=None) -> None:
    """Make a claim ready for the wave that wants it, in the same two ways."""
    wave = wave or wave_wanting(claim)
    if wave is None:
        return
    if lacks_dictionary(claim):
        arguments = {"claim": claim.pk, "wave": wave.pk}
        queue_job(kind=CLAIM_JOB, key=f"{claim.pk}:{wave.pk}", arguments=arguments, by=by)
    else:
        put_to_work(claim, wave)


@transaction.atomic
def queue_for(wave: Wave, kind: str, *, by=None) -> None:
    """Have a job bring the wave's items up to date: they may be too many for a request.

    A job that waits is held back until our transaction ends, and reads the wave as it is then;
    one that runs may have read it before, so another comes after it.
    """
    arguments = {"wave": wave.pk}
    live = Job.objects.live().filter(kind=kind, arguments__wave=wave.pk)
    live = live.exclude(arguments__has_key="goes_on")
    newest = live.select_for_update().order_by("pk").last()
    if newest is None or newest.state == Job.State.RUNNING:
        key = f"{wave.pk} after {newest.pk}" if newest else str(wave.pk)
        queue_job(kind=kind, key=key, arguments=arguments, by=by)


def prepare_source(preselection: Preselection) -> Preselection:
    """Build d(source) and let writers have it. Done again, it changes nothing."""
    if preselection.is_ready or preselection.state != Preselection.State.ACCEPTED:
        return preselection
    preselection.dictionary = dictionary_of_source(
        preselection.paragraph, preselection.wave.dictionary_settings
    )
    preselection.is_ready = True
    preselection.save(update_fields=["dictionary", "is_ready"])
    return preselection


def prepare_claim(claim: Claim, wave: Wave) -> Claim:
    """Build d(claim), and d(source) where its source came without, and make its wave item.

    The item only where the wave still has it in its pool. Done again, it changes nothing.
    """
    while claim.withdrawn_at is None and lacks_dictionary(claim):
        wave.refresh_from_db(fields=["dictionary_settings"])
        made = {}
        if lacks_dictionary_of_source(claim):
            made["source_dictionary"] = dictionary_of_source(claim.source, wave.dictionary_settings)
        if lacks_own_dictionary(claim):
            made["dictionary"] = dictionary_of_claim(claim, wave.dictionary_settings)
        keep_dictionaries(claim, wave, made)
        claim.refresh_from_db()
    put_to_work(claim, wave)
    return claim


@transaction.atomic
def keep_dictionaries(claim: Claim, wave: Wave, made: dict[str, Dictionary]) -> None:
    """Give a claim the dictionaries that were made for it, and free its items.

    Its text, or the settings of the wave, may have changed meanwhile: then it gets none of them.
    """
    items = lock_items_of(claim)
    settings = Wave.objects.values_list("dictionary_settings", flat=True).get(pk=wave.pk)
    still_lacking = dict.fromkeys(made)
    row = Claim.objects.filter(pk=claim.pk, text=claim.text, **still_lacking)
    if settings == wave.dictionary_settings and row.update(**made, awaits_dictionary=False):
        settle_all(items)


def lacks_dictionary(claim: Claim) -> bool:
    """Whether d(claim) or d(source) can be made and is not."""
    return lacks_own_dictionary(claim) or lacks_dictionary_of_source(claim)


def lacks_own_dictionary(claim: Claim) -> bool:
    """Whether d(claim) can be made and is not."""
    return claim.dictionary_id is None and can_have_dictionary(claim)


def can_have_dictionary(claim: Claim) -> bool:
    """Whether d(claim) can be made: an import may state no date to judge the claim by."""
    corpus = claim.campaign.corpus
    return needs_dictionary(corpus) and (corpus.undated or claim.as_of is not None)


def lacks_dictionary_of_source(claim: Claim) -> bool:
    """Whether d(source) can be made and is not: imported claims bring their source alone."""
    if claim.source_id is None or claim.source_dictionary_id is not None:
        return False
    return needs_dictionary(claim.campaign.corpus)


def dictionary_of_source(paragraph: Paragraph, settings: dict) -> Dictionary:
    return built_dictionary(
        corpus=paragraph.corpus,
        text=paragraph.text,
        language=paragraph.article.language,
        as_of=paragraph.published_at,
        left_out_article=paragraph.article,
        settings=settings,
    )


def dictionary_of_claim(claim: Claim, settings: dict) -> Dictionary:
    return built_dictionary(
        corpus=claim.campaign.corpus,
        text=claim.text,
        language=claim.language,
        as_of=claim.as_of,
        left_out_article=claim.source and claim.source.article,
        settings=settings,
    )


def built_dictionary(**query) -> Dictionary:
    """The dictionary of a query, ready; prepared anew where the index was replaced meanwhile."""
    for _ in range(TRIES):
        try:
            return build_dictionary(prepare_dictionary(**query))
        except IndexUnavailable as unavailable:
            reason = str(unavailable)
    raise ValidationError(reason)


def in_pool_of(wave: Wave):
    """What a wave labels: claims of its pool that were written in it, or that no wave labels.

    A sandbox leaves the claims of the real waves alone, but for imported ones.
    """
    claims = Claim.objects.filter(campaign=wave.campaign_id, withdrawn_at=None)
    imported = Q(origin__in=ORIGINS[Wave.Pool.IMPORTED])
    elsewhere = Exists(
        WaveItem.objects.filter(
            instance__claim=OuterRef("pk"),
            wave__purpose=Wave.Purpose.NORMAL,
            wave__is_sandbox=False,
        ).exclude(wave=wave)
    )
    free = imported if wave.is_sandbox else ~elsewhere & Q(wave__is_sandbox=False)
    origins = [origin for kind in wave.pool for origin in ORIGINS[kind]]
    return claims.filter(Q(wave=wave) | free, origin__in=origins)


def waiting_claims(wave: Wave):
    """Claims of a wave's pool that have no item in it yet, or whose item waits for a dictionary."""
    items = WaveItem.objects.filter(wave=wave, instance__claim=OuterRef("pk"))
    at_work = items.filter(instance__claim__awaits_dictionary=False)
    return in_pool_of(wave).filter(~Exists(at_work)).order_by("number")


def wave_wanting(claim: Claim) -> Wave | None:
    """The wave that labels a claim: its own where that has its kind, else the first open one."""
    waves = Wave.objects.filter(campaign=claim.campaign_id, purpose=Wave.Purpose.NORMAL)
    not_over = Q(closes_at=None) | Q(closes_at__gt=database_now()) | Q(pk=claim.wave_id)
    waves = sorted(waves.filter(not_over), key=lambda wave: (wave.pk != claim.wave_id, wave.pk))
    return next((wave for wave in waves if in_pool_of(wave).filter(pk=claim.pk).exists()), None)


@transaction.atomic
def put_to_work(claim: Claim, wave: Wave) -> WaveItem | None:
    """Make the item of a claim in a wave, where the pool as it is now has the claim.

    Meanwhile the claim may have been withdrawn or taken by another wave, and the pool changed.
    """
    lock_claim(claim)
    wave = Wave.objects.get(pk=wave.pk)
    claim = in_pool_of(wave).filter(pk=claim.pk).select_related("campaign__corpus").first()
    if claim is None:
        return None
    if claim.awaits_dictionary and not lacks_dictionary(claim):  # none can be made any more
        Claim.objects.filter(pk=claim.pk).update(awaits_dictionary=False)
    return make_item(claim, wave)


@transaction.atomic
def make_item(claim: Claim, wave: Wave) -> WaveItem:
    """The item of a claim against its whole scope in a wave, made once; held if it must wait.

    Whoever withdraws, reports or edits the claim at this moment waits, and then finds the item.
    """
    lock_claim(claim)
    instance, _ = Instance.objects.get_or_create(claim=claim, scope_kind=Instance.ScopeKind.WHOLE)
    item, _ = WaveItem.objects.get_or_create(
        wave=wave,
        instance=instance,
        defaults={
            "wanted": planned_labels(wave, claim),
            "random_key": choosing.random_key(wave.seed, claim.number),
        },
    )
    return settle(lock_item(item.pk))


def fill_wave(wave: Wave, *, progress=None, most: int | None = None) -> int:
    """Ready what a wave's pool holds and has neither item nor job; how many claims that were.

    most: how many at most; else all.
    """
    spoken_for = with_job(CLAIM_JOB)
    waiting = [
        pk
        for pk in waiting_claims(wave).values_list("pk", flat=True)
        if f"{pk}:{wave.pk}" not in spoken_for
    ][:most]
    claims = Claim.objects.select_related("campaign__corpus")
    for done, pk in enumerate(waiting, start=1):
        ready_claim(claims.get(pk=pk), wave=wave)
        if progress:
            progress(done, len(waiting))
    return len(waiting)


def unready_sources() -> list[Preselection]:
    """Accepted sources with neither their dictionary nor a job that makes it."""
    sources = Preselection.objects.accepted().filter(is_ready=False).order_by("pk")
    spoken_for = with_job(SOURCE_JOB)
    sources = sources.select_related("campaign__corpus")
    return [source for source in sources if str(source.pk) not in spoken_for]


def with_job(kind: str) -> set[str]:
    """The keys whose job is live, was cancelled lately, or failed: see `retry_failed`."""
    jobs = Job.objects.filter(kind=kind)
    spoken_for = jobs.live() | jobs.resting() | jobs.filter(state=Job.State.FAILED)
    return set(spoken_for.values_list("key", flat=True))


def retry_failed(*, most: int) -> int:
    """Run dictionaries that failed again after an hour: their index may be there again.

    How many that were. Those that failed longest ago come first, so that none keeps the others
    from their turn.
    """
    kinds = [SOURCE_JOB, CLAIM_JOB]
    failed = Job.objects.filter(kind__in=kinds, state=Job.State.FAILED, ended_at__lte=Now() - REST)
    return sum(run_again(job=job) for job in failed.order_by("ended_at", "pk")[:most])
