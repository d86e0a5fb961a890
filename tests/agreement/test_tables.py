"""Which labels count, read at the one place that everything else reads them from."""

import pytest
from django.utils import timezone

from agreement import tables
from agreement.aggregation import decide
from annotation.answering import store_evidence
from annotation.models import Annotation, Claim
from annotation.pseudonyms import pseudonym_of
from tests.agreement.labels import label, labelled
from tests.factories import make_campaign, make_claim, make_item, make_user, make_wave

pytestmark = pytest.mark.django_db


def rows_of(wave, **options):
    return tables.annotation_rows(wave.campaign, **options)


def test_a_label_is_a_row_with_its_annotator_by_pseudonym(wave):
    item = labelled(wave, "SR")

    rows = rows_of(wave)

    assert rows.unit.tolist() == [item.instance_id, item.instance_id]
    assert rows.label == ["SUPPORTS", "REFUTES"]
    ben = make_user(username="ben")
    assert rows.annotator[0] == pseudonym_of(wave.campaign, ben.pk)
    assert "ben" not in rows.annotator


def test_another_campaign_has_other_pseudonyms(wave, ben):
    other = make_campaign(slug="autumn")

    assert pseudonym_of(wave.campaign, ben.pk) != pseudonym_of(other, ben.pk)


def test_rows_come_oldest_first(wave):
    first, second = labelled(wave, "S"), labelled(wave, "R")
    label(first, "dan", "N")

    assert rows_of(wave).unit.tolist() == [
        first.instance_id,
        second.instance_id,
        first.instance_id,
    ]


@pytest.mark.parametrize("flag", ["surplus", "late"])
def test_surplus_and_late_labels_never_count(wave, flag):
    item = labelled(wave, "SS")
    label(item, "dan", "R", **{flag: True})

    assert len(rows_of(wave)) == 2
    assert tables.left_out(wave.campaign)[flag] == 1


def test_a_sandbox_never_counts_and_is_counted_as_left_out(wave):
    labelled(wave, "S")
    labelled(make_wave(wave.campaign, name="Try", is_sandbox=True), "SR")

    assert len(rows_of(wave)) == 1
    assert tables.left_out(wave.campaign)["sandbox"] == 2


def test_a_sandbox_is_left_out_even_where_it_is_asked_for(wave):
    sandbox = make_wave(wave.campaign, name="Try", is_sandbox=True)
    labelled(sandbox, "SR")

    assert len(rows_of(wave, waves=[sandbox])) == 0


def test_a_withdrawn_claim_never_counts(wave):
    item = labelled(wave, "SR")
    Claim.objects.filter(pk=item.instance.claim_id).update(withdrawn_at=timezone.now())

    assert len(rows_of(wave)) == 0
    assert tables.left_out(wave.campaign) == {
        "sandbox": 0,
        "withdrawn": 2,
        "surplus": 0,
        "late": 0,
    }


def test_a_label_stands_under_the_first_reason_alone(wave):
    sandbox = make_wave(wave.campaign, name="Try", is_sandbox=True)
    label(labelled(sandbox, ""), "ben", "S", surplus=True, late=True)

    assert tables.left_out(wave.campaign) == {"sandbox": 1, "withdrawn": 0, "surplus": 0, "late": 0}


def test_one_wave_is_read_alone(wave):
    other = make_wave(wave.campaign, name="Second")
    labelled(wave, "S")
    item = labelled(other, "RR")

    assert set(rows_of(wave, waves=[other]).unit) == {item.instance_id}


def test_own_labels_and_conditions_are_marked(wave):
    item = labelled(wave, "")
    label(item, "ada", "S", kind="own")
    label(item, "ben", "R", condition="It rains.")

    rows = rows_of(wave)

    assert rows.own.tolist() == [True, False]
    assert rows.conditional.tolist() == [False, True]


def test_an_edited_label_counts_as_it_is_now(wave):
    item = labelled(wave, "S")
    old = Annotation.objects.get()
    Annotation.objects.filter(pk=old.pk).update(ended_at=timezone.now(), end_reason="superseded")
    label(item, "ben", "R", supersedes=old)

    assert rows_of(wave).label == ["REFUTES"]


