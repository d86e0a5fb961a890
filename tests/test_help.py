"""Help: the guides in docs/ can be read and followed without the repository."""

import re

import pytest
from django.conf import settings
from django.urls import reverse

from config.guides import DOCS, draw_guide, read_guide
from config.help_pages import NAMES

LINK = re.compile(r'<a href="([^"]*)"')
TEMPLATES = (settings.BASE_DIR / "templates").rglob("*.html")
TO_GUIDE = re.compile(r'guide_link.html" with guide="([^"]+)"(?: place="([^"]+)")?')
GUIDED = [found for path in TEMPLATES for found in TO_GUIDE.findall(path.read_text())]


def page_of(client, name):
    response = client.get(reverse("guide", args=[name]))
    assert response.status_code == 200
    return response.text


def article_of(page):
    return page[page.index("<article") : page.index("</article>")]


def ids_in(page):
    return re.findall(r'\bid="([^"]*)"', page)


def drawn(*lines):
    return draw_guide("\n\n".join(["# Title", *lines]), ["scoring"])


def test_every_guide_is_listed_once():
    assert sorted(NAMES) == sorted(path.stem for path in DOCS.glob("*.md"))


def test_the_list_leads_to_every_guide(sign_in, eve):
    page = sign_in(eve).get(reverse("guides")).text

    assert [reverse("guide", args=[name]) in page for name in NAMES] == [True] * len(NAMES)
    assert ">Annotator&#x27;s guide</a>" in page


def test_help_is_linked_from_every_page_of_who_is_signed_in(sign_in, client, eve):
    link = f'<a href="{reverse("guides")}">Help</a>'

    assert link in sign_in(eve).get("/").text
    assert link not in client.get(reverse("accounts:sign-in")).text


@pytest.mark.parametrize("name", NAMES)
def test_a_guide_is_a_page_in_english_with_one_title(sign_in, eve, name):
    page = page_of(sign_in(eve), name)

    assert page.count("<h1") == 1
    assert re.search(r'<article [^>]*lang="en"', page)
    assert len(ids_in(page)) == len(set(ids_in(page)))


@pytest.mark.parametrize("name", NAMES)
def test_the_links_of_a_guide_lead_somewhere(sign_in, eve, name):
    client = sign_in(eve)
    page = page_of(client, name)

    for href in LINK.findall(article_of(page)):
        if re.match("https?:", href):
            continue
        other, _, place = href.partition("#")
        target = page_of(client, other.strip("./")) if other else page
        assert not place or place in ids_in(target), href


@pytest.mark.parametrize(("name", "place"), sorted(set(GUIDED)))
def test_pages_name_a_place_that_their_guide_has(name, place):
    assert name in NAMES
    assert not place or place in ids_in(read_guide(name, NAMES).html)


@pytest.mark.parametrize("name", ["nothing", "README", "settings", "..", "decisions"])
def test_what_is_no_guide_is_not_there(sign_in, eve, name):
    assert sign_in(eve).get(f"/help/{name}/").status_code == 404


def test_a_path_reaches_no_file(sign_in, eve):
    assert sign_in(eve).get("/help/..%2FREADME/").status_code == 404
    assert sign_in(eve).get("/help/decisions/0001-slices-and-imports/").status_code == 404


def test_links_between_guides_lead_to_their_help_pages():
    html = drawn("[a](scoring.md), [b](scoring.md#fever), [c](#here)").html

    assert LINK.findall(html) == ["../scoring/", "../scoring/#fever", "#here"]


def test_a_guide_that_is_named_by_its_file_is_named_without_the_ending():
    html = drawn("See [scoring.md](scoring.md).").html

    assert ">scoring</a>" in html


def test_links_to_other_files_become_text():
    html = drawn("See [decision 5](decisions/0005-one.md), [it](../README.md), [x](other.md).").html

    assert "<p>See decision 5, it, x.</p>" in html


def test_links_to_other_sites_stay():
    html = drawn("[FEVER](https://fever.ai)").html

    assert LINK.findall(html) == ["https://fever.ai"]


def test_headings_have_the_ids_that_github_gives_them():
    guide = drawn("## How hard it is", "### CTKFacts, train: 5", "## `Same`", "## Same")

    assert ids_in(guide.html) == ["how-hard-it-is", "ctkfacts-train-5", "same", "same-1"]
    assert guide.sections == [
        ("how-hard-it-is", "How hard it is"),
        ("same", "Same"),
        ("same-1", "Same"),
    ]


def test_a_table_scrolls_in_a_frame_named_by_its_heading():
    html = drawn('## A "b" <c>', "| a |\n|--:|\n| b |").html

    frame = '<div class="table-scroll" role="region" tabindex="0" aria-label='
    assert frame + '"A &quot;b&quot; &lt;c&gt;">' in html
    assert html.rstrip().endswith("</table>\n</div>")
    assert "style" not in html


def test_markup_in_a_guide_is_shown_as_it_is_written():
    assert "&lt;script&gt;" in drawn("<script>alert(1)</script>").html


def test_a_guide_without_a_title_is_refused():
    with pytest.raises(ValueError, match="level 1"):
        draw_guide("Text", [])
