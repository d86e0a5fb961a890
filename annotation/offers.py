"""The next piece of work of each task: chosen at random, locked, counted again, leased."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from annotation import choosing, suggestion
from annotation.items import count_slots, lock_item, lock_source, wanted_labels, writers_of
from annotation.models import (
    Assignment,
    Campaign,
    Claim,
    Participation,
    Preselection,
    Report,
    Task,
    Wave,
    WaveItem,
)
from annotation.no_work import NoWork, no_label, no_source
from annotation.progress import quota_in
from annotation.readiness import waiting_claims
from corpus.models import Article, Paragraph

SUBMITTED = Assignment.Outcome.SUBMITTED
SKIPPED = Assignment.Outcome.SKIPPED
TRIES = 5


def offer_label(*, user: User, wave: Wave, now: datetime) -> Assignment:
    """T2: one's own claim first where the wave has it, else somebody else's by chance."""
    if assignment := offer_own(user=user, wave=wave, now=now):
        return assignment
    check_quota(user=user, wave=wave, task=Task.T2)
    if item := next_item(user=user, wave=wave):
        return lease_item(item, user=user, now=now)
    raise no_label(user=user, wave=wave, waiting=waiting_claims(wave))


def offer_own(*, user, wave, now) -> Assignment | None:
    """The first own claim that the wave has its author label now.

    Whoever waited, for the item or to make an assignment, may have waited for a change of the
    wave: it is judged as it is afterwards. From then on it keeps these settings.
    """
    for _ in range(TRIES):
        items = own_items(user=user, wave=wave, now=now)
        item_id = items.order_by("instance__claim__number").values_list("pk", flat=True).first()
        if item_id is None:
            return None
        with transaction.atomic():
            item = lock_if_there(item_id)
            if item is not None and items.filter(pk=item_id).exists():
                assignment = lease_item(item, user=user, now=now, is_own=True)
                if own_rules(newest(wave)) == own_rules(wave):
                    return assignment
            let_go()
        wave = newest(wave)
    return None


def newest(wave) -> Wave:
    return Wave.objects.select_related("campaign").get(pk=wave.pk)


def own_rules(wave) -> tuple:
    return wave.labels_own_claims, wave.rests_a_day


def own_items(*, user, wave, now):
    """Own claims not labelled yet, where the wave has them; they may have to rest for a day."""
    if not wave.labels_own_claims:
        return wave.items.none()
    items = wave.items.own_of(user)
    if wave.rests_a_day:
        today = choosing.start_of_day(now=now, zone=wave.campaign.time_zone)
        items = items.filter(instance__claim__created_at__lt=today)
    return items


def lock_if_there(item_id: int) -> WaveItem | None:
    """The item, locked; None where it was removed meanwhile, as nobody had been given it."""
    try:
        return lock_item(item_id)
    except WaveItem.DoesNotExist:
        return None


def next_item(*, user, wave) -> WaveItem | None:
    """The item to give to a person now, locked; siblings of the claim just done come last."""
    items = wave.items.open_to(user)
    if user.is_superuser or Campaign.objects.curated_by(user).filter(pk=wave.campaign_id).exists():
        items = items.unlabelled()  # they may have seen the labels of the others
    last = last_claim(user=user, wave=wave)
    point = pivot_of(user=user, wave=wave, task=Task.T2)
    apart = items if last is None else items.unlike(last)
    item = first_free(apart, point)
    if item is None and last is not None:
        item = first_free(items, point)
    return item


def last_claim(*, user, wave) -> Claim | None:
    done = user.assignments.filter(wave=wave, task=Task.T2, outcome=SUBMITTED)
    last = done.order_by("-ended_at", "-pk").select_related("item__instance__claim").first()
    return last and last.item.instance.claim


def pivot_of(*, user, wave, task) -> float:
    given = user.assignments.filter(wave=wave, task=task).count()
    return choosing.pivot(person=user.pk, seed=wave.seed, given=given)


def first_free(items, point) -> WaveItem | None:
    """The first item at or after `point`, wrapping once, that may be given when it is locked."""
    return first_locked(items, point, lock=lock_if_there, has_place=item_has_place)


def item_has_place(item) -> bool:
    slots = count_slots(item)
    return slots.taken < wanted_labels(item, slots)


def first_locked(rows, point, *, lock, has_place, narrowed=lambda rows: rows):
    """The first row that may be given when it is locked; where others lock all, one is waited for.

    What was chosen is judged again by statements that begin after the lock: an answer that was
    stored meanwhile changes what a person has met, and on PostgreSQL the choice did not see it.
    """
    for _ in range(TRIES):
        for choose in (unlocked_id, next_id):
            with transaction.atomic():
                chosen = choose(narrowed(rows), point)
                if chosen is not None:
                    row = lock(chosen)
                    if row and has_place(row) and rows.filter(pk=chosen).exists():
                        return row
                let_go()
            if chosen is not None:
                break
        else:
            return None
        rows = rows.exclude(pk=chosen)
    return None


def let_go() -> None:
    """Release what the innermost atomic block locked, by rolling back to its savepoint.

    Who waits for one row while holding another may wait for somebody who waits for them.
    """
    transaction.set_rollback(True)


def unlocked_id(rows, point) -> int | None:
    """The id of a row that nobody had locked, locked by us.

    PostgreSQL also locks rows on the way that turn out to have changed: let them go before waiting.
    """
    return next_id(rows.select_for_update(skip_locked=True, of=("self",), no_key=True), point)


def next_id(rows, point) -> int | None:
    """The id of the first row at or after `point`, wrapping once."""
    for part in (rows.from_pivot(point), rows.up_to_pivot(point)):
        if (row := part.first()) is not None:
            return row.pk
    return None


def lease_item(item, *, user, now, is_own=False) -> Assignment:
    claim = item.instance.claim
    assignment = lease(
        user=user,
        wave=item.wave,
        task=Task.T2,
        now=now,
        target={"item": item},
        shown={
            "is_own": is_own,
            "revision": claim.revisions.order_by("-number").first(),
            "source_dictionary": claim.source_dictionary,
            "claim_dictionary": claim.dictionary,
        },
    )
    if not is_own:
        WaveItem.objects.filter(pk=item.pk).update(taken=count_slots(item).taken)
    return assignment


def lease(*, user, wave, task, now, target, shown=None) -> Assignment:
    """Give a thing to a person; what once ran out with them is opened again, draft and all.

    Waves share sources: one that ran out in another wave moves into this one. Articles they do not.
    """
    values = {
        **(shown or {}),
        "wave": wave,
        "guideline": wave.guideline,
        "given_at": now,
        "leased_until": now + choosing.LEASES[task],
        "outcome": Assignment.Outcome.OPEN,
        "ended_at": None,
        "reason": "",
    }
    seed = choosing.shuffle_seed(wave.seed, user.pk, task, *(row.pk for row in target.values()))
    which = {"article": target["article"], "wave": wave} if task == Task.T0 else target
    assignment, _ = Assignment.objects.update_or_create(
        user=user,
        task=task,
        **which,
        defaults=values,
        create_defaults={**values, "shuffle_seed": seed},
    )
    return assignment


def check_quota(*, user, wave, task) -> None:
    """Raise NoWork where a person has done what was asked of them."""
    participation = Participation.objects.select_related("wave").get(user=user, wave=wave)
    if (quota := quota_in(participation, task)) is not None:
        done = user.assignments.counted().filter(wave=wave, task=task).count()
        if done >= quota:
            raise NoWork("quota")


def offer_source(*, user: User, wave: Wave, now: datetime) -> Assignment:
    """T1a: one of the least used sources."""
    check_quota(user=user, wave=wave, task=Task.T1A)
    sources = Preselection.objects.wanted_in(wave).not_met_by(user)
    source = least_used(sources, pivot_of(user=user, wave=wave, task=Task.T1A))
    if source is None:
        raise no_source(user=user, wave=wave)
    assignment = lease(
        user=user,
        wave=wave,
        task=Task.T1A,
        now=now,
        target={"preselection": source},
        shown={"source_dictionary": source.dictionary},
    )
    Preselection.objects.filter(pk=source.pk).update(taken=writers_of(source))
    return assignment


def least_used(sources, point) -> Preselection | None:
    """A source with the fewest writers, locked, with a place for one more."""
    return first_locked(
        sources, point, lock=lock_source, has_place=source_has_place, narrowed=with_fewest_writers
    )


def source_has_place(source) -> bool:
    return writers_of(source) < source.wanted


def with_fewest_writers(sources):
    least = sources.order_by("taken").values_list("taken", flat=True).first()
    return sources.none() if least is None else sources.filter(taken=least)


def offer_mutation(*, user: User, wave: Wave, now: datetime) -> Assignment:
    """T1b: the first of one's own claims that was neither mutated nor left out."""
    check_quota(user=user, wave=wave, task=Task.T1B)
    written = user.claims.initial().filter(wave=wave)
    met = user.assignments.filter(task=Task.T1B, claim=OuterRef("pk")).met()
    reported = Exists(Report.objects.open().filter(claim=OuterRef("pk")))
    claims = written.filter(~Exists(met), ~reported).order_by("number")
    claim = claims.select_for_update(of=("self",), no_key=True).first()
    if claim is None or not claims.filter(pk=claim.pk).exists():
        raise NoWork("done" if written.exists() else "no_claims")
    return lease(
        user=user,
        wave=wave,
        task=Task.T1B,
        now=now,
        target={"claim": claim},
        shown={"source_dictionary": claim.source_dictionary},
    )


