"""Pseudonyms: what people are called in exports and figures."""

import hmac
from hashlib import sha256

LENGTH = 12


def pseudonym_of(campaign, user_id: int) -> str:
    """A person's name in what leaves a campaign: a keyed hash, for ever the same.

    It survives backup and restore, and being forgotten; another campaign has another one.
    """
    key = bytes.fromhex(campaign.pseudonym_secret)
    return hmac.new(key, str(user_id).encode(), sha256).hexdigest()[:LENGTH]


def people_of(campaign) -> dict:
    """{pseudonym: user} of everybody who ever belonged to a campaign."""
    memberships = campaign.memberships.select_related("user")
    return {pseudonym_of(campaign, row.user_id): row.user for row in memberships}


def names_of(campaign) -> dict[str, str]:
    """{pseudonym: what a person is called}, for those who may see it: managers."""
    return {pseudonym: str(user) for pseudonym, user in people_of(campaign).items()}
