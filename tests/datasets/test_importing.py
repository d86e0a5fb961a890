"""Imports of datasets: what becomes of a file's claims, labels and evidence."""

import pytest
from django.core.management import call_command

from annotation.models import Annotation, Claim, Instance, Wave, WaveItem
from datasets.importing.extra import from_text
from tests.datasets.importing import (
    cited_by,
    doctor,
    import_lines,
    line,
    make_target,
    only_label,
    run,
)
from tests.datasets.reading import write_lines
from tests.factories import A_DAY, make_campaign, make_claim, make_wave
from tests.shared import shared_data

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return make_target()


def test_a_claim_has_the_number_the_source_and_the_time_that_its_file_says(campaign, tmp_path):
    import_lines(tmp_path, campaign, line(7, "SUPPORTS", ["a_1"], text="It opened."))

    claim = Claim.objects.get()
    assert (claim.number, claim.external_id, claim.text) == (7, "7", "It opened.")
    assert (claim.origin, claim.language, claim.author) == ("imported", "en", None)
    assert claim.source.public_id == "a_1"
    assert claim.source_published_at == claim.as_of == A_DAY
    assert [(r.number, r.kind, r.text) for r in claim.revisions.all()] == [
        (1, "first", "It opened.")
    ]
    assert from_text(claim.extra) == {"format": "ctkfacts"}


def test_the_aggregate_label_stands_with_its_sets_in_a_wave_of_the_import(campaign, tmp_path):
    import_lines(tmp_path, campaign, line(7, "SUPPORTS", ["a_1", "b_2"], ["a_3"]))

    label = only_label()
    assert (label.kind, label.user, label.external_annotator) == ("import", None, "(aggregate)")
    assert cited_by(label) == {1: ["a_1", "b_2"], 2: ["a_3"]}
    wave = Wave.objects.get()
    assert (wave.name, wave.purpose) == ("Import of claims.jsonl", "import")
    item = label.item
    assert (item.wave, item.purpose, item.state) == (wave, "import", "complete")
    assert (item.taken, item.wanted, item.instance.outcome) == (1, 1, "complete")
    assert doctor() == {}


def test_a_set_with_one_lost_paragraph_is_kept_aside_as_a_whole(campaign, tmp_path):
    report = import_lines(
        tmp_path, campaign, line(7, "SUPPORTS", ["a_1", "lost_4"], ["b_1"], ["a_2"])
    )

    assert cited_by(only_label()) == {2: ["b_1"], 3: ["a_2"]}
    assert from_text(Claim.objects.get().extra)["unresolved"] == [
        {"wave": Wave.objects.get().pk, "scope": "whole", "annotator": "(aggregate)", "number": 1,
         "items": [{"paragraph": "a_1"}, {"paragraph": "lost_4"}]}
    ]  # fmt: skip
    assert (report["evidence_linked"], report["evidence_unresolved"]) == (3, 1)
    assert (report["sets_linked"], report["sets_unresolved"]) == (2, 1)
    assert report["unresolved"] == [{"file": "claims.jsonl", "line": 1, "id": "lost_4"}]


def test_what_each_of_two_imports_lost_is_kept(campaign, tmp_path):
    lost = line(7, "SUPPORTS", ["lost_4"])
    for wave in ("First", "Second"):
        import_lines(tmp_path, campaign, lost, wave=wave)
    kept = Claim.objects.get().extra

    report = import_lines(tmp_path, campaign, lost, wave="First")

    waves = [entry["wave"] for entry in from_text(kept)["unresolved"]]
    assert waves == list(Wave.objects.order_by("pk").values_list("pk", flat=True))
    assert report["annotations"] == 0
    assert Claim.objects.get().extra == kept


def test_a_lost_source_is_kept_aside(campaign, tmp_path):
    report = import_lines(tmp_path, campaign, line(7, "NOT ENOUGH INFO", source="lost_1"))

    claim = Claim.objects.get()
    assert (claim.source, claim.as_of) == (None, None)
    assert from_text(claim.extra)["source"] == "lost_1"
    assert (report["sources_linked"], report["sources_unresolved"]) == (0, 1)


