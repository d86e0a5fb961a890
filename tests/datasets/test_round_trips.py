"""What is imported comes out again: our own exports byte by byte, files of others as parsed."""

import gzip
import json
from itertools import islice

import pytest

from annotation.models import EvidenceItem
from datasets.exporting import export_to
from datasets.options import ExportOptions
from datasets.readers.dispatch import read_claims
from tests.corpus.test_readers_pages import WIKI
from tests.datasets.builders import label, labelled, make_item_of
from tests.datasets.importing import import_lines, line, make_target, run
from tests.datasets.test_importing_linked import corpus_of
from tests.factories import make_campaign, make_claim, make_wave, paragraph_of
from tests.shared import shared_data

pytestmark = pytest.mark.django_db
S, R, N = "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"
SAMPLE = 150
CTKFACTS = [("ctkfacts", form, f"{name}.jsonl.gz") for form in ("fever_ctkId", "nli_text")
            for name in ("train", "validation")]  # fmt: skip


def exported(campaign, folder, format, **options):
    """The path of the only file of an export."""
    export_to(folder, campaign=campaign, options=ExportOptions(format=format, **options))
    return folder / f"all.{'csv' if format == 'claims_csv' else 'jsonl'}"


def judged_campaign():
    """Claims of ours: a mutation, two sets, no verdict, a verdict without evidence."""
    campaign = make_target()
    wave = make_wave(campaign)
    article = campaign.corpus.articles.get(external_id="a")
    first, second = paragraph_of(article, 1), paragraph_of(article, 2)
    initial = make_claim(wave, "Most se otevřel v květnu.", source=first)
    label(make_item_of(initial, wave), "ben", S, [first, second], [second])
    mutated = make_claim(wave, "The bridge is shut.", source=second, parent=initial)
    label(make_item_of(mutated, wave), "ben", R, [second])
    labelled(wave, N, source=first)
    label(make_item_of(make_claim(wave, "It is red.", source=first), wave), "ben", S)
    return campaign


@pytest.mark.parametrize("with_corpus", [True, False])
@pytest.mark.parametrize("format", ["fever", "ctkfacts"])
def test_our_own_export_comes_back_byte_by_byte(tmp_path, format, with_corpus):
    ours = judged_campaign()
    first = exported(ours, tmp_path / "first", format)
    again = make_campaign(slug="again", corpus=ours.corpus if with_corpus else None)

    report = run(again, first, format=format, language="en")
    second = exported(again, tmp_path / "second", format)

    assert (report["evidence_unresolved"] == 0) is with_corpus
    assert len(first.read_bytes().splitlines()) == 4
    assert second.read_bytes() == first.read_bytes()


def test_our_own_lines_of_units_come_back_byte_by_byte(tmp_path):
    ours = judged_campaign()
    items = EvidenceItem.objects.order_by("pk")
    items.filter(pk=items.first().pk).update(unit="s0")
    first = exported(ours, tmp_path / "first", "fever", lines="units")
    again = make_campaign(slug="again", corpus=ours.corpus)

    run(again, first, format="fever", lines="units")
    second = exported(again, tmp_path / "second", "fever", lines="units")

    assert json.loads(first.read_text().splitlines()[0])["evidence"] == [
        [[1001, 1001, "a", 0], [1002, 1002, "a", 1]],
        [[1003, 1003, "a", 1]],
    ]
    assert second.read_bytes() == first.read_bytes()


def test_lines_are_units_where_the_corpus_was_read_by_lines(tmp_path):
    campaign = corpus_of(tmp_path, "fever-wiki", WIKI)
    page = WIKI["id"]
    claim = {"id": 5, "verifiable": "VERIFIABLE", "label": S, "claim": "It is long.",
             "evidence": [[[71, 72, page, 2], [71, 73, "x", 4]], [[71, 75, page, 2]]]}  # fmt: skip
    import_lines(tmp_path, campaign, claim, format="fever")

    by_units = exported(campaign, tmp_path / "units", "fever")
    by_ranks = exported(campaign, tmp_path / "ranks", "fever", lines="ranks")

    assert json.loads(by_units.read_text()) == claim
    assert json.loads(by_ranks.read_text())["evidence"] == [[[71, 75, page, 1]]]


