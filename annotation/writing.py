"""Sources are preselected, claims extracted, mutated and edited."""

from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from annotation import choosing
from annotation.answering import (
    OUTCOME,
    AnsweredElsewhere,
    check_may_end,
    ended_message,
    finish,
    locked,
)
from annotation.drafts import drop_draft
from annotation.giving import slot_is_free
from annotation.items import lock_items_of, lock_source, settle_all, settle_source
from annotation.models import (
    Assignment,
    Campaign,
    Claim,
    ClaimRevision,
    Mutation,
    Preselection,
    Task,
)
from annotation.readiness import needs_dictionary, ready_claim, ready_source
from annotation.typed import typed_claim
from corpus.models import Article, Paragraph
from corpus.texts import one_line, text_hash
from operations.database_time import database_now

MOST_CLAIMS = 5


@transaction.atomic
def preselect(
    *, assignment: Assignment, accepted: list[Paragraph], rejected: list[Paragraph]
) -> list[Preselection]:
    """T0: a curator's verdict on paragraphs of an article; what is accepted goes to writers.

    A paragraph that was judged before keeps its verdict.
    """
    article = Article.objects.select_for_update(no_key=True).get(pk=assignment.article_id)
    assignment = locked(assignment)
    if assignment.outcome == OUTCOME.SUBMITTED:
        raise AnsweredElsewhere(preselected_in(assignment))
    check_task(assignment, Task.T0)
    check_may_end(assignment)
    check_paragraphs(assignment, accepted, rejected)
    check_corpus(article, campaign_id=assignment.wave.campaign_id)
    verdicts = {paragraph.pk: paragraph for paragraph in [*rejected, *accepted]}
    accepted_ids = {paragraph.pk for paragraph in accepted}
    chosen = [
        store_verdict(assignment, paragraph, is_accepted=pk in accepted_ids)
        for pk, paragraph in sorted(verdicts.items())
    ]
    finish(assignment, OUTCOME.SUBMITTED, database_now())
    drop_draft(assignment)
    return chosen


def preselected_in(assignment: Assignment) -> list[Preselection]:
    """What was decided about the paragraphs of a T0 assignment's article."""
    return list(
        Preselection.objects.filter(
            campaign=assignment.wave.campaign_id, paragraph__article=assignment.article_id
        ).order_by("paragraph__rank")
    )


def check_paragraphs(assignment, accepted, rejected) -> None:
    if not accepted and not rejected:
        raise ValidationError(_("Please accept or reject at least one paragraph, or skip."))
    if any(row.article_id != assignment.article_id for row in [*accepted, *rejected]):
        raise ValidationError(_("These paragraphs are not of the article that you were given."))
    if any(row.rank == 0 or row.kind == Paragraph.Kind.TABLE for row in accepted):
        raise ValidationError(_("A heading or a table cannot be a source; choose running text."))
    if {row.pk for row in accepted} & {row.pk for row in rejected}:
        raise ValidationError(_("A paragraph is either accepted or rejected."))


def check_corpus(article: Article, *, campaign_id: int) -> None:
    """Refuse an article of a corpus that the campaign had before.

    Without a lock, which an import into the campaign holds to its end: while somebody chooses
    sources, `edit_campaign` keeps the corpus.
    """
    if not Campaign.objects.filter(pk=campaign_id, corpus=article.corpus_id).exists():
        raise ValidationError(
            _("This campaign has another corpus by now, so nothing here can be a source; skip it.")
        )


def store_verdict(assignment, paragraph: Paragraph, *, is_accepted: bool) -> Preselection:
    wave = assignment.wave
    state = Preselection.State.ACCEPTED if is_accepted else Preselection.State.REJECTED
    suggested = paragraph.pk == assignment.suggested_id
    row, is_new = Preselection.objects.get_or_create(
        campaign=wave.campaign,
        paragraph=paragraph,
        defaults={
            "wave": wave,
            "is_sandbox": wave.is_sandbox,
            "state": state,
            "chosen_by": assignment.user,
            "suggested_score": assignment.suggested_score if suggested else None,
            "wanted": wave.writers_per_source,
            "random_key": choosing.random_key(wave.seed, paragraph.public_id),
        },
    )
    if is_new and is_accepted:
        ready_source(row, by=assignment.user)
    return row