def test_the_same_file_again_changes_nothing(campaign, tmp_path):
    lines = [line(7, "SUPPORTS", ["a_1"], ["lost_1"]), line(8, "REFUTES", ["b_1"], mutated_from=7)]
    import_lines(tmp_path, campaign, *lines)
    before = list(Claim.objects.values()), list(Annotation.objects.values())

    report = import_lines(tmp_path, campaign, *lines)

    assert (report["claims_new"], report["claims_same"]) == (0, 2)
    assert (report["annotations"], report["annotations_same"]) == (0, 2)
    assert (list(Claim.objects.values()), list(Annotation.objects.values())) == before
    assert Wave.objects.count() == 1


def test_a_dry_run_reports_the_same_and_stores_nothing(campaign, tmp_path):
    lines = [line(7, "SUPPORTS", ["a_1"], ["lost_1"]), line(8)]

    dry = import_lines(tmp_path, campaign, *lines, dry_run=True)

    assert not Claim.objects.exists()
    assert not Wave.objects.exists()
    wet = import_lines(tmp_path, campaign, *lines)
    assert dry == wet
    assert wet["instances"] == 2
    assert import_lines(tmp_path, campaign, *lines, dry_run=True)["instances"] == 0


def test_a_changed_label_supersedes_the_former(campaign, tmp_path):
    import_lines(tmp_path, campaign, line(7, "SUPPORTS", ["a_1"]))

    report = import_lines(tmp_path, campaign, line(7, "REFUTES", ["a_1"]))

    old, new = Annotation.objects.order_by("pk")
    assert (old.label, old.end_reason, new.label, new.supersedes) == (
        "SUPPORTS", "superseded", "REFUTES", old,
    )  # fmt: skip
    assert (report["claims_same"], report["annotations"]) == (1, 1)
    assert doctor() == {}


def test_a_label_that_comes_twice_in_a_file_supersedes_the_first(campaign, tmp_path):
    lines = [line(7, "SUPPORTS", ["a_1"]), line(8), line(7, "REFUTES", ["a_1"])]

    report = import_lines(tmp_path, campaign, *lines)

    assert (report["claims_new"], report["annotations"]) == (2, 3)
    assert report["violations"]["repeated_labels"] == 1
    live = Annotation.objects.get(item__instance__claim__number=7, ended_at=None)
    assert (live.label, live.item.taken, live.item.wanted) == ("REFUTES", 1, 1)
    assert import_lines(tmp_path, campaign, *lines)["annotations"] == 0
    assert doctor() == {}


def test_a_parent_of_the_same_campaign_is_linked_wherever_its_line_stands(campaign, tmp_path):
    import_lines(tmp_path, campaign, line(7, mutated_from=8), line(8), line(9, mutated_from=3))

    child, parent, orphan = Claim.objects.order_by("number")
    assert (child.parent, child.external_parent, child.mutation) == (parent, "8", "unknown")
    assert (parent.parent, parent.external_parent, parent.mutation) == (None, "", "")
    assert (orphan.parent, orphan.external_parent, orphan.mutation) == (None, "3", "unknown")


def test_numbers_of_an_import_are_never_given_again(campaign, tmp_path):
    import_lines(tmp_path, campaign, line(700))

    assert make_claim(make_wave(campaign)).number == 701


def test_a_claim_without_a_number_gets_one_behind_those_of_its_file(campaign, tmp_path):
    import_lines(tmp_path, campaign, line("x9"), line(1), line(30))

    numbers = dict(Claim.objects.values_list("external_id", "number"))
    assert numbers == {"x9": 31, "1": 1, "30": 30}
    campaign.refresh_from_db()
    assert campaign.last_claim_number == 31


def test_a_blind_claim_waits_in_its_item(campaign, tmp_path):
    import_lines(tmp_path, campaign, {"id": 7, "claim": "It opened."})

    item = WaveItem.objects.get()
    assert (item.state, item.taken, item.wanted) == ("open", 0, 0)
    assert not Annotation.objects.exists()
    assert doctor() == {}


