"""What a command is asked for by names: a campaign, a wave, and instances by claim and scope."""

from agreement.figures import Scope
from annotation.models import Campaign, Instance
from corpus.models import versioned_name


def scope_named(slug: str, wave: str | None) -> Scope:
    """The campaign of a slug, or its wave of a name. Raises ValueError with a line for people."""
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        raise ValueError(f"There is no campaign {slug!r}; its slug is in the address of its pages.")
    if wave is None:
        return Scope(campaign)
    found = campaign.waves.filter(name=wave).first()
    if found is None:
        names = ", ".join(repr(each.name) for each in campaign.waves.counted().order_by("pk"))
        raise ValueError(f"{slug} has no wave {wave!r}; its waves are {names or 'none yet'}.")
    if found.is_sandbox:
        raise ValueError(f"The wave {wave!r} is a sandbox, which is never in figures.")
    return Scope(campaign, found)


def instance_names(campaign: Campaign) -> dict[int, int | str]:
    """{instance id: how files name it}: the claim's number, and its scope where it is narrow."""
    rows = Instance.objects.filter(claim__campaign=campaign).values_list(
        "pk", "claim__number", "article__external_id", "article_version", "passage__public_id"
    )
    return {
        pk: instance_name(number, article, version, passage)
        for pk, number, article, version, passage in rows.iterator(chunk_size=5000)
    }


def instance_name(number, article, version, passage) -> int | str:
    """The claim's number, and behind a slash the passage or article that is its scope."""
    if passage is not None:
        return f"{number}/{passage}"
    return number if article is None else f"{number}/{versioned_name(article, version)}"
