"""`agreement` on files: those of the field as they are, sources, KALPHA, the model, filters."""

import json

import pytest

from agreement.label_files import label_columns
from tests.agreement.labels import labelled
from tests.agreement.test_commands import refusal, run
from tests.factories import make_campaign, make_corpus, make_wave
from tests.shared import shared_data

QUICK = ("--bootstrap", 200)


# Units, annotators, labels that count, and repeats that do not.
@pytest.mark.parametrize(
    ("name", "options", "sizes"),
    [
        ("anesthesia.csv", ("--columns", "label=rating"), (45, 5, 225, 90)),
        ("anesthesia.csv", ("--columns", "label=rating", "--duplicates", "all"), (45, 5, 315, 0)),
        ("ducks_answer.csv.gz", (), (108, 39, 4212, 0)),
        ("dog4_answer.csv.gz", (), (807, 109, 8070, 0)),
        ("snow2008_wsd.tsv.gz", (), (177, 34, 1770, 0)),
        ("snow2008_temp.tsv.gz", (), (462, 76, 4620, 0)),
    ],
)
def test_files_of_the_field_are_read_as_they_are(name, options, sizes):
    report = run("agreement", "--labels", shared_data("agreement", name), *options, *QUICK)

    names = ("n_units", "n_annotators", "n_annotations", "n_duplicates_dropped")
    assert tuple(report[name] for name in names) == sizes
    assert report["alpha"]["ci"][0] < report["alpha"]["value"] < report["alpha"]["ci"][1]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ducks_truth.csv.gz", "no column for the annotator; its columns are question, truth"),
        ("dog4_truth.csv.gz", "no column for the annotator"),
        ("fixture_01_paradox_2x2.json", "line 1: no JSON object"),
        ("fixture_02_cohen_ex1.json", "line 1: no JSON object"),
        ("fixture_03_cohen_ex2.json", "line 1: no JSON object"),
        ("published_values.json", "is one JSON list; write one object on each line"),
    ],
)
def test_files_without_labels_of_people_are_one_clear_line(name, words):
    assert words in refusal("--labels", shared_data("agreement", name))


def test_the_model_finds_the_classes_that_dawid_and_skene_printed(tmp_path):
    options = ("--columns", "label=rating", "--duplicates", "all", *QUICK)
    path = shared_data("agreement", "anesthesia.csv")

    report = run("agreement", "--labels", path, *options, "--aggregate", tmp_path / "out.jsonl")

    model = report["dawid_skene"]
    assert model["priors"] == pytest.approx({"1": 0.40, "2": 0.42, "3": 0.11, "4": 0.07}, abs=0.005)
    for errors in model["errors"].values():
        sums = [sum(given.values()) for given in errors.values()]
        assert sums == pytest.approx([1] * 4, abs=1e-5)
    assert set(model["accuracy"]) == {"1", "2", "3", "4", "5"}


def test_the_errors_of_each_annotator_stand_beside_the_lines(write, tmp_path):
    path = write("unit,annotator,label", *model_rows())

    report = run("agreement", "--labels", path, "--aggregate", tmp_path / "out.jsonl")

    model = report["dawid_skene"]
    assert model["errors"]["liar"] == {"x": {"x": 0, "y": 1}, "y": {"x": 1, "y": 0}}
    assert model["errors"]["p"] == {"x": {"x": 1, "y": 0}, "y": {"x": 0, "y": 1}}
    assert model["accuracy"] == {"liar": 0, "p": 1, "q": 1, "r": 1}
    assert model["share_right"] == model["accuracy"]
    assert "dawid_skene" not in run("agreement", "--labels", path)


def model_rows():
    """Three who say what is so on twenty units, and one who says the opposite."""
    for unit in range(20):
        so, other = ("x", "y") if unit % 2 else ("y", "x")
        yield from (f"{unit},{person},{so}" for person in "pqr")
        yield f"{unit},liar,{other}"