def test_lines_of_an_article_are_ranks_or_its_sentences(campaign, tmp_path):
    evidence = [[[7001, 7001, "a", 1], [7002, 7002, "a", 0]]]
    fever = {"id": 7, "verifiable": "VERIFIABLE", "label": "REFUTES", "claim": "It is short.",
             "evidence": evidence}  # fmt: skip

    import_lines(tmp_path, campaign, fever, format="fever", wave="ranks")
    import_lines(tmp_path, campaign, fever, format="fever", wave="units", lines="units")

    by_wave = {
        wave.name: cited_by(Annotation.objects.get(item__wave=wave)) for wave in Wave.objects.all()
    }
    assert by_wave == {"ranks": {1: ["a_1", "a_0"]}, "units": {1: ["a_2:s0", "a_1:s0"]}}
    assert Instance.objects.count() == 1
    assert doctor() == {}


def test_an_abstract_is_an_instance_and_a_lost_one_is_kept_aside(campaign, tmp_path):
    scifact = {"id": 7, "claim": "It is short.", "cited_doc_ids": ["a", "b", "lost"], "evidence": {
        "a": [{"sentences": [2], "label": "CONTRADICT"}],
        "lost": [{"sentences": [1], "label": "SUPPORT"}]}}  # fmt: skip

    report = import_lines(tmp_path, campaign, scifact, format="scifact")

    labels = {
        (row.item.instance.article.external_id, row.item.instance.article_version): row
        for row in Annotation.objects.all()
    }
    assert labels["a", 1].label == "REFUTES"
    assert cited_by(labels["a", 1]) == {1: ["a_3:s0"]}
    assert labels["b", 1].label == "NOT ENOUGH INFO"
    claim = Claim.objects.get()
    assert claim.origin == "citance"
    assert from_text(claim.extra)["unresolved"] == [
        {"wave": Wave.objects.get().pk, "scope": "lost", "annotator": "(aggregate)",
         "label": "SUPPORTS", "evidence": [[{"paragraph": "lost", "external": "1"}]]}
    ]  # fmt: skip
    assert report["instances_unresolved"] == 1
    assert doctor() == {}


def test_texts_stay_texts_but_for_that_of_the_source(campaign, tmp_path):
    nli = [line(7, evidence=text) for text in ("The bridge opened in May.", "It is long.")]

    import_lines(tmp_path, campaign, *nli, format="nli")

    assert cited_by(only_label()) == {1: ["a_1"]}
    (lost,) = from_text(Claim.objects.get().extra)["unresolved"]
    assert (lost["number"], lost["items"]) == (2, [{"text": "It is long."}])


def test_claims_without_a_corpus_are_imported_in_a_stated_language(tmp_path):
    report = run("new", write_lines(tmp_path, line(7, "SUPPORTS", ["a_1"])), language="cs")

    claim = Claim.objects.get()
    assert (claim.language, claim.campaign.slug, claim.campaign.corpus) == ("cs", "new", None)
    assert (report["evidence_linked"], report["evidence_unresolved"]) == (0, 1)
    assert doctor() == {}


def test_two_files_of_a_dataset_come_into_two_waves_of_one_campaign(campaign, tmp_path):
    import_lines(tmp_path, campaign, line(7), name="train.jsonl")
    import_lines(tmp_path, campaign, line(8), name="dev.jsonl", wave="Development")

    waves = Wave.objects.order_by("pk").values_list("name", flat=True)
    assert list(waves) == ["Import of train.jsonl", "Development"]


def test_the_published_czech_claims_lie_on_their_paragraphs(tmp_path):
    paragraphs = shared_data("ctkfacts", "paragraphs_derived.jsonl.gz")
    call_command("import_corpus", "ctk", str(paragraphs), format="jsonl", language="cs",
                 time_zone="Europe/Prague", map="article=did,rank=para,published_at=date",
                 verbosity=0)  # fmt: skip
    names = ("train.jsonl.gz", "validation.jsonl.gz")
    files = [shared_data("ctkfacts", "fever_ctkId", name) for name in names]

    report = run("ctkfacts", *files, corpus="ctk")

    assert (report["claims_new"], report["annotations"]) == (2715, 2715)
    assert (report["evidence_linked"], report["evidence_unresolved"]) == (1096, 7)
    assert (report["sources_linked"], report["sources_unresolved"]) == (234, 14)
    assert report["violations"] == {"nei_with_evidence": 292, "verdict_without_evidence": 35}
    assert not Claim.objects.exclude(parent=None).exists()
    assert not Claim.objects.filter(external_parent="").exists()
    assert doctor() == {}


