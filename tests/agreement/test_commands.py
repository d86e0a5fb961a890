"""`agreement` and `cues` on a campaign and on plain files, as their users type them."""

import gzip
import io
import json
import lzma

import pytest
from django.core.management import CommandError, call_command

from agreement.cue_figures import CueSettings, cue_figures
from agreement.figures import AgreementSettings, Scope, agreement_figures
from tests.agreement.labels import labelled
from tests.factories import make_campaign, make_corpus, make_wave
from tests.shared import shared_data

# Krippendorff (2011), section C: four observers, twelve units, missing values.
RELIABILITY_DATA = {
    "a": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    "b": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    "c": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    "d": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
}


def run(command, *arguments):
    """The JSON object that a command prints."""
    out = io.StringIO()
    call_command(command, *map(str, arguments), "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


def refusal(*arguments, command="agreement"):
    """The one line with which a command refuses."""
    with pytest.raises(CommandError) as error:
        run(command, *arguments)
    message = str(error.value)
    assert "\n" not in message
    return message


def rows(delimiter=","):
    return [
        delimiter.join([str(unit), person, "" if label is None else str(label)])
        for person, labels in RELIABILITY_DATA.items()
        for unit, label in enumerate(labels, start=1)
    ]


@pytest.mark.parametrize(
    ("level", "alpha"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_of_a_file_is_the_published_one(write, level, alpha):
    report = run("agreement", "--labels", write("unit,annotator,label", *rows()), "--level", level)

    assert report["alpha"]["value"] == pytest.approx(alpha, abs=5e-4)
    assert report["n_units"] == 12
    assert report["n_units_pairable"] == 11
    assert report["n_annotators"] == 4
    assert report["n_missing"] == 7


KEYS = {
    "n_units", "n_units_pairable", "n_annotators", "n_annotations", "n_duplicates_dropped",
    "labels", "alpha", "alpha_per_label", "leave_one_out", "fleiss", "percent", "cohen", "ac1",
    "majority",
}  # fmt: skip


def test_the_report_has_the_keys_that_others_rely_on(write):
    report = run("agreement", "--labels", write("unit,annotator,label", *rows()))

    assert set(report) >= KEYS
    assert set(report["alpha"]) >= {"value", "ci", "method", "undefined"}
    assert set(report["fleiss"][0]) >= {"n_raters", "value", "n_units", "share"}
    assert set(report["percent"]) >= {"unit_mean", "pooled_pairs", "value_weighted", "unanimous"}
    assert set(report["cohen"]) >= {"mean", "weighted_mean", "n_pairs"}
    assert "n_ties" in report["majority"]


@pytest.mark.parametrize(
    "header",
    ["unit,annotator,label", "item,worker,response", "Question,Rater,Answer", "claim,user,verdict"],
)
def test_columns_are_recognised(write, header):
    report = run("agreement", "--labels", write(header, *rows()))

    assert report["alpha"]["value"] == pytest.approx(0.743, abs=5e-4)


def test_other_columns_are_named(write):
    path = write("item,rater,rating", *rows())
    assert "no column for the label; its columns are item, rater, rating" in refusal(
        "--labels", path
    )

    assert run("agreement", "--labels", path, "--columns", "label=rating")["n_units"] == 12


@pytest.mark.parametrize("delimiter", ["\t", ";", ","])
def test_the_delimiter_is_found(write, delimiter):
    header = delimiter.join(["unit", "annotator", "label"])

    assert run("agreement", "--labels", write(header, *rows(delimiter)))["n_units"] == 12


def test_json_lines_are_read_too(write):
    lines = [
        json.dumps({"unit": unit, "annotator": person, "label": label, "note": [1]})
        for person, labels in RELIABILITY_DATA.items()
        for unit, label in enumerate(labels, start=1)
    ]

    report = run("agreement", "--labels", write(*lines, name="labels.jsonl"), "--level", "interval")

    assert report["alpha"]["value"] == pytest.approx(0.849, abs=5e-4)


@pytest.mark.parametrize(
    ("name", "pack"), [("l.csv.gz", gzip.compress), ("l.csv.xz", lzma.compress)]
)
def test_packed_files_are_read(tmp_path, name, pack):
    path = tmp_path / name
    path.write_bytes(pack("\n".join(["unit,annotator,label", *rows()]).encode()))

    assert run("agreement", "--labels", path)["n_units"] == 12


def test_duplicates_follow_the_policy(write):
    path = write("unit,annotator,label", "1,a,x", "1,a,y", "1,b,y", "2,a,x", "2,b,x")

    first, last = (run("agreement", "--labels", path, "--duplicates", p) for p in ("first", "last"))

    assert first["labels"] == {"x": 3, "y": 1}
    assert last["labels"] == {"x": 2, "y": 2}
    assert first["n_duplicates_dropped"] == 1


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "no_data"),
        (["1,a,", "1,b,NaN"], "no_data"),
        (["1,a,x", "2,b,x"], "no_pairs"),
        (["1,a,x", "2,a,y"], "no_pairs"),
        (["1,a,x", "1,b,x"], "no_variation"),
    ],
)
def test_an_undefined_alpha_has_a_reason(write, lines, reason):
    alpha = run("agreement", "--labels", write("unit,annotator,label", *lines))["alpha"]

    assert (alpha["value"], alpha["ci"], alpha["undefined"]) == (None, None, reason)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([""], "is empty"),
        (["unit,annotator,label", ",a,x"], "line 2: the unit is empty"),
        (["unit,annotator,label", "1,,x"], "line 2: the annotator is empty"),
        (["unit,annotator,label", "1,a"], "line 2: it has 2 fields where the header has 3"),
        (["unit,unit,annotator,label", "1,1,a,x"], "two columns are named 'unit'"),
        (["claim,item,user,label", "1,1,a,x"], "'claim' and 'item' could each be the unit"),
        (['unit,annotator,label', '1,a,"x'], "line 2: a quote is opened here and never closed"),
        (['{"unit": 1, "annotator": "a", "label": NaN}'], "line 1: NaN is no JSON"),
        (['{"unit": 1, "annotator": "a", "label": "x"}', "oops"], "line 2: no JSON object"),
        (['{"unit": [1], "annotator": "a", "label": "x"}'], "line 1: unit is a list"),
        (['{"unit": "\\ud800", "annotator": "a", "label": "x"}'], "line 1: unit holds half of a"),
    ],
)  # fmt: skip
def test_a_broken_file_is_one_clear_line(write, lines, words):
    assert words in refusal("--labels", write(*lines))


