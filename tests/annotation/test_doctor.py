"""Each rule of the doctor sees the row that breaks it, and nothing where all is well."""

from uuid import uuid4

import pytest
from django.utils import timezone

from annotation import doctor
from annotation.answering import report_claim, skip_work, submit_annotation
from annotation.giving import ask_for_work
from annotation.models import (
    Annotation,
    Assignment,
    Campaign,
    Claim,
    EvidenceItem,
    EvidenceSet,
    Instance,
    Preselection,
    Wave,
    WaveItem,
)
from annotation.scope import open_article
from annotation.writing import extract_claims
from tests.factories import (
    A_DAY,
    make_answer,
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_dictionary,
    make_member,
    make_participant,
    make_source,
    make_wave,
    make_work,
    paragraph_of,
    submit,
)

pytestmark = pytest.mark.django_db
RULES = {name: breaking_rows for name, _explanation, breaking_rows in doctor.RULES}


@pytest.fixture
def wave():
    return make_wave(make_campaign(corpus=make_corpus()))


@pytest.fixture
def annotation(wave):
    """A supporting label by ben, on a claim with a dictionary."""
    found = paragraph_of(make_article(wave.campaign.corpus))
    make_work(wave, dictionary=make_dictionary(wave.campaign.corpus, found, as_of=None))
    return submit(ask(wave, "ben"), "SUPPORTS")


def ask(wave, name, task="T2"):
    return ask_for_work(user=make_participant(wave, name), wave=wave, task=task)


def rows(rule):
    return list(RULES[f"annotation.{rule}"]())


def test_the_doctor_finds_nothing_where_all_is_well(wave, annotation):
    make_work(wave, 3)
    skip_work(assignment=ask(wave, "ben"), reason="unclear")
    report_claim(assignment=ask(wave, "dan"), reason="no fact")
    submit(annotation.assignment, drawn_from=annotation.pk)
    make_source(wave)
    extract_claims(assignment=ask(wave, "ben", "T1a"), texts=["One."], submission=uuid4())

    assert [row for name in RULES for row in RULES[name]()] == []


def test_citations_from_all_parts_of_the_scope_are_in_order(wave, annotation):
    claim = annotation.item.instance.claim
    assignment = ask(wave, "dan")
    open_article(assignment=assignment, article=claim.source.article)
    cited = [claim.source, paragraph_of(claim.source.article, 2)]
    cited += [entry.paragraph for entry in claim.dictionary.entries.all()]

    submit_annotation(assignment=assignment, answer=make_answer("REFUTES", cited))

    assert rows("citations") == []


def test_claim_times(wave):
    claim = make_claim(wave)
    Claim.objects.update(source_published_at=None)

    assert rows("claim_times") == [f"claim {claim.pk}: source_published_at is None"]


def test_corpus(wave):
    claim, source = make_claim(wave), make_source(wave)
    Campaign.objects.update(corpus=make_corpus(slug="other"))

    assert rows("corpus") == [
        f"claim {claim.pk}: its source is not in the corpus of its campaign",
        f"preselection {source.pk}: its paragraph is not in the corpus of its campaign",
    ]


def test_wordings(wave):
    claim = make_claim(wave)
    Claim.objects.update(text="Other")

    assert rows("wordings") == [
        f"claim {claim.pk}: its text is not that of its newest revision",
        f"claim {claim.pk}: its text_hash is not that of its text",
    ]


def test_numbers(wave):
    make_claim(wave)
    Claim.objects.update(number=7)

    assert rows("numbers") == [f"campaign {wave.campaign_id}: has claim 7, last given is 1"]


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ({"taken": 0}, "taken is 0, its rows make 1"),
        ({"wanted": 4}, "wanted is 4, its rows make 2"),
        ({"state": "complete"}, "state is complete, its rows make open"),
    ],
)
def test_items(annotation, broken, complaint):
    WaveItem.objects.update(**broken)

    assert rows("items") == [f"wave item {annotation.item_id}: {complaint}"]


def test_outcomes(annotation):
    Instance.objects.update(outcome="complete")

    pk = annotation.item.instance_id
    assert rows("outcomes") == [f"instance {pk}: outcome is complete, its rows make open"]


def test_sources(wave):
    source = make_source(wave)
    ask(wave, "ben", "T1a")
    Preselection.objects.update(taken=3)

    assert rows("sources") == [f"preselection {source.pk}: taken is 3, its rows make 1"]


