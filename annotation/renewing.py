"""Items and dictionaries follow the settings of their wave, as far as nobody was given them."""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from annotation import choosing
from annotation.items import settle_all, settle_outcome
from annotation.models import Annotation, Assignment, Claim, Instance, Wave, WaveItem
from annotation.readiness import (
    ORIGINS,
    can_have_dictionary,
    in_pool_of,
    lacks_dictionary,
    needs_dictionary,
)
from dictionaries.bridge import dictionary_settings

FEW = 50  # claims that are renewed within a request; more are left to a job
RELATED = ("campaign__corpus", "dictionary", "source_dictionary")
COLUMNS = ("origin", "as_of", "source", "awaits_dictionary", *RELATED[1:])
OF_RELATED = (
    "campaign__corpus__undated",
    "campaign__corpus__index_version",
    "campaign__corpus__agency_names",
    "dictionary__settings",
    "source_dictionary__settings",
)


def lock_few(wave: Wave) -> list[int]:
    """The claims of a wave's items, locked with all that is made of them; none where they are many.

    In the order in which everybody locks: claims, items, instances.
    """
    claims = wave.items.order_by().values_list("instance__claim", flat=True).distinct()
    few = list(claims[: FEW + 1])
    if len(few) > FEW:
        return []
    lock_claims(few)
    return few


def lock_claims(claims: list[int]) -> None:
    for rows in (
        Claim.objects.filter(pk__in=claims),
        WaveItem.objects.filter(instance__claim__in=claims),
        Instance.objects.filter(claim__in=claims),
    ):
        list(rows.order_by("pk").select_for_update(of=("self",), no_key=True))


def renew_wave(wave: Wave, *, progress=None) -> int:
    """Renew all that does not follow from a wave's settings; how many claims that concerned.

    A claim at a time: nobody who works waits for long.
    """
    claims = stale_claims(wave)
    for done, claim in enumerate(claims, start=1):
        renew(wave, [claim])
        if progress:
            progress(done, len(claims))
    return len(claims)


def stale_claims(wave: Wave) -> list[int]:
    """The claims whose item or dictionaries do not follow from the settings of a wave."""
    items = free_items(wave)
    rows = items.values_list("instance__claim", "instance__claim__number", "random_key")
    stale = {pk for pk, number, place in rows.iterator() if place != place_of(wave, number)}
    stale |= set(outside_pool(items, wave).values_list("instance__claim", flat=True))
    stale |= {claim.pk for claim in decided_by(wave).iterator() if is_outdated(claim, wave)}
    return sorted(stale)


@transaction.atomic
def renew(wave: Wave, claims: list[int]) -> None:
    """Let what was made of these claims follow a wave as it is now.

    Items that its pool has no more are removed. Dictionaries that were made otherwise are taken
    away, and their claims are held until they are made anew.
    """
    lock_claims(claims)
    wave = Wave.objects.select_related("campaign__corpus").get(pk=wave.pk)
    items = free_items(wave).filter(instance__claim__in=claims)
    remove(outside_pool(items, wave))
    for pk, number in items.values_list("pk", "instance__claim__number"):
        WaveItem.objects.filter(pk=pk).update(random_key=place_of(wave, number))
    for claim in decided_by(wave).filter(pk__in=claims):
        if is_outdated(claim, wave):
            set_aside(claim, wave)
    settle_all(list(WaveItem.objects.filter(instance__claim__in=claims)))


def free_items(wave: Wave):
    """The items that a wave's pool brought and that nobody was given."""
    given = Assignment.objects.filter(item=OuterRef("pk"))
    labelled = Annotation.objects.filter(item=OuterRef("pk"))
    items = wave.items.filter(
        purpose=WaveItem.Purpose.NORMAL, instance__scope_kind=Instance.ScopeKind.WHOLE
    )
    return items.filter(~Exists(given), ~Exists(labelled))


def outside_pool(items, wave: Wave):
    """Those whose claim a wave's pool has no more; withdrawn claims keep all their rows."""
    in_pool = in_pool_of(wave).filter(pk=OuterRef("instance__claim"))
    return items.filter(~Exists(in_pool), instance__claim__withdrawn_at=None)


def remove(items) -> None:
    """Remove items that nobody was given; their instances stay, for other waves."""
    ids = list(items.values_list("instance", flat=True))
    items.delete()
    for instance in Instance.objects.filter(pk__in=ids).order_by("pk"):
        settle_outcome(instance)


def place_of(wave: Wave, number: int) -> float:
    """Where the item of claim `number` stands in a wave's random order."""
    return choosing.random_key(wave.seed, number)


def decided_by(wave: Wave):
    """The claims of a wave's pool whose dictionaries it decides: nobody labels by those there are.

    A sandbox decides nothing for other waves: neither by its labels nor where one has the claim;
    of several sandboxes the first one decides.
    """
    given = Assignment.objects.filter(item__instance__claim=OuterRef("pk"))
    others = WaveItem.objects.filter(
        instance__claim=OuterRef("pk"), wave__purpose=Wave.Purpose.NORMAL
    ).exclude(wave=wave)
    if wave.is_sandbox:
        others = others.filter(Q(wave__is_sandbox=False) | Q(wave__lt=wave.pk))
    else:
        given = given.filter(wave__is_sandbox=False)
        others = others.filter(wave__is_sandbox=False)
    items = WaveItem.objects.filter(instance__claim=OuterRef("pk"), wave=wave)
    claims = in_pool_of(wave).filter(~Exists(given), ~Exists(others))
    claims = claims.annotate(has_item=Exists(items)).select_related(*RELATED)
    return claims.only(*COLUMNS, *OF_RELATED)  # without the raw lines of imports


def is_outdated(claim: Claim, wave: Wave) -> bool:
    """Whether a wave has a claim's dictionaries made otherwise than they are, or one is missing.

    Where the claim has no item yet, or is held, what is missing is being made in any case.
    """
    if not needs_dictionary(claim.campaign.corpus):
        return False
    lacks_one = claim.has_item and not claim.awaits_dictionary and lacks_dictionary(claim)
    return lacks_one or bool(made_otherwise(claim, wave))


def made_otherwise(claim: Claim, wave: Wave) -> list[str]:
    """Which of a claim's dictionaries were made by other settings and can be made anew.

    d(source) of a claim that was written here stays as its writer saw it.
    """
    names = ["dictionary"] if can_have_dictionary(claim) else []
    names += ["source_dictionary"] if claim.origin in ORIGINS[Wave.Pool.IMPORTED] else []
    asked = dictionary_settings(claim.campaign.corpus, wave.dictionary_settings)
    found = {name: getattr(claim, name) for name in names}
    return [
        name
        for name, dictionary in found.items()
        if dictionary and dictionary_settings(claim.campaign.corpus, dictionary.settings) != asked
    ]


def set_aside(claim: Claim, wave: Wave) -> None:
    """Take away what was made otherwise; the claim is held until it is made anew."""
    emptied = dict.fromkeys(made_otherwise(claim, wave))
    Claim.objects.filter(pk=claim.pk).update(**emptied, awaits_dictionary=True)
