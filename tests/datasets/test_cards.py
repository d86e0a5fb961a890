"""Cards: Markdown with its header, HTML, Croissant; texts of people stand as they are."""

import json
from html.parser import HTMLParser

import pytest
import yaml

from datasets.cards import as_html, as_markdown, card_sections, croissant
from datasets.cards.fields import columns_of
from datasets.cards.header import header_of, licence_of, size_category
from datasets.cards.markdown import as_yaml, escaped, escaped_line

# What a hub's card has to have, as the templates of hubs name the sections.
EXPECTED = [
    "Dataset Details", "Dataset Description", "Uses", "Direct Use", "Out-of-Scope Use",
    "Dataset Structure", "Data Splits", "Data Files", "Data Fields", "Dataset Creation",
    "Source Data", "Annotation Process", "Who are the annotators?", "Agreement", "Known Cues",
    "Leakage Between Splits", "Personal and Sensitive Information",
    "Bias, Risks, and Limitations", "Reproduction", "Citation", "Dataset Card Contact",
]  # fmt: skip
FILES = [
    {"name": f"data/ctkfacts/{split}.jsonl", "format": "ctkfacts", "config": "ctkfacts",
     "split": split, "lines": 3, "bytes": 300, "sha256": digit * 64}
    for split, digit in (("train", "a"), ("dev-set", "b"))
]  # fmt: skip
CUES = {
    "undefined": None, "n_claims": 6,
    "strongest": [{"cue": "never", "label": "REFUTES", "applicability": 3, "productivity": 1.0,
                   "coverage": 0.5, "harmonic_mean": 0.667}],
    "claim_only": {"undefined": None, "accuracy": 0.61, "macro_f1": 0.4567,
                   "majority_accuracy": 0.5},
}  # fmt: skip


def contents(**changes):
    """The contents of a release of six claims."""
    given = {
        "description": "Bridges.",
        "uses": "",
        "limitations": "",
        "citation": "Ada (2026).",
        "contact": "ada@example.org",
        "creator": "Bridge Lab",
        "url": "https://example.org",
    }
    return {
        "name": "1.0.0", "date": "2026-11-30", "title": "Spring", "language": "cs",
        "given": {**given, **changes.pop("given", {})},
        "licences": {"labels": "CC BY-SA 4.0", "texts": "proprietary", "publishes_text": False},
        "corpus": {"slug": "agency", "name": "Agency"},
        "waves": [{"name": "First", "purpose": "main", "plan": "two", "guidelines": [1, 2]}],
        "settings": {"formats": ["ctkfacts"], "split": "train=0.5,dev-set=0.5", "seed": 7},
        "policies": {"own": "never", "conditional": "nei", "ties": "leave-out",
                     "duplicates": "last"},
        "formats": [{"name": "ctkfacts", "title": "CTKFacts", "left_out": {"tie": 2}}],
        "configs": [{"name": "ctkfacts", "title": "CTKFacts", "columns": [
            {"name": "id", "type": "integer", "about": "the number"},
            {"name": "evidence", "type": "list", "about": ""}]}],
        "files": FILES, "n_claims": 6, "guidelines": [1, 2], "cues": CUES,
        "labels": {"train": {"SUPPORTS": 2, "REFUTES": 1}, "dev-set": {"NOT ENOUGH INFO": 3}},
        "leaks": {"leaks": dict.fromkeys(
            ("source_paragraph", "source_article", "initial_claim", "claim_id", "claim_text",
             "near_duplicate", "evidence_article"), 0) | {"source_article": 1},
            "shared_evidence_paragraphs": {"train, dev-set": 4}},
        "contributions": {"claims": {"extracted": 4, "mutated": 2}, "mutations": {"negate": 2},
                          "annotations": {"cross": 14}, "source_paragraphs": 5,
                          "source_articles": 4, "writers": 1, "annotators": 3, "curators": 0,
                          "median_labels": 4.5, "largest_share": 0.4},
        "figures": [{"name": "alpha", "title": "Krippendorff's alpha", "value": 0.5678,
                     "ci": [0.4, 0.7], "n": 6, "undefined": None},
                    {"name": "ac1", "title": "Gwet's AC1", "value": None, "ci": None, "n": 0,
                     "undefined": "no_pairs"}],
        **changes,
    }  # fmt: skip


