import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.segmentation import given_blocks, numbered, text_blocks
from corpus.sentences import sentence_spans, sentence_units


def texts(blocks):
    return [block.text for block in blocks]


def split(text, language=""):
    return [text[start:end] for start, end in sentence_spans(text, language)]


def test_blank_lines_divide_paragraphs_and_wrapped_lines_flow():
    text = "The bridge\r\nopened today.\r\n \r\n\r\nThe mayor came.\r\n"

    assert texts(text_blocks(text)) == ["The bridge opened today.", "The mayor came."]


def test_indented_lines_begin_paragraphs():
    text = "    PRAGUE, May 7 - The bridge\nopened today.\n    The mayor\ncame."

    assert texts(text_blocks(text)) == [
        "PRAGUE, May 7 - The bridge opened today.",
        "The mayor came.",
    ]


def test_lines_that_end_as_sentences_are_paragraphs_of_their_own():
    text = "The bridge opened today.\nThe mayor came.\nIt rained."

    assert texts(text_blocks(text)) == text.split("\n")


def test_hard_wrapped_lines_are_one_paragraph():
    text = "The bridge that was\nplanned for a decade\nopened today."

    assert texts(text_blocks(text)) == [text.replace("\n", " ")]


def test_rows_of_figures_stay_lines_of_one_table():
    text = (
        "    The year ended well.\n    Net 807,000 vs 2,858,000\n    Assets 510.2 mln vs 479.7 mln"
    )

    prose, table = text_blocks(text)

    assert prose.text == "The year ended well."
    assert table.kind == "table"
    assert table.text == "Net 807,000 vs 2,858,000\nAssets 510.2 mln vs 479.7 mln"


def test_a_short_heading_above_rows_belongs_to_their_table():
    text = (
        "    Shr 13 cts vs 6 cts\nx\n    Year\n    Shr 40 cts vs 26 cts\n    Net 4.2 mln vs 2.6 mln"
    )

    assert text_blocks(text)[-1].text.startswith("Year\n")


def test_wrapped_prose_full_of_figures_is_no_table():
    text = (
        "    Steady.\n    Sales rose to 445,400 from 362,500 and\nto 151,500 from 139,800 in 1986."
    )

    assert [block.kind for block in text_blocks(text)] == ["prose", "prose"]


def test_a_table_keeps_its_columns():
    text = "  Platinum     4321   19120\n  Palladium     348    6895\n"

    (table,) = text_blocks(text)

    assert table.text == "Platinum     4321   19120\nPalladium     348    6895"


def test_bulleted_lines_are_a_list_with_an_item_each():
    (block,) = text_blocks("- milk\n- bread and\tbutter\n")

    assert block.kind == "list"
    assert [block.text[u.start : u.end] for u in block.units] == ["- milk", "- bread and butter"]
    assert [u.id for u in block.units] == ["list_item_0", "list_item_1"]


def test_lines_that_only_divide_are_no_paragraphs():
    assert texts(text_blocks("One.\n\n* * *\n\n- - -\n\nTwo.")) == ["One.", "Two."]


def test_given_paragraphs_keep_their_words_and_their_places():
    paragraphs = numbered(given_blocks(["One  two.", "", " three\nfour "]))

    assert [(p.rank, p.text) for p in paragraphs] == [(1, "One  two."), (2, ""), (3, "three\nfour")]


@given(st.text(alphabet="ab 1.\n\r\t-\u3000\u2028\0|", max_size=80))
def test_cutting_loses_no_letter_and_makes_no_empty_paragraph(text):
    blocks = text_blocks(text)

    assert all(block.text == block.text.strip() != "" for block in blocks)
    joined = "".join(texts(blocks))
    assert [c for c in joined if c.isalnum()] == [c for c in text if c.isalnum()]


ENGLISH = [
    ["Mr. Smith met Dr. J. R. Jones of IBM Corp. in the U.S. last week.", "He paid $1.5 mln."],
    ["“It was fun.”", "The end!", "Was it?", "Yes... it was."],
    ['"Did he go?" asked John.', "No. 5 is alive.", "On Jan. 5 he left.", "He said no.", "It ate."],
    ["He works at Apple Inc.", "The company grew.", "At 5 p.m. Eastern time it closed."],
    ["Exports to the U.S. Fell and the U.S. And Japan agreed.", "Sales rose to 1,500.", "Then 20."],
    ["See www.example.org/a.b for more (p. 12).", "Prices were $5.25 vs. $4.10 in Dec. 1986."],
]
CZECH = [
    ["Praha 14. května 2019 (ČTK) - Podle ing. J. Nováka bylo 19. Evropské fórum.", "Skončilo."],
    ["Poté ČEZ a.s. koupil 3 tis. akcií, tj. 4,5 procenta.", "Karel IV. Lucemburský přijel."],
    ["Sešli se 7. 5. 2019 v 8. patře.", "Nejstaršímu bylo 82.", "Celkem přišlo 900 lidí."],
    ["Stalo se to v roce 1999.", "Poté odešel.", "Viz č. 5 sb. zákonů."],
]
OTHERS = [
    ("ja", ["「こんにちは。」", "東京です。", "元気？", "はい！"]),
    ("zh", ["他说：“好。”", "我们走了。"]),
    ("hi", ["यह एक वाक्य है। ", "यह दूसरा है।"]),
    ("ar", ["هل هذا سؤال؟ ", "نعم. ", "هذا جواب."]),
    ("de", ["Am 14. Mai kam Dr. Meier z. B. nach Köln. ", "Er blieb."]),
    ("fr", ["Il a dit « oui. » ", "Elle a dit « non ! » ", "Fin."]),
]


@pytest.mark.parametrize("expected", ENGLISH)
def test_english_sentences_are_found(expected):
    assert split(" ".join(expected), "en") == expected


@pytest.mark.parametrize("expected", CZECH)
def test_czech_sentences_are_found(expected):
    assert split(" ".join(expected), "cs") == expected


@pytest.mark.parametrize(("language", "parts"), OTHERS)
def test_sentences_of_other_scripts_are_found(language, parts):
    assert split("".join(parts), language) == [part.strip() for part in parts]


def test_a_leader_of_dots_ends_no_sentence_and_takes_no_time():
    assert len(split("." * 1_000_000)) == 1


def test_units_count_code_points_and_are_numbered_from_zero():
    first, second = sentence_units("😀 Ahoj. Já jsem tu.", "cs")

    assert (first.id, first.kind, first.start, first.end) == ("sentence_0", "sentence", 0, 7)
    assert (second.id, second.start, second.end) == ("sentence_1", 8, 19)


@given(st.text(alphabet='aA1.!?…。؟"”)( \n.', min_size=1, max_size=60).map(str.strip))
def test_sentences_cover_all_but_the_blanks_between_them(text):
    spans = sentence_spans(text, "cs")

    assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)
    covered = {at for start, end in spans for at in range(start, end)}
    assert all(at in covered or text[at].isspace() for at in range(len(text)))
