"""What a person did and left unfinished, as rows of a list, in a constant number of queries.

Only what they can still open: the work page asks the same of an assignment.
"""

from dataclasses import dataclass, field

from django.db.models import Count, Exists, OuterRef, Prefetch, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Annotation, Assignment, Claim, Preselection, Task, Wave
from annotation.reasons import ending_in_words
from annotation.sheets import sheet_from_annotation
from annotation.summaries import summary_of

OUTCOME = Assignment.Outcome
ABOUT = (
    "wave__campaign",
    "article",
    "preselection__paragraph__article",
    "claim",
    "revision",
    "item__instance__claim",
)


@dataclass(frozen=True)
class Entry:
    """One assignment in the list of its person.

    about, language: what it was about, in a line; claims: what was written in it.
    """

    assignment: Assignment
    about: str
    language: str
    summary: str = ""
    claims: list[Claim] = field(default_factory=list)
    is_open: bool = False

    @property
    def state(self):
        """The key of the badge that says how it stands."""
        return STATES[self.assignment.outcome]

    @property
    def reason(self):
        """Why it was skipped or reported, in words."""
        return ending_in_words(self.assignment.reason)

    @property
    def can_change(self):
        """Whether the answer may be replaced: labels until the wave closes."""
        answered = self.assignment.outcome == OUTCOME.SUBMITTED
        return self.is_open and answered and self.assignment.task == Task.T2


STATES = {
    OUTCOME.OPEN: "open",
    OUTCOME.SUBMITTED: "done",
    OUTCOME.SKIPPED: "cancelled",
    OUTCOME.REPORTED: "waiting",
    OUTCOME.EXPIRED: "expired",
}


def unfinished_of(user):
    """What is open, and what ran out with something typed in it; newest first."""
    kept = Q(outcome=OUTCOME.OPEN) | Q(outcome=OUTCOME.EXPIRED, draft__isnull=False)
    return Assignment.objects.of(user).filter(kept).order_by("-given_at", "-pk")


def past_of(user, task=""):
    """What was submitted, skipped or reported, newest first; of one task where one is named."""
    ended = [OUTCOME.SUBMITTED, OUTCOME.SKIPPED, OUTCOME.REPORTED]
    past = Assignment.objects.of(user).filter(outcome__in=ended)
    return (past.filter(task=task) if task else past).order_by("-ended_at", "-pk")


def past_by_task(user):
    """{task: how many pieces of past work}."""
    rows = past_of(user).order_by().values_list("task").annotate(Count("pk"))
    return dict(rows)


def entries_of(assignments):
    """The rows of a list for these assignments (a queryset), in their order."""
    rows = list(assignments.select_related(*ABOUT).prefetch_related(written(), labels()))
    accepted = accepted_by_article(rows)
    now = timezone.now()
    return [entry_of(row, accepted, is_open=row.wave.is_open(now)) for row in rows]


def written():
    return Prefetch("written", with_leases(Claim.objects.order_by("number")), "claims_written")


def labels():
    """The live annotations with their evidence; the person's own is among them."""
    live = Annotation.objects.live().prefetch_related("evidence_sets__items")
    return Prefetch("annotations", live, "live_annotations")


def with_leases(claims):
    """`claims`, each with `is_given`: whether anybody was ever given it to label."""
    leases = Assignment.objects.filter(item__instance__claim=OuterRef("pk"))
    return claims.annotate(is_given=Exists(leases))


def accepted_by_article(rows):
    """{(campaign id, article id): how many of its paragraphs are sources}, for T0."""
    articles = {row.article_id for row in rows if row.task == Task.T0}
    if not articles:
        return {}
    counted = (
        Preselection.objects.filter(paragraph__article__in=articles)
        .exclude(state=Preselection.State.REJECTED)
        .order_by()
        .values_list("campaign", "paragraph__article")
        .annotate(Count("pk"))
    )
    return {(campaign, article): n for campaign, article, n in counted}


def entry_of(assignment, accepted, *, is_open):
    text, language = about(assignment)
    return Entry(
        assignment=assignment,
        about=text,
        language=language,
        summary=summary(assignment, accepted),
        claims=assignment.claims_written,
        is_open=is_open,
    )


def about(assignment):
    """(text, language) of what an assignment is about."""
    if assignment.task == Task.T0:
        article = assignment.article
        return article.title or article.external_id, article.language
    if assignment.task == Task.T1A:
        paragraph = assignment.preselection.paragraph
        return paragraph.text, paragraph.article.language
    if assignment.task == Task.T1B:
        return assignment.claim.text, assignment.claim.language
    claim = assignment.item.instance.claim
    return (assignment.revision or claim).text, claim.language


def summary(assignment, accepted):
    """What came of it, in a line."""
    if assignment.outcome != OUTCOME.SUBMITTED:
        return ""
    if assignment.task == Task.T0:
        n = accepted.get((assignment.wave.campaign_id, assignment.article_id), 0)
        return ngettext("%(n)d paragraph accepted", "%(n)d paragraphs accepted", n) % {"n": n}
    if assignment.task == Task.T2:
        live = assignment.live_annotations
        return summary_of(sheet_from_annotation(live[0])) if live else _("removed by a curator")
    n = len(assignment.claims_written)
    if assignment.task == Task.T1A:
        return ngettext("%(n)d claim", "%(n)d claims", n) % {"n": n}
    return ngettext("%(n)d mutation", "%(n)d mutations", n) % {"n": n}


def without_mutation(user, wave=None):
    """The claims that a person wrote in open waves (or one) and neither mutated nor skipped."""
    waves = Wave.objects.open_at(timezone.now()).worked_by(user).exclude(mutations=[])
    met = user.assignments.filter(task=Task.T1B, claim=OuterRef("pk")).met()
    met = met.exclude(outcome=OUTCOME.OPEN)
    claims = user.claims.initial().filter(~Exists(met), wave__in=[wave] if wave else waves)
    return claims.order_by("wave", "number")
