"""The list of conflicts that a person sees: of now where that is quick, else as it was stored."""

from dataclasses import dataclass, replace
from datetime import datetime

from accounts.models import User
from agreement import snapshots
from agreement.differing import Conflict, conflicts_in, conflicts_of_pair
from agreement.figures import AgreementSettings, Scope
from agreement.snapshots import KIND
from agreement.stored_texts import as_conflicts
from annotation.models import instances_hidden_from
from operations.models import Job


@dataclass(frozen=True)
class Listed:
    """Conflicts, hardest first; None where they have to be asked for, with the figures.

    stored_at, is_stale: when stored ones were made, and whether the sweep found that labels have
    changed since; None and False where they are of now. job: a live one that makes them anew.
    """

    conflicts: list[Conflict] | None
    stored_at: datetime | None = None
    is_stale: bool = False
    job: Job | None = None


def listed_for(
    user: User, scope: Scope, settings: AgreementSettings, pair: tuple[str, str] | None = None
) -> Listed:
    """The conflicts whose labels `user` may see, of all or between the annotators of a pair.

    The share is of the disagreement in all of them, seen or not.
    """
    listed = every(scope, settings, pair)
    if not listed.conflicts:
        return listed
    hidden = {pk for (pk,) in instances_hidden_from(user)}
    seen = [each for each in listed.conflicts if each.instance not in hidden]
    return replace(listed, conflicts=seen)


def every(scope, settings, pair) -> Listed:
    if pair:
        return Listed(conflicts_of_pair(scope, settings, *pair))
    if snapshots.has_few_labels(scope):
        return Listed(conflicts_in(scope, settings))
    return stored(scope, settings)


def stored(scope: Scope, settings: AgreementSettings) -> Listed:
    job = snapshots.live_job(KIND.AGREEMENT, scope, settings)
    kept = snapshots.stored(KIND.AGREEMENT, scope, settings, "conflicts")
    if kept is None or not kept.conflicts:
        return Listed(None, job=job)
    return Listed(
        as_conflicts(kept.conflicts),
        stored_at=kept.computed_at,
        is_stale=kept.found_stale_at is not None,
        job=job,
    )
