"""What a curator decides: about reported claims, about sources that were skipped."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.events import record_event
from accounts.models import User
from annotation.items import lock_items_of, lock_source, settle_all, settle_source
from annotation.models import Assignment, Claim, ClaimRevision, Preselection, Report
from annotation.readiness import ready_claim, ready_source
from annotation.reasons import CLAIM_WITHDRAWN
from annotation.typed import typed_claim, typed_text
from annotation.writing import new_claims, revise
from operations.database_time import database_now

KEPT = Report.Decision.KEPT
FIXED = Report.Decision.FIXED
WITHDRAWN = Report.Decision.WITHDRAWN


@transaction.atomic
def keep_claim(*, report: Report, by: User, note: str = "") -> Claim:
    """The claim stays as it is and is given out again."""
    claim, items = locked_claim(report, by)
    decide(claim, KEPT, by=by, note=note)
    settle_all(items)
    return claim


@transaction.atomic
def fix_wording(*, report: Report, text: str, by: User, note: str = "") -> ClaimRevision:
    """A new wording of the same meaning: labels stand, and so does the dictionary they saw."""
    text = typed_claim(text, field="text")
    claim, items = locked_claim(report, by)
    if text == claim.text:
        raise ValidationError({"text": _("The wording is the same; keep the claim instead.")})
    revision = revise(claim, text, by=by, kind=ClaimRevision.Kind.WORDING)
    decide(claim, FIXED, by=by, note=note)
    settle_all(items)
    return revision


@transaction.atomic
def replace_meaning(*, report: Report, text: str, by: User, note: str = "") -> Claim:
    """A new meaning: the claim is withdrawn, and a new one with a new number replaces it."""
    text = typed_claim(text, field="text")
    claim, items = locked_claim(report, by)
    if claim.source_id is None:
        raise ValidationError(_("This claim was imported without a source; withdraw it instead."))
    new = new_version(claim, text, by)
    withdraw(claim, items, by=by)
    decide(claim, WITHDRAWN, by=by, note=note)
    ready_claim(new, by=by)
    return new


def new_version(claim: Claim, text: str, by: User) -> Claim:
    kept = ["origin", "source", "source_dictionary", "parent", "external_parent", "mutation"]
    row = {name: getattr(claim, name) for name in kept}
    row |= {"text": text, "replaces": claim}
    return new_claims(wave=claim.wave, author=by, rows=[row])[0]


@transaction.atomic
def withdraw_claim(*, report: Report, by: User, note: str = "") -> Claim:
    """The claim is used no more; all rows stay, and what was done counts for its people.

    The claims that were derived from it stay, too: the page of reports lists them.
    """
    claim, items = locked_claim(report, by)
    withdraw(claim, items, by=by)
    decide(claim, WITHDRAWN, by=by, note=note)
    return claim


def locked_claim(report: Report, by: User) -> tuple[Claim, list]:
    """The claim and its items, locked; refused where the person may not decide about it."""
    items = lock_items_of(report.claim)
    if not Report.objects.decidable_by(by).filter(pk=report.pk).exists():
        raise ValidationError(refusal(report, by))
    claim = Claim.objects.select_related("wave__campaign__corpus", "source__article", "parent")
    return claim.get(pk=report.claim_id), items


def refusal(report: Report, by: User) -> str:
    if not Report.objects.open().filter(pk=report.pk).exists():
        return _("Another curator has decided about this report already.")
    return _("You wrote or labelled this claim, so another curator has to decide about it.")


def decide(claim: Claim, decision: str, *, by: User, note: str) -> None:
    """Close all open reports of a claim by one decision."""
    note = typed_text(note, field="note")
    now = database_now()
    claim.reports.open().update(decision=decision, decided_by=by, decided_at=now, note=note)
    record_event(actor=by, verb=f"claim {decision}", subject=claim, data={"number": claim.number})


def withdraw(claim: Claim, items: list, *, by: User) -> None:
    """Withdraw a locked claim: open leases end with a message, everything else stays."""
    claim.withdrawn_at = database_now()
    claim.save(update_fields=["withdrawn_at"])
    leases = Assignment.objects.open()
    ended = {
        "outcome": Assignment.Outcome.EXPIRED,
        "ended_at": claim.withdrawn_at,
        "reason": CLAIM_WITHDRAWN,
    }
    leases.filter(item__in=items).update(**ended)
    leases.filter(claim=claim).update(**ended)
    settle_all(items)


@transaction.atomic
def decide_source(*, preselection: Preselection, is_accepted: bool, by: User) -> Preselection:
    """Offer a source again that three people skipped, or reject it; also a later change of mind."""
    source = lock_source(preselection.pk)
    state = Preselection.State.ACCEPTED if is_accepted else Preselection.State.REJECTED
    if state != source.state:
        source.state = state
        source.save(update_fields=["state"])
        settle_source(source)
        record_event(actor=by, verb=f"source {state}", subject=source)
    if is_accepted and not source.is_ready:
        ready_source(source, by=by)
    return source