def header(text):
    return yaml.safe_load(text.split("---\n")[1])


def test_a_card_has_the_sections_of_hubs_in_order():
    assert [section.title for section in card_sections(contents())] == EXPECTED


def test_the_header_is_yaml_that_hubs_read():
    found = header(as_markdown(contents()))

    assert found["license"] == "cc-by-sa-4.0"
    assert found["language"] == ["cs"]
    assert found["size_categories"] == ["n<1K"]
    assert found["configs"] == [
        {
            "config_name": "ctkfacts",
            "default": True,
            "data_files": [
                {"split": "train", "path": "data/ctkfacts/train.jsonl"},
                {"split": "dev_set", "path": "data/ctkfacts/dev-set.jsonl"},
            ],
        }
    ]


@pytest.mark.parametrize(
    ("text", "licence"),
    [
        ("CC BY-SA 4.0", {"license": "cc-by-sa-4.0"}),
        ("cc-by-nc-nd-3.0", {"license": "cc-by-nc-nd-3.0"}),
        ("MIT", {"license": "mit"}),
        ("ČTK, on request", {"license": "other", "license_name": "tk-on-request"}),
        ("", {"license": "unknown"}),
    ],
)
def test_licences_are_named_as_hubs_name_them(text, licence):
    assert licence_of(text) == licence


@pytest.mark.parametrize(
    ("n", "size"), [(999, "n<1K"), (1000, "1K<n<10K"), (99_999, "10K<n<100K"), (10**6, "1M<n<10M")]
)
def test_sizes_are_in_the_hubs_classes(n, size):
    assert size_category(n) == size


@pytest.mark.parametrize("text", ['He said: "no" # not', "- a\n- b", "yes", "1.0", "ř\\t", "null"])
def test_every_text_survives_yaml(text):
    assert yaml.safe_load(as_yaml({"a": text, "b": [text], "c": [{"d": text}]})) == {
        "a": text,
        "b": [text],
        "c": [{"d": text}],
    }


def test_figures_stand_with_interval_n_and_reason():
    text = as_markdown(contents())

    assert "| Krippendorff's alpha | 0.568 | 0.400 to 0.700 | 6 |  |" in text
    assert "| Gwet's AC1 | – | – | 0 | no claim has labels of two people |" in text


def test_cues_leaks_and_counts_are_said():
    text = as_markdown(contents())

    assert "| never | REFUTES | 3 | 1.000 | 0.500 | 0.667 |" in text
    assert "is right on 61.0 % (macro F1 0.457)" in text
    assert "| source articles | 1 |" in text
    assert "| cited paragraphs in train, dev-set | 4 |" in text
    assert "1 person wrote claims, 3 people labelled them, and 0 curators settled labels." in text


def test_markdown_of_people_is_no_markup():
    assert escaped("# [a](b) <i>*x*</i> | 1") == "\\# \\[a\\](b) \\<i\\>\\*x\\*\\</i\\> \\| 1"
    assert [escaped_line(text) for text in ("1. first", "- a", "+1", "2026")] == [
        "1\\. first", "\\- a", "\\+1", "2026",
    ]  # fmt: skip


def test_html_of_people_is_no_markup():
    cue = CUES["strongest"][0] | {"cue": "<script>x"}
    given = {"limitations": "<script>alert(1)</script>"}

    html = as_html(contents(given=given, title="<b>", cues=CUES | {"strongest": [cue]}))

    assert "<script>" not in html
    assert "&lt;script&gt;x" in html
    assert "&lt;script&gt;" in html
    assert Tags.of(html) == []