def sourced_rows(header="unit,annotator,label,source"):
    """Ten sources of four claims: in each, two annotators agree on all claims or on none."""
    lines = [header]
    for unit in range(40):
        source = unit // 4
        second = "xy"[(unit + source) % 2]
        lines += [f"{unit},a,{'xy'[unit % 2]},s{source}", f"{unit},b,{second},s{source}"]
    return lines


def width(report):
    low, high = report["alpha"]["ci"]
    return high - low


def test_whole_sources_are_drawn_where_claims_share_them(write):
    path = write(*sourced_rows())

    claims = run("agreement", "--labels", path)
    sources = run("agreement", "--labels", path, "--resample", "sources")

    assert sources["alpha"]["value"] == claims["alpha"]["value"]
    # Four claims that stand or fall together are worth one: the interval is twice as wide.
    assert width(sources) > 1.6 * width(claims)
    assert "resamples of clusters (sources with all their units)" in sources["alpha"]["method"]
    assert sources["policies"]["resample"] == "sources"


def test_the_column_of_sources_is_named_like_others(write):
    path = write(*sourced_rows("unit,annotator,label,origin"))

    assert "no column for the source" in refusal("--labels", path, "--resample", "sources")
    named = ("--resample", "sources", "--columns", "source=origin")
    assert run("agreement", "--labels", path, *named)["n_units"] == 40


def test_a_unit_without_a_source_is_drawn_alone(write):
    lines = ["1,a,x,s", "1,b,x,s", "2,a,x,", "2,b,y,", "3,a,y,2", "3,b,y,2"]

    columns = label_columns(write("unit,annotator,label,source", *lines), with_source=True)

    assert columns["source"] == ["s", "s", ("2",), ("2",), "2", "2"]


def test_a_unit_has_one_source(write):
    path = write("unit,annotator,label,source", "1,a,x,s", "1,b,x,t")

    words = refusal("--labels", path, "--resample", "sources")

    assert "line 3: unit '1' has the source 't' here and 's' before" in words


def test_whole_numbers_are_one_label_however_they_are_written(write):
    rows = [("1", 1, "1.0"), ("2", 2, "2.0"), ("3.0", 3, "3.00"), ("4", 10, "-1.0"), ("5", "", "")]
    lines = [line for unit, a, b in rows for line in (f"{unit},a,{a}", f"{unit},b,{b}")]

    columns = label_columns(write("unit,annotator,label", *lines))

    assert columns["label"] == ["1", "1", "2", "2", "3", "3", "10", "-1", None, None]
    assert columns["unit"][4] == "3"


@pytest.mark.parametrize("text", ["01.0", "1.50", "1.0.0", ".0", "v1.0", "1.", "-0.0", "1.0 "])
def test_other_texts_stay_as_they_are(write, text):
    columns = label_columns(write("unit,annotator,label", f"{text},a,x"))

    assert columns["unit"] == [text.strip() if text != "1.0 " else "1"]


def test_kalphas_interval_says_what_it_is_compatible_with(write):
    path = write(*sourced_rows())

    report = run("agreement", "--labels", path, "--interval", "kalpha")

    assert "compatible with KALPHA: its width does not shrink" in report["alpha"]["method"]
    assert report["policies"]["interval"] == "kalpha"
    assert report["alpha"]["ci"] != run("agreement", "--labels", path)["alpha"]["ci"]


def test_kappa_of_a_sample_of_the_labels_is_seeded(write):
    lines = [
        f"{u},{p},{'xyz'[(u * 7 + i * i) % 3]}" for u in range(30) for i, p in enumerate("abcd")
    ]
    lines += [f"{u},{p},{'xy'[u % 2]}" for u in range(30, 60) for p in "ab"]
    path = write("unit,annotator,label", *lines)

    first, again, other = (
        run("agreement", "--labels", path, "--seed", seed, *QUICK)["fleiss_sampled"]
        for seed in (1, 1, 2)
    )

    assert first == again != other
    two, four = first
    assert (two["n_raters"], two["n_units"], two["share"]) == (2, 60, 1)
    assert (four["n_raters"], four["n_units"], four["share"]) == (4, 30, 0.5)
    assert two["value"] != other[0]["value"]
    # Nothing is left to chance where all labels of a unit are taken.
    assert four["value"] == other[1]["value"]