def test_citations(wave, annotation):
    other = paragraph_of(make_article(wave.campaign.corpus))
    EvidenceItem.objects.update(paragraph=other)

    assert rows("citations") == [
        f"annotation {annotation.pk}: cites {other.public_id}, which was not in its scope"
    ]


def test_parts(annotation):
    EvidenceItem.objects.update(unit="s9")

    (row,) = rows("parts")
    assert row.startswith(f"annotation {annotation.pk}: cites the part 's9'")


def test_evidence_of_a_verdict(annotation):
    EvidenceItem.objects.all().delete()
    assert rows("evidence") == [f"annotation {annotation.pk}: its evidence set 1 is empty"]
    EvidenceSet.objects.all().delete()
    assert rows("evidence") == [f"annotation {annotation.pk}: SUPPORTS without evidence"]


def test_evidence_without_a_verdict(annotation):
    Annotation.objects.update(label="NOT ENOUGH INFO")

    assert rows("evidence") == [f"annotation {annotation.pk}: NOT ENOUGH INFO with evidence"]


def test_own_adjudication(annotation):
    other = submit(ask(annotation.item.wave, "dan"), "REFUTES")
    Annotation.objects.filter(pk=other.pk).update(ended_at=timezone.now(), end_reason="removed")
    verdict = Annotation.objects.create(
        item=other.item, user=other.user, kind="adjudication", label="REFUTES", submission=uuid4()
    )

    assert rows("own_work") == [
        f"annotation {verdict.pk}: user {other.user_id} adjudicated what they labelled or wrote"
    ]


def test_own_review(wave, annotation):
    report = report_claim(assignment=ask(wave, "dan"), reason="no fact")
    type(report).objects.update(
        decision="kept", decided_by=annotation.user, decided_at=timezone.now()
    )

    assert rows("own_work") == [
        f"report {report.pk}: user {annotation.user_id} decided on what they labelled or wrote"
    ]


def test_people(annotation):
    Claim.objects.update(author=annotation.user)
    assert rows("people") == [
        f"annotation {annotation.pk}: a cross-annotation by the claim's author"
    ]
    Claim.objects.update(author=make_member(annotation.item.wave.campaign, "fay"))
    Annotation.objects.update(kind="own")
    assert rows("people") == [
        f"annotation {annotation.pk}: an own-claim annotation by somebody else"
    ]


def test_answers(wave, annotation):
    other = make_claim(wave)
    Annotation.objects.update(revision=other.revisions.get())
    assert rows("answers") == [f"annotation {annotation.pk}: names a wording of another claim"]

    (item,) = make_work(wave)
    Annotation.objects.update(item=item, revision=None)
    assert rows("answers") == [f"annotation {annotation.pk}: its assignment is about another item"]


def test_history(annotation):
    second = submit(annotation.assignment, drawn_from=annotation.pk)
    Annotation.objects.filter(pk=second.pk).update(supersedes=None)
    assert rows("history") == [f"annotation {annotation.pk}: superseded by no row"]

    Annotation.objects.filter(pk=second.pk).update(supersedes=annotation)
    Annotation.objects.filter(pk=annotation.pk).update(end_reason="removed")
    assert rows("history") == [
        f"annotation {second.pk}: supersedes a row that is live or of another item"
    ]


def test_given(wave):
    make_work(wave)
    assignment = ask(wave, "ben")
    Claim.objects.update(withdrawn_at=A_DAY)
    assert rows("given") == [f"assignment {assignment.pk}: open on a withdrawn claim"]

    Assignment.objects.update(outcome="expired", ended_at=A_DAY)
    Wave.objects.update(purpose="import")
    assert rows("given") == [f"assignment {assignment.pk}: given out in the wave of an import"]


def test_an_import_that_holds_its_labels_is_in_order(wave):
    imports = make_wave(wave.campaign, name="Import", purpose="import", is_open=False)
    instance = Instance.objects.create(claim=make_claim(imports, origin="imported", author=None))
    item = WaveItem.objects.create(
        wave=imports, instance=instance, purpose="import", state="conflicted", taken=2,
        random_key=0.5,
    )  # fmt: skip
    for name, label in [("one", "SUPPORTS"), ("two", "REFUTES")]:
        Annotation.objects.create(
            item=item, external_annotator=name, kind="import", label=label, submission=uuid4()
        )

    assert rows("items") == []


def test_sources_that_are_not_marked_as_of_their_sandbox(wave):
    source = make_source(wave)
    Wave.objects.update(is_sandbox=True)

    assert rows("sandboxes") == [
        f"preselection {source.pk}: is_sandbox is False, its rows make True"
    ]