def test_english_claims_are_imported_without_their_pages(tmp_path):
    campaign = make_campaign(slug="fever")

    report = run(campaign, shared_data("fever", "paper_dev_1-5000.jsonl.gz"), format="fever",
                 language="en")  # fmt: skip

    assert report["claims_new"] == report["annotations"] == 5000
    assert report["violations"] == {"repeated_groups": 467}
    assert report["evidence_linked"] == 0
    campaign.refresh_from_db()
    assert campaign.last_claim_number == max(Claim.objects.values_list("number", flat=True))


def test_workers_label_a_passage_and_cite_its_sentences(campaign, tmp_path):
    ambifc = {
        "claim": "It is long.", "claim_id": 12, "wiki_page": "a", "wiki_section": "",
        "wiki_passage": 9, "entity": "Bridge", "labels": {},
        "passage_annotations": [{"label": "refuting", "worker": "w1", "certain": False},
                                {"label": "neutral", "worker": "w2", "relevant": False}],
        "sentences": {"0": "It cost ten million."},
        "sentence_annotations": {"0": [{"annotator": "w1", "annotation": "refuting"}]},
    }  # fmt: skip
    stances = {"1": ambifc["sentence_annotations"]["0"]}
    other = {**ambifc, "wiki_page": "b", "sentences": {"0": "It is long."},
             "sentence_annotations": stances}  # fmt: skip

    report = import_lines(tmp_path, campaign, ambifc, other, format="ambifc")

    assert (report["claims_new"], report["annotations"]) == (1, 4)
    items = {item.instance.passage.public_id: item for item in WaveItem.objects.all()}
    assert {name: (item.state, item.taken) for name, item in items.items()} == {
        "a_2": ("conflicted", 2), "b_3": ("conflicted", 2),
    }  # fmt: skip
    first = items["a_2"].annotations.get(external_annotator="w1")
    assert (first.label, first.is_uncertain) == ("REFUTES", True)
    assert cited_by(first) == {1: ["a_2:s0"]}
    extra = from_text(Claim.objects.get().extra)
    assert extra["record"] == {"entity": "Bridge"}
    assert set(extra["instances"]) == {"a_2", "b_3"}
    (lost,) = extra["unresolved"]
    assert (lost["scope"], lost["annotator"]) == ("b_3", "w1")
    assert doctor() == {}


def test_a_claim_is_judged_on_the_day_that_its_file_says(campaign, tmp_path):
    averitec = {"claim": "It opened.", "label": "Supported", "claim_date": "9-10-2020"}

    import_lines(tmp_path, campaign, averitec, format="averitec")

    assert Claim.objects.get().as_of.isoformat() == "2020-10-09T00:00:00+00:00"


def test_characters_that_no_database_takes_are_kept_as_escapes(campaign, tmp_path):
    nasty = "x\0\ud800_1"
    claim = {**line(7, "SUPPORTS", ["a_1"], [nasty], note=nasty), nasty: 1}
    worker = {
        "claim": "It is long.", "claim_id": 12, "wiki_page": "a", "wiki_passage": "a_3",
        "passage_annotations": [{"label": "neutral", "worker": "w\0"}], "sentences": {},
    }  # fmt: skip

    import_lines(tmp_path, campaign, claim)
    import_lines(tmp_path, campaign, worker, format="ambifc")

    extra = from_text(Claim.objects.get(number=7).extra)
    assert extra["record"] == {"note": nasty, nasty: 1}
    assert extra["unresolved"][0]["items"] == [{"paragraph": nasty}]
    assert Annotation.objects.get(item__instance__claim__number=12).external_annotator == "w"