def test_a_pair_without_a_kappa_says_why(write):
    path = write("unit,annotator,label", "1,a,x", "1,b,x", "2,a,x", "2,c,y", "3,a,y", "3,c,y")

    report = run("agreement", "--labels", path)

    pairs = {tuple(pair["annotators"]): pair for pair in report["cohen"]["pairs"]}
    assert (pairs["a", "b"]["kappa"], pairs["a", "b"]["undefined"]) == (None, "no_variation")
    assert pairs["a", "c"]["undefined"] is None
    assert report["cohen"]["n_pairs_undefined"] == 1


def test_many_rows_come_to_a_report(tmp_path):
    path = tmp_path / "many.csv"
    with path.open("w") as file:
        file.write("unit,annotator,label\n")
        for unit in range(10_000):
            labels = (unit % 3, unit % 3, (unit // 3) % 3)
            file.writelines(f"u{unit},w{(unit + i) % 50},{x}\n" for i, x in enumerate(labels))

    report = run("agreement", "--labels", path, *QUICK)

    assert report["n_annotations"] == 30_000
    # The third label agrees with both others on a third of the units: (1 + 2/3) / 3 pairs.
    assert report["percent"]["pooled_pairs"] == pytest.approx(5 / 9, abs=1e-3)
    assert report["percent"]["unanimous"] == pytest.approx(1 / 3, abs=1e-3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--task", "T2a"), "--task goes with --campaign; a file is measured as it is"),
        (("--since", "2026-01-01"), "--since goes with --campaign"),
        (("--subset", "certain"), "--subset goes with --campaign"),
    ],
)
def test_a_file_has_no_filters(write, options, words):
    assert words in refusal("--labels", write(*sourced_rows()), *options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--since", "last week"), "--since is 'last week'; write a day as 2026-01-31"),
        (("--until", "20260131"), "--until is '20260131'; write a day"),
        (
            ("--since", "2026-03-02", "--until", "2026-03-01"),
            "--until is 2026-03-01, before --since 2026-03-02; choose a later day",
        ),
        (("--marks", "2"), "--marks goes with --subset rule"),
        (("--subset", "rule", "--among", "0"), "--among 1 or more"),
    ],
)
def test_a_mistaken_filter_is_one_clear_line(options, words):
    assert words in refusal("--campaign", "spring", *options)


@pytest.fixture
def campaign_wave(db):
    wave = make_wave(make_campaign(corpus=make_corpus()))
    for letters in ("SS", "SR", "RR"):
        labelled(wave, letters)
    return wave


def test_a_campaigns_labels_are_filtered_in_report_and_lines(campaign_wave, tmp_path):
    out = tmp_path / "out.jsonl"

    every = run("agreement", "--campaign", "spring", *QUICK)
    none = run("agreement", "--campaign", "spring", "--until", "2001-01-01", "--aggregate", out)
    doubted = run("agreement", "--campaign", "spring", "--subset", "uncertain")

    assert (every["n_annotations"], every["n_filtered"]) == (6, 0)
    assert (none["n_annotations"], none["n_filtered"]) == (0, 6)
    assert none["alpha"]["undefined"] == "no_data"
    assert out.read_text() == ""
    assert (doubted["n_units"], doubted["policies"]["subset"]) == (0, "uncertain")


def test_lines_of_a_campaign_hold_what_the_filter_lets_through(campaign_wave, tmp_path):
    out = tmp_path / "out.jsonl"

    run("agreement", "--campaign", "spring", "--subset", "certain", "--aggregate", out)

    assert [json.loads(line)["unit"] for line in out.read_text().splitlines()] == [1, 2, 3]