def test_a_set_that_lacks_one_paragraph_stays_whole_at_its_place(tmp_path):
    campaign = make_target()
    sets = (["a_1"], ["b_2", "elsewhere_7"], ["b_3"], ["nowhere_1"])
    import_lines(tmp_path, campaign, line(7, S, *sets, source="gone_1", mutated_from="x-9"))

    file = exported(campaign, tmp_path / "out", "ctkfacts")

    told = json.loads(file.read_text())
    assert told["evidence"] == [list(each) for each in sets]
    assert (told["source"], told["mutated_from"]) == ("gone_1", "x-9")


def test_ids_and_fields_of_others_are_theirs(tmp_path):
    campaign = make_target(publishes_text=True)
    import_lines(tmp_path, campaign, line("c-1", S, ["a_1"], topic="bridges"))

    told = json.loads(exported(campaign, tmp_path / "out", "ctkfacts").read_text())
    fever = json.loads(exported(campaign, tmp_path / "fever", "fever").read_text())

    assert (told["id"], told["topic"]) == ("c-1", "bridges")
    assert list(told)[-1] == "topic"
    assert (fever["id"], "topic" in fever) == ("c-1", False)
    assert fever["evidence"] == [[[1001, 1001, "a", 1]]]


@pytest.mark.parametrize(("publishes", "expected"), [(True, "Some text."), (False, None)])
def test_fields_of_others_stay_here_where_texts_are_not_published(tmp_path, publishes, expected):
    campaign = make_target(publishes_text=publishes)
    import_lines(tmp_path, campaign, line(7, S, ["a_1"], evidence_text="Some text."))

    told = json.loads(exported(campaign, tmp_path / "out", "ctkfacts").read_text())

    assert told.get("evidence_text") == expected


def test_what_a_file_said_of_its_label_goes_once_people_decide_otherwise(tmp_path):
    campaign = make_target()
    claim = {"id": 5, "verifiable": "NOT VERIFIABLE", "label": S, "claim": "It is.",
             "evidence": [[[71, 72, "b", 1]], [[71, 73, "x", 4]]]}  # fmt: skip
    import_lines(tmp_path, campaign, claim, format="fever")
    before = json.loads(exported(campaign, tmp_path / "before", "fever").read_text())
    item = make_item_of(campaign.claims.get(number=5), make_wave(campaign))
    label(item, "ben", R, [paragraph_of(campaign.corpus.articles.get(external_id="a"), 2)])

    after = json.loads(exported(campaign, tmp_path / "after", "fever").read_text())

    assert before == claim
    assert (after["verifiable"], after["label"]) == ("VERIFIABLE", R)
    assert after["evidence"] == [[[5001, 5001, "a", 2]]]


def test_sets_that_a_format_cannot_name_are_counted_and_do_not_shrink(tmp_path):
    campaign = make_target()
    text = {"id": 3, "label": S, "claim": "It is.", "evidence": [["Known to nobody."]],
            "source": "a_1", "mutated_from": None, "verifiable": "VERIFIABLE"}  # fmt: skip
    import_lines(tmp_path, campaign, text, format="nli")

    options = ExportOptions(format="ctkfacts")
    manifest = export_to(tmp_path / "out", campaign=campaign, options=options)

    assert manifest["left_out"]["sets_unnamed"] == 1
    assert json.loads((tmp_path / "out/all.jsonl").read_text())["evidence"] == []


def parsed(path, format):
    """{id: everything that the reader makes of a claim}, sets of evidence as sets."""
    return {each.external_id: facts(each) for each in read_claims([path], format)}