def imported(item, letter, name="w1", **fields):
    return label(item, None, letter, kind="import", external_annotator=name, **fields)


def test_the_repeats_of_an_imported_annotator_are_left_to_the_policy(wave):
    item = labelled(wave, "")
    first = imported(item, "S", ended_at=timezone.now(), end_reason="superseded")
    imported(item, "R", supersedes=first)

    rows = rows_of(wave)

    assert rows.label == ["SUPPORTS", "REFUTES"]
    assert rows.table(duplicates="last").labels == ["REFUTES"]
    assert rows.table(duplicates="first").labels == ["SUPPORTS"]


def test_the_only_label_of_a_file_is_nobodys_and_still_decides(wave):
    item = labelled(wave, "")
    imported(item, "S", tables.AGGREGATE_ANNOTATOR)

    assert len(rows_of(wave)) == 0
    ((_, votes),) = tables.votes_of(wave.campaign)
    assert decide(votes).label == "SUPPORTS"
    assert decide(votes).reason == "aggregate"


def test_claims_of_one_article_are_resampled_together(wave):
    first = labelled(wave, "SS")
    source = first.instance.claim.source
    labelled(wave, "SR", source=source)

    assert set(rows_of(wave).source.tolist()) == {source.article_id}


def test_the_day_of_a_label_is_the_campaigns(wave):
    wave.campaign.time_zone = "Pacific/Auckland"
    item = labelled(wave, "S")
    Annotation.objects.filter(item=item).update(
        created_at=timezone.datetime(2024, 3, 1, 20, tzinfo=timezone.get_default_timezone())
    )

    assert rows_of(wave).day == ["2024-03-02"]


def test_all_rows_are_one_query(wave, django_assert_num_queries):
    for _ in range(3):
        labelled(wave, "SR")

    with django_assert_num_queries(1):
        rows_of(wave)


def test_votes_come_in_order_of_the_claims_numbers(wave):
    late, early = make_claim(wave), make_claim(wave)
    Claim.objects.filter(pk=late.pk).update(number=900)
    items = [make_item(claim, wave) for claim in (late, early)]
    for item in items:
        label(item, "ben")

    found = [instance for instance, _ in tables.votes_of(wave.campaign)]

    assert found == [items[1].instance_id, items[0].instance_id]


def test_a_vote_brings_its_evidence_sets_in_order(wave):
    item = labelled(wave, "")
    source = item.instance.claim.source
    annotation = label(item, "ben")
    store_evidence(annotation, [[(source.pk, "s0"), (source.pk, "")], [(source.pk, "")]])

    ((_, (vote,)),) = tables.votes_of(wave.campaign)

    assert vote.evidence == (((source.pk, "s0"), (source.pk, "")), ((source.pk, ""),))


def test_an_adjudication_decides(wave):
    item = labelled(wave, "SR")
    label(item, "cyn", "N", kind="adjudication")

    ((_, votes),) = tables.votes_of(wave.campaign)

    assert decide(votes).label == "NOT ENOUGH INFO"
    assert "NOT ENOUGH INFO" not in rows_of(wave).label


def test_votes_are_whole_over_the_borders_of_chunks(wave, monkeypatch):
    monkeypatch.setattr(tables, "CHUNK", 2)
    items = [labelled(wave, "SRN"), labelled(wave, "SS")]

    found = {instance: len(votes) for instance, votes in tables.votes_of(wave.campaign)}

    assert found == {items[0].instance_id: 3, items[1].instance_id: 2}


def test_dashboard_and_export_count_the_same_labels(wave):
    for letters in ("SSR", "SR", "NNN", "R"):
        labelled(wave, letters)
    label(labelled(wave, "SS"), "dan", "R", surplus=True)

    table = rows_of(wave).table()
    by_votes = {}
    for instance, votes in tables.votes_of(wave.campaign):
        by_votes[instance] = decide(votes).counts

    by_table = {
        unit: {name: n for name, n in zip(table.labels, counts, strict=True) if n}
        for unit, counts in zip(table.units, table.counts.tolist(), strict=True)
    }
    assert by_table == by_votes
