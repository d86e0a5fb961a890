"""Texts and names in any script fit a phone: nothing has to be scrolled sideways."""

import pytest

from annotation.giving import ask_for_work
from tests.annotation.pages import page_of
from tests.browser.people import PHONE, sign_in
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_item,
    make_participant,
    make_source,
    make_wave,
    make_work,
    paragraph_of,
    submit,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
TEXTS = {
    "latin": "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau" * 6,
    "arabic": "افتتح الجسر في مايو ٢٠٢٢ بعد تأخير طويل، وقال الوزير إنه سعيد. " * 4,
    "chinese": "这座大桥在二零二二年五月开通耗资一千万克朗" * 15,
    "emoji": "👩‍👩‍👧‍👦👍🏽🏳️‍🌈" * 50,
    "marks": ("e" + "\u0301" * 20 + "ṩ") * 20,
}
PAGES = ["/", "/my-work/", "/progress/", "/guidelines/", "/campaigns/"]


@pytest.fixture(params=sorted(TEXTS))
def assignments(request, live_server):
    """Open work of each task, and one answer, where every name and text is long."""
    text = TEXTS[request.param]
    campaign = make_campaign(slug="spring", name=text[:90], corpus=make_corpus())
    wave = make_wave(campaign, name=text[:90])
    ben = make_participant(wave, "ben")
    make_work(wave)
    submit(ask_for_work(user=ben, wave=wave, task="T2"), note=text)
    paragraph = paragraph_of(make_article(campaign.corpus, text, title=text))
    make_item(make_claim(wave, text[:480], source=paragraph), wave)
    make_claim(wave, text[:480], author=ben, source=paragraph)
    make_source(wave, paragraph)
    return [ask_for_work(user=ben, wave=wave, task=task) for task in ["T1a", "T1b", "T2"]]


def test_no_page_is_wider_than_a_phone(browser, live_server, assignments):
    page = sign_in(browser, live_server, "ben", viewport=PHONE, has_touch=True, is_mobile=True)

    widths = {}
    for address in [*PAGES, *map(page_of, assignments)]:
        page.goto(address)
        widths[address] = page.evaluate("document.documentElement.scrollWidth")

    assert {name: width for name, width in widths.items() if width > PHONE["width"]} == {}
