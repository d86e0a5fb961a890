import json
from collections import Counter

from corpus.markup import html_blocks, html_text, markdown_blocks, markdown_text
from tests.corpus.reading import articles_of, one_reason, read_all, read_text
from tests.shared import shared_data


def cells_of(block):
    return {unit.id: block.text[unit.start : unit.end] for unit in block.units}


def make_record(**fields):
    record = {
        "path": "news/a.md",
        "slug": "a",
        "date": "2019-05-07 10:00:00 -0400",
        "title": "A bridge",
        "topics": ["mobile", "design"],
        "source_url": None,
        "body": "It *opened*.",
    }
    return json.dumps({**record, **fields}) + "\n"


def test_a_record_with_a_body_and_a_date_is_an_article(tmp_path):
    (article,) = read_text(tmp_path, make_record(), format="frontmatter")

    assert (article.external_id, article.title) == ("news/a.md", "A bridge")
    assert article.keywords == ("mobile", "design")
    assert article.paragraphs[0].text == "It opened."
    assert article.published_at.hour == 14


def test_the_id_of_a_record_can_be_mapped(tmp_path):
    (article,) = read_text(tmp_path, make_record(), format="frontmatter", mapping={"id": "slug"})

    assert article.external_id == "a"


def test_a_record_without_body_says_so(tmp_path):
    line = make_record().replace('"body"', '"content"')

    assert "no text (looked for 'body')" in one_reason(
        read_text(tmp_path, line, format="frontmatter")
    )


def test_headings_become_the_section_path_of_what_follows():
    text = "Lead.\n\n# One {#one}\n\nA.\n\n## Two\n\nB.\n\n# Three\n\nC."

    blocks = markdown_blocks(text)

    assert [(b.text, b.section_path) for b in blocks] == [
        ("Lead.", ()),
        ("A.", ("One",)),
        ("B.", ("One", "Two")),
        ("C.", ("Three",)),
    ]


def test_links_images_and_shortcodes_leave_their_text_alone():
    text = (
        'See [the *plan*]({{< ref "x.md" >}} "a title"). {{< img src="a.jpg" >}}\n\n'
        "![alt](a.png)\n\nIt&#8217;s `code` & <b>bold</b>."
    )

    assert markdown_text(text) == "See the plan.\n\nIt’s code & bold."


def test_a_list_is_one_paragraph_with_an_item_each():
    prose, block = markdown_blocks("We need:\n\n* milk\n* bread\n  and butter\n  * nested\n")

    assert prose.text == "We need:"
    assert block.kind == "list"
    assert list(cells_of(block).values()) == ["milk", "bread and butter", "nested"]


def test_a_table_is_one_paragraph_with_a_cell_each():
    (block,) = markdown_blocks("| Team | Points |\n|---|---|\n| Kiel | 5 |\n|  | 3 |\n")

    assert block.kind == "table"
    assert block.text == "Team | Points\nKiel | 5\n| 3"
    assert cells_of(block) == {
        "header_cell_0_0": "Team",
        "header_cell_0_1": "Points",
        "cell_1_0": "Kiel",
        "cell_1_1": "5",
        "cell_2_1": "3",
    }
    assert block.units[-1].headers == ("header_cell_0_1",)


def test_a_cell_names_the_header_above_it_and_the_one_beside_it():
    (block,) = html_blocks(
        "<table><caption>Points</caption><tr><th></th><th>Home</th></tr>"
        "<tr><th>Kiel</th><td>5</td></tr></table>"
    )

    assert block.text == "Points\n| Home\nKiel | 5"
    assert cells_of(block)["caption_0"] == "Points"
    assert block.units[-1].headers == ("header_cell_0_1", "header_cell_1_0")


def test_a_table_of_one_cell_is_prose():
    (block,) = html_blocks("<table><tr><td>It <b>opened</b>.</td><td> </td></tr></table>")

    assert (block.kind, block.text) == ("prose", "It opened.")


def test_html_is_reduced_to_its_visible_text():
    text = (
        "<html><head><title>x</title><style>p{}</style></head><body><script>alert(1)</script>"
        "<p>One<br>line</p><div>Two<br><br>Three <!-- no --></div><pre>a\n  b</pre>"
    )

    assert html_text(text) == "One line\n\nTwo\n\nThree\n\na\n  b"


def test_broken_html_loses_no_text():
    assert (
        html_text("<p>a<b>b<p>c</i><table><tr>d<td>e</table><![if x]>f") == "ab\n\nc\n\nd\n\ne\n\nf"
    )


def test_all_1_660_government_posts_are_read():
    records = read_all(
        shared_data("digitalgov", "articles_2010-2019.jsonl.xz"),
        format="frontmatter",
        time_zone="America/New_York",
        language="en",
    )

    kinds = Counter(p.kind for article in records for p in article.paragraphs)
    assert len(records) == len(articles_of(records)) == 1_660
    assert sum(not article.paragraphs for article in records) == 18
    assert kinds == {"prose": 17_321, "list": 1_838, "table": 37}
    assert not [a for a in records if a.is_day]
    assert not [p for a in records for p in a.paragraphs if "{{<" in p.text]