def offer_article(*, user: User, wave: Wave, now: datetime) -> Assignment:
    """T0: an article that nobody in the campaign preselects from or has preselected from."""
    if not Campaign.objects.curated_by(user).filter(pk=wave.campaign_id).exists():
        raise NoWork("not_approved")
    if wave.campaign.corpus_id is None:
        raise NoWork("no_corpus")
    article = free_article(user=user, wave=wave)
    if article is None:
        raise NoWork("done")
    paragraph, score = suggested_paragraph(article, seed=wave.seed)
    shown = {"suggested": paragraph, "suggested_score": score}
    return lease(
        user=user, wave=wave, task=Task.T0, now=now, target={"article": article}, shown=shown
    )


def free_article(*, user, wave) -> Article | None:
    """A random article of the corpus, locked, that is with nobody and was done by nobody."""
    taken = Assignment.objects.filter(
        wave__campaign=wave.campaign_id, task=Task.T0, article=OuterRef("pk")
    ).filter(Q(outcome__in=[Assignment.Outcome.OPEN, SUBMITTED]) | Q(user=user, outcome=SKIPPED))
    articles = wave.campaign.corpus.articles.retrievable().filter(~Exists(taken))
    point = pivot_of(user=user, wave=wave, task=Task.T0)
    for part in [articles.filter(random_key__gte=point), articles.filter(random_key__lt=point)]:
        rows = part.order_by("random_key", "pk")
        for _ in range(TRIES):
            article = rows.select_for_update(skip_locked=True, of=("self",), no_key=True).first()
            if article is None:
                break
            if articles.filter(pk=article.pk).exists():  # counted again, after the lock
                return article
            rows = rows.exclude(pk=article.pk)
    return None


def suggested_paragraph(article, *, seed) -> tuple[Paragraph | None, float | None]:
    """The paragraph that is shown as suggested, and its score."""
    paragraphs = article.paragraphs.filter(version=article.version, rank__gt=0).order_by("rank")
    paragraphs = list(paragraphs)
    chosen = suggestion.suggest(
        [(row.text, row.kind == Paragraph.Kind.TABLE) for row in paragraphs],
        draw=choosing.share_of("suggest", seed, article.pk),
    )
    return (None, None) if chosen is None else (paragraphs[chosen.index], chosen.score)