class Tags(HTMLParser):
    """Which elements were opened and not closed, or the other way round."""

    VOID = ("meta", "!doctype")

    @classmethod
    def of(cls, html):
        parser = cls()
        parser.open = []
        parser.feed(html)
        return parser.open

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_card_without_splits_leaks_or_corpus_says_so():
    text = as_markdown(contents(leaks=None, corpus=None))

    assert "nothing can leak between splits" in text
    assert "without a corpus" in text


def test_croissant_names_files_with_hashes_and_fields():
    found = croissant(contents())

    assert found["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert found["version"] == "1.0.0"
    assert [file["sha256"] for file in found["distribution"]] == ["a" * 64, "b" * 64]
    fields = found["recordSet"][0]["field"]
    assert [(field["name"], field["dataType"]) for field in fields] == [
        ("id", "sc:Integer"), ("evidence", "sc:Text"),
    ]  # fmt: skip
    assert json.dumps(found)


@pytest.mark.parametrize(
    ("formats", "where"),
    [
        (["ctkfacts", "raw"], "data/raw"),
        (["ctkfacts", "ambifc"], "data/ambifc"),
        (["ctkfacts", "ambifc", "raw"], "data/ambifc and data/raw"),
    ],
)
def test_a_card_says_where_annotators_are_named(formats, where):
    chosen = [{"name": name, "title": name, "left_out": {}} for name in formats]

    text = as_markdown(contents(formats=chosen))

    assert f"Annotators are named by pseudonyms in {where};" in text
    assert "Names that an imported file gave its annotators stand there as they were." in text
    assert "The files hold no names" not in text
    assert "Nobody is named" not in text


def test_a_card_of_files_that_name_nobody_says_so():
    assert "The files hold no names and no addresses" in as_markdown(contents())


def about(format, name):
    (column,) = columns_of([{name: "x"}], format)
    return column["about"]


def test_a_field_is_told_as_its_format_means_it():
    assert about("ctkfacts", "label").endswith("decided from the annotations")
    assert about("raw", "label").endswith("as its annotator gave it")
    assert about("raw", "annotator") == "a pseudonym, or the name that an imported file gave"
    assert "worker: a pseudonym, or the name" in about("ambifc", "passage_annotations")
    assert about("raw", "claim_id").startswith("the claim's number")
    assert about("fever", "id").startswith("the id that its own file gave the claim, else its")


@pytest.mark.parametrize("name", ["annotator", "kind", "scope", "wave", "flags"])
def test_a_field_of_an_imported_file_is_not_told_as_one_of_raw_labels(name):
    assert about("claims", name) == ""


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("data/claims_csv/all.csv", "text/csv"),
        ("data/beir/qrels/all.tsv", "text/tab-separated-values"),
        ("data/raw/all.jsonl", "application/jsonlines"),
    ],
)
def test_croissant_says_what_kind_a_file_is(name, encoding):
    file = FILES[0] | {"name": name, "config": ""}

    (found,) = croissant(contents(files=[file]))["distribution"]

    assert found["encodingFormat"] == encoding


def test_types_of_fields_are_read_from_the_lines():
    lines = [{"a": 1, "b": None, "c": "x"}, {"a": 1.5, "c": ["x"], "d": True}]

    assert [(each["name"], each["type"]) for each in columns_of(lines, "fever")] == [
        ("a", "number"), ("b", "null"), ("c", "mixed"), ("d", "boolean"),
    ]  # fmt: skip


def test_names_of_fields_can_be_stored():
    assert [each["name"] for each in columns_of([{"a\0b": 1, "c\ud83c": 2}], "fever")] == [
        "a?b",
        "c?",
    ]


def test_what_is_empty_is_left_out_of_the_header():
    assert "language" not in header_of(contents(language=""))