def facts(claim):
    ids = claim.record.get("evidence_ids")
    sets, labels = [], []
    for instance in claim.instances:
        labels += [(a.label, a.annotator) for a in instance.annotations]
        sets += [[(c.paragraph, c.external, c.text) for c in g]
                 for a in instance.annotations for g in a.evidence]  # fmt: skip
    whole = {frozenset(group) for group in sets}
    is_repeated = len(whole) < len(sets) or any(len(set(group)) < len(group) for group in sets)
    record = {name: value for name, value in claim.record.items() if name != "evidence_ids"}
    kept_ids = None if is_repeated or claim.violations["repeated_items"] else ids
    return (claim.number, claim.text, claim.source, claim.parent, labels, whole, record), kept_ids


def head(path, folder):
    """The first lines of a real file."""
    out = folder / path.name.removesuffix(".gz")
    with gzip.open(path) as lines:
        out.write_bytes(b"".join(islice(lines, SAMPLE)))
    return out


def equal_parsed(original, exported_file, format):
    before, after = parsed(original, format), parsed(exported_file, format)
    assert set(before) == set(after)
    for key, (told, ids) in before.items():
        assert after[key][0] == told
        # Of equal groups one is left, and which ids it has is not said.
        assert ids is None or after[key][1] == ids


@pytest.mark.parametrize("parts", [("fever", "paper_dev_1-5000.jsonl.gz")])
def test_real_fever_claims_come_out_as_they_went_in(tmp_path, parts):
    original = head(shared_data(*parts), tmp_path)
    campaign = make_campaign(slug="real", corpus=None)
    run(campaign, original, format="fever", language="en")

    equal_parsed(original, exported(campaign, tmp_path / "out", "fever"), "fever")


@pytest.mark.parametrize("parts", CTKFACTS, ids="-".join)
def test_real_ctkfacts_claims_come_out_as_they_went_in(tmp_path, parts):
    original = head(shared_data(*parts), tmp_path)
    format = "nli" if parts[1] == "nli_text" else "ctkfacts"
    campaign = make_campaign(slug="real", corpus=None)
    run(campaign, original, format=format, language="cs")

    options = {"evidence": "text", "per": "claim"} if format == "nli" else {}
    out = exported(campaign, tmp_path / "out", format, **options)

    if format == "nli":
        equal_parsed(original, out, format)
        return
    plain = tmp_path / "plain.jsonl"
    plain.write_text("".join(map(by_paragraph, original.read_text().splitlines())))
    equal_parsed(plain, out, format)


@pytest.mark.parametrize("name", ["train", "validation"])
def test_real_sets_one_a_line_come_back_byte_by_byte(tmp_path, name):
    original = shared_data("ctkfacts", "nli_text", f"{name}.jsonl.gz")
    campaign, again = (make_campaign(slug=slug, corpus=None) for slug in ("real", "again"))
    run(campaign, original, format="nli", language="cs")
    first = exported(campaign, tmp_path / "first", "nli")

    run(again, first, format="nli", language="cs")

    assert exported(again, tmp_path / "second", "nli").read_bytes() == first.read_bytes()


def test_real_ids_one_set_a_line_come_back_byte_by_byte(tmp_path):
    original = shared_data("ctkfacts", "fever_ctkId", "validation.jsonl.gz")
    campaign, again = (make_campaign(slug=slug, corpus=None) for slug in ("real", "again"))
    run(campaign, original, format="ctkfacts", language="cs")
    first = exported(campaign, tmp_path / "first", "nli", evidence="ids")

    run(again, first, format="nli", language="cs")

    second = exported(again, tmp_path / "second", "nli", evidence="ids")
    assert second.read_bytes() == first.read_bytes()


def by_paragraph(text):
    """A line of the FEVER form of CTKFacts in the form for document retrieval."""
    told = json.loads(text)
    told["evidence"] = [[item[2] for item in group] for group in told["evidence"]]
    return json.dumps(told, ensure_ascii=False) + "\n"