@transaction.atomic
def extract_claims(*, assignment: Assignment, texts: list[str], submission: UUID) -> list[Claim]:
    """T1a: store the claims written upon a source; the same form sent twice is stored once."""
    source = lock_source(assignment.preselection_id)
    assignment = locked(assignment)
    typed = [text for text in texts if text.strip()]
    if assignment.submission is not None:
        return written_before(assignment, submission, [("", text) for text in typed])
    check_task(assignment, Task.T1A)
    check_is_new(submission)
    check_may_end(assignment)
    check_number(typed)
    texts = checked_texts({str(number): text for number, text in enumerate(typed, start=1)})
    common = {"source": source.paragraph, "source_dictionary": source.dictionary}
    claims = store_claims(
        assignment, [{"text": text, **common, "origin": "extracted"} for text in texts.values()]
    )
    surplus = assignment.outcome == OUTCOME.EXPIRED and not slot_is_free(assignment, source)
    finish(assignment, OUTCOME.SUBMITTED, database_now(), submission=submission, surplus=surplus)
    drop_draft(assignment)
    settle_source(source)
    return claims


def written_before(
    assignment: Assignment, submission: UUID, typed: list[tuple[str, str]]
) -> list[Claim]:
    """The first result of a form sent again; another form is shown what was written before.

    The back button brings a form back with its id: what was changed on it since is no repetition.
    typed: (mutation or '', text) of each claim.
    """
    claims = list(assignment.written.order_by("number"))
    first = ClaimRevision.objects.filter(claim__in=claims, kind=ClaimRevision.Kind.FIRST)
    stored = sorted(first.values_list("claim__mutation", "text"))
    sent = sorted((mutation, one_line(text)) for mutation, text in typed)
    if assignment.submission != submission or sent != stored:
        raise AnsweredElsewhere(claims)
    return claims


def check_is_new(submission: UUID) -> None:
    """Refuse a form that stored something else already; only a forged one gets here."""
    if Assignment.objects.filter(submission=submission).exists():
        raise ValidationError(_("This form was used already. Please open the page once more."))


def check_task(assignment: Assignment, task: str) -> None:
    if assignment.task != task:
        raise ValidationError(ended_message(assignment))


def checked_texts(texts: dict[str, str]) -> dict[str, str]:
    """The texts of a submission in their clean form, by field; all that is wrong at once."""
    if not texts:
        raise ValidationError(_("Please write at least one claim, or skip this."))
    cleaned, errors = {}, {}
    for name, text in texts.items():
        try:
            cleaned[name] = typed_claim(text, field=name)
        except ValidationError as error:
            errors |= error.message_dict
    if errors:
        raise ValidationError(errors)
    return cleaned


def check_number(texts) -> None:
    if len(texts) > MOST_CLAIMS:
        raise ValidationError(
            _("You wrote %(size)d claims; please keep to the %(most)d best.")
            % {"size": len(texts), "most": MOST_CLAIMS}
        )


@transaction.atomic
def mutate_claim(*, assignment: Assignment, texts: dict[str, str], submission: UUID) -> list[Claim]:
    """T1b: store the mutations of a claim, any subset of the wave's types."""
    parent = Claim.objects.select_for_update(of=("self",), no_key=True).get(pk=assignment.claim_id)
    assignment = locked(assignment)
    texts = {mutation: text for mutation, text in texts.items() if text.strip()}
    if assignment.submission is not None:
        return written_before(assignment, submission, list(texts.items()))
    check_task(assignment, Task.T1B)
    check_is_new(submission)
    check_may_end(assignment)
    if parent.withdrawn_at is not None:
        raise ValidationError(_("This claim was withdrawn, so it is not mutated any more."))
    if unknown := sorted(set(texts) - set(assignment.wave.mutations)):
        raise ValidationError(
            _("This wave does not use the mutation %(names)s.") % {"names": ", ".join(unknown)}
        )
    texts = checked_texts(texts)
    common = {"source": parent.source, "source_dictionary": parent.source_dictionary}
    common |= {"origin": Claim.Origin.MUTATED, "parent": parent}
    claims = store_claims(
        assignment,
        [
            {**common, "text": texts[mutation], "mutation": mutation}
            for mutation in Mutation.values
            if mutation in texts
        ],
    )
    finish(assignment, OUTCOME.SUBMITTED, database_now(), submission=submission)
    drop_draft(assignment)
    return claims