def test_a_missing_file_is_one_clear_line(tmp_path):
    assert "no such file" in refusal("--labels", tmp_path / "nowhere.csv")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--bootstrap", "0"], "--bootstrap is 0"),
        (["--seed", "-1"], "--seed is -1"),
        (["--wave", "First"], "--wave goes with --campaign"),
        (["--columns", "unit"], "write unit=..,annotator=..,label=.."),
        (["--columns", "colour=red"], "no column 'colour' to map"),
        (["--columns", "unit=colour"], "has no column 'colour'"),
        (["--level", "ordinal"], "needs numbers as labels"),
    ],
)
def test_a_mistaken_option_is_one_clear_line(write, options, words):
    path = write("unit,annotator,label", "1,a,x", "1,b,y")

    assert words in refusal("--labels", path, *options)


def test_infinity_is_no_label_of_an_interval(write):
    path = write("unit,annotator,label", "1,a,1", "1,b,inf")

    assert "finite numbers, not 'inf'" in refusal("--labels", path, "--level", "interval")


def test_units_come_to_lines_of_a_file(write, tmp_path):
    path = write("unit,annotator,label", "1,a,x", "1,b,x", "1,c,y", "2,a,x", "2,b,y")

    run("agreement", "--labels", path, "--aggregate", tmp_path / "out.jsonl")

    first, second = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert first["unit"] == "1"
    assert first["counts"] == {"x": 2, "y": 1}
    assert first["soft"] == {
        "x": pytest.approx(2 / 3, abs=1e-6),
        "y": pytest.approx(1 / 3, abs=1e-6),
    }
    assert (first["majority"], first["tied"]) == ("x", [])
    assert (second["majority"], second["tied"]) == (None, ["x", "y"])
    assert sum(first["dawid_skene"].values()) == pytest.approx(1)


def test_the_same_seed_prints_the_same(write):
    path = write("unit,annotator,label", *rows())

    assert run("agreement", "--labels", path) == run("agreement", "--labels", path)


def test_the_summary_is_one_line(write):
    out = io.StringIO()
    call_command("agreement", "--labels", str(write("unit,annotator,label", *rows())), stdout=out)

    assert out.getvalue().startswith("alpha 0.743 (95 % interval ")
    assert "11 of 12 units" in out.getvalue()
    assert out.getvalue().count("\n") == 1


def summary(*arguments):
    out = io.StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def test_one_of_something_is_named_in_the_singular(write):
    labels = write("unit,annotator,label", "u,p,A")
    claims = write('{"claim": "It opened.", "label": "A"}', name="claims.jsonl")

    assert "on 0 of 1 unit · 1 label by 1 annotator" in summary("agreement", "--labels", labels)
    assert summary("cues", "--claims", claims).startswith("1 claim with a label")
    assert "in 1 claim or more" in summary("cues", "--claims", claims, "--min-count", 1)


@pytest.mark.parametrize(
    ("name", "units"), [("snow2008_temp.tsv.gz", 462), ("dog4_answer.csv.gz", 807)]
)
def test_published_files_are_read_as_they_are(name, units):
    path = shared_data("agreement", name)

    assert run("agreement", "--labels", path, "--bootstrap", 100)["n_units"] == units


@pytest.fixture
def campaign_wave(db):
    wave = make_wave(make_campaign(corpus=make_corpus()))
    for letters in ("SS", "SR", "RR", "SSN"):
        labelled(wave, letters)
    return wave