def store_claims(assignment: Assignment, rows: list[dict]) -> list[Claim]:
    """Store claims under the next numbers of their campaign, and get their dictionaries made."""
    claims = new_claims(
        wave=assignment.wave, author=assignment.user, rows=rows, written_in=assignment
    )
    for claim in claims:
        ready_claim(claim, by=assignment.user)
    return claims


def new_claims(*, wave, author: User, rows: list[dict], written_in=None) -> list[Claim]:
    numbers = allocate_numbers(wave.campaign_id, len(rows))
    claims = [
        new_claim(wave=wave, author=author, number=number, written_in=written_in, **row)
        for number, row in zip(numbers, rows, strict=True)
    ]
    ClaimRevision.objects.bulk_create(
        ClaimRevision(claim=claim, text=claim.text, created_by=author) for claim in claims
    )
    return claims


def new_claim(*, wave, text: str, source: Paragraph, **fields) -> Claim:
    return Claim.objects.create(
        campaign=wave.campaign,
        wave=wave,
        text=text,
        text_hash=text_hash(text),
        language=source.article.language,
        source=source,
        source_published_at=source.published_at,
        as_of=source.published_at,
        **fields,
    )


@transaction.atomic
def allocate_numbers(campaign_id: int, size: int) -> range:
    """The next `size` claim numbers: given once, never reused; the campaign stays locked."""
    campaign = Campaign.objects.select_for_update(of=("self",), no_key=True).get(pk=campaign_id)
    first = campaign.last_claim_number + 1
    campaign.last_claim_number += size
    campaign.save(update_fields=["last_claim_number"])
    return range(first, first + size)


@transaction.atomic
def edit_claim(*, claim: Claim, text: str, by: User) -> ClaimRevision:
    """The author's own edit, until somebody was given the claim to label."""
    text = typed_claim(text, field="text")
    items = lock_items_of(claim)
    claim = Claim.objects.select_related("wave", "campaign__corpus").get(pk=claim.pk)
    check_may_edit(claim, by)
    if text == claim.text:
        return claim.revisions.last()
    revision = revise(
        claim,
        text,
        by=by,
        kind=ClaimRevision.Kind.AUTHOR,
        dictionary=None,
        awaits_dictionary=needs_dictionary(claim.campaign.corpus),
    )
    settle_all(items)
    ready_claim(claim, by=by)
    return revision


def check_may_edit(claim: Claim, by: User) -> None:
    if claim.author_id != by.pk:
        raise ValidationError(_("Only its author can edit this claim."))
    if claim.withdrawn_at is not None:
        raise ValidationError(_("This claim was withdrawn, so it stays as it is."))
    if is_leased(claim):
        raise ValidationError(
            _("Somebody has been given this claim to label, so only a curator can change it.")
        )


def is_leased(claim: Claim) -> bool:
    """Whether anybody was ever given the claim to label."""
    return Assignment.objects.filter(item__instance__claim=claim).exists()


def revise(claim: Claim, text: str, *, by: User, kind: str, **values) -> ClaimRevision:
    """Give a locked claim a new wording; what earlier answers saw stays in its revisions."""
    number = claim.revisions.last().number + 1
    for name, value in {"text": text, "text_hash": text_hash(text), **values}.items():
        setattr(claim, name, value)
    claim.save(update_fields=["text", "text_hash", *values])
    return ClaimRevision.objects.create(
        claim=claim, number=number, text=text, kind=kind, created_by=by
    )