def test_a_campaign_has_the_figures_of_its_dashboard(campaign_wave):
    report = run("agreement", "--campaign", "spring")

    figures = agreement_figures(Scope(campaign_wave.campaign), AgreementSettings())
    assert report == {name: value for name, value in figures.items() if name != "hardest"}


def test_a_wave_is_named(campaign_wave):
    labelled(make_wave(campaign_wave.campaign, name="Second"), "SSS")

    assert run("agreement", "--campaign", "spring", "--wave", "Second")["n_units"] == 1
    assert "has no wave 'Third'; its waves are 'First wave', 'Second'" in refusal(
        "--campaign", "spring", "--wave", "Third"
    )


def test_a_sandbox_has_no_figures(campaign_wave):
    make_wave(campaign_wave.campaign, name="Try", is_sandbox=True)

    assert "is a sandbox" in refusal("--campaign", "spring", "--wave", "Try")


@pytest.mark.django_db
def test_an_unknown_campaign_is_one_clear_line():
    assert "no campaign 'autumn'" in refusal("--campaign", "autumn")


def test_a_campaigns_instances_are_named_by_their_claims_numbers(campaign_wave, tmp_path):
    run("agreement", "--campaign", "spring", "--aggregate", tmp_path / "out.jsonl")

    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["unit"] for line in lines] == [1, 2, 3, 4]


CLAIMS = [
    json.dumps({"claim": f"The tower of {town} {verb} opened.", "label": label, "source": town})
    for town in ("Aven", "Brod", "Cerna", "Dolna", "Evar", "Fenn")
    for verb, label in (("was", "SUPPORTS"), ("never", "REFUTES"))
]


def test_cues_of_a_file(write):
    report = run("cues", "--claims", write(*CLAIMS, name="claims.jsonl"), "--resamples", 10)

    assert report["n_claims"] == 12
    assert report["labels"] == {"REFUTES": 6, "SUPPORTS": 6}
    never = next(row for row in report["unigrams"] if row["cue"] == "never")
    assert never["label"] == "REFUTES"
    assert (never["applicability"], never["productivity"], never["coverage"]) == (6, 1, 0.5)
    assert never["n_folds_present"] == 10
    assert report["bigrams"][0]["harmonic_mean"] == pytest.approx(2 / 3)
    assert {row["cue"] for row in report["lmi"]} >= {"never", "was"}
    assert report["claim_only"]["accuracy"] == 1
    assert report["claim_only"]["majority_accuracy"] == 0.5


@pytest.mark.parametrize(
    ("options", "language", "marked"),
    [((), "en", ["never"]), (("--language", "de"), "de", [])],
)
def test_negations_of_a_file_are_marked_in_its_language(write, options, language, marked):
    report = run("cues", "--claims", write(*CLAIMS, name="claims.jsonl"), *options)

    assert report["language"] == language
    assert [row["cue"] for row in report["negations"]] == marked


def test_the_minimum_of_cues_is_chosen(write):
    path = write(*CLAIMS, name="claims.jsonl")

    few = run("cues", "--claims", path, "--min-count", 2, "--order-by", "dci")

    assert "Aven" in {row["cue"] for row in few["unigrams"]}
    assert few["unigrams"][0]["dci"] == few["dci"][0]["dci"]
    assert "Aven" not in {row["cue"] for row in run("cues", "--claims", path)["unigrams"]}


def test_cues_of_a_wave_are_its_own(campaign_wave):
    labelled(make_wave(campaign_wave.campaign, name="Second"), "SSS")

    assert run("cues", "--campaign", "spring", "--wave", "Second")["n_claims"] == 1


def test_a_file_has_no_wave_and_a_campaign_its_own_language(write):
    path = write(*CLAIMS, name="claims.jsonl")

    assert "a file has none" in refusal("--claims", path, "--wave", "First", command="cues")
    words = refusal("--campaign", "spring", "--language", "cs", command="cues")
    assert "a campaign's claims have their own" in words


def test_cues_of_a_campaign_are_those_of_its_page(campaign_wave):
    figures = cue_figures(Scope(campaign_wave.campaign), CueSettings())

    assert run("cues", "--campaign", "spring") == figures


def test_top_limits_the_lists(write):
    path = write(*CLAIMS, name="claims.jsonl")

    assert len(run("cues", "--claims", path, "--top", 2)["unigrams"]) == 2


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (['{"claim": "", "label": "SUPPORTS"}'], "line 1: the claim is empty"),
        (['{"text": "A.", "label": "SUPPORTS"}'], "no column for the claim"),
    ],
)
def test_a_broken_file_of_claims_is_one_clear_line(write, lines, words):
    path = write(*lines, name="claims.jsonl")

    assert words in refusal("--claims", path, command="cues")


def test_claims_without_a_label_say_so(write):
    report = run("cues", "--claims", write('{"claim": "A.", "label": null}', name="c.jsonl"))

    assert report["undefined"] == "no_data"
    assert report["claim_only"]["undefined"] == "no_data"
