"""Before a wave closes an annotator learns nothing of others' labels: no counts, order or hints.

Others' labels are swapped so that people who agreed differ; every page and every answer to what
an annotator may ask or send has to be the same, but for which items are offered.
"""

import re
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agreement import hints
from agreement.figures import Scope
from agreement.snapshots import KIND, store
from annotation.drafts import save_draft
from annotation.giving import close_run_out
from annotation.items import lock_item, settle
from annotation.models import Annotation, Assignment, Wave, WaveItem
from annotation.offers import lease_item
from annotation.pseudonyms import pseudonym_of
from tests.annotation.pages import HTMX
from tests.factories import make_member, make_participant, make_work, run_out, submit
from tests.routes import ROUTES
from tests.world import World

pytestmark = pytest.mark.django_db
# What is new each time that a page is drawn, or tells when it was.
VARYING = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}\w{12}'
    r"|<time .*?</time>|\d{4}-\d\d-\d\dT[\d:.]+Z?|\d\d:\d\d:\d\d"
)
TOLD = ["Location", "HX-Redirect", "HX-Trigger", "HX-Retarget", "HX-Reswap"]
LABELS = "/api/v1/campaigns/spring/annotations/"
PLANS = [("exact", 3), ("two_and_third", 2)]


@pytest.fixture(params=PLANS, ids=[plan for plan, _ in PLANS])
def world(request):
    """The annotator answered two claims, let one run out and holds one; everybody agrees so far.

    The one that ran out has its two labels from others, the one that is held has one. Nobody was
    given the last one, so that there is always something to go on with.
    """
    world = World()
    plan, wanted = request.param
    Wave.objects.update(plan=plan, labels_wanted=wanted, allows_search=True)
    world.wave.refresh_from_db()
    world.ben, world.dan = (make_participant(world.wave, name) for name in ("ben", "dan"))
    *answered, others, late, held, _ = make_work(world.wave, 6, author=world.curator)
    world.answered, _ = (label(item, world.annotator).assignment for item in answered)
    world.expired = let_run_out(give(late, world.annotator))
    for item in [*answered, others, late]:
        label(item, world.ben)
    for item in [others, late] if wanted == 2 else [others, late, answered[1]]:
        label(item, world.dan)
    world.others = others.instance.claim.number
    world.held = give(held, world.annotator)
    label(held, world.ben)
    return world


@transaction.atomic
def give(item, user):
    return lease_item(lock_item(item.pk), user=user, now=timezone.now())


def label(item, user):
    return submit(give(item, user), "SUPPORTS")


def let_run_out(assignment):
    """Work whose slot went back while its draft was kept."""
    save_draft(assignment=assignment, data={"label": ["REFUTES"]}, revision=0)
    run_out(assignment)
    close_run_out(wave=assignment.wave)
    assignment.refresh_from_db()
    return assignment


def swap_labels(name):
    """Let one person have said the opposite everywhere."""
    Annotation.objects.filter(user__username=name).update(label="REFUTES")
    for pk in WaveItem.objects.order_by("pk").values_list("pk", flat=True):
        settle(lock_item(pk))


def states():
    return list(WaveItem.objects.order_by("pk").values_list("state", "wanted", "instance__outcome"))


def differing(read):
    """The keys under which `read` finds something else once others' labels were swapped."""
    before, stood = read(), states()
    swap_labels("ben")
    assert states() != stood  # it made a difference to the items
    after = read()
    return [key for key in before if before[key] != after[key]]


# What a person reads


def pages_of(world, role):
    """{route: what a person in this role reads there}, of all that they may open."""
    client = Client()
    client.force_login(world.user_as(role))
    pages = {}
    for name, entry in ROUTES.items():
        for route in entry if isinstance(entry, list) else [entry]:
            if route.method == "get" and role in route.roles:
                needs = {
                    argument: getattr(world, needed) for argument, needed in route.needs.items()
                }
                found = client.get(reverse(name, kwargs=needs))
                text = b"".join(found).decode(errors="replace")  # some are streamed
                pages[name] = VARYING.sub("", text)
    return pages


def differing_pages(world, role):
    pages_of(world, role)  # what the routes need is made by the first visit
    return differing(lambda: pages_of(world, role))


def test_an_annotator_reads_the_same_whatever_others_answered(world):
    assert differing_pages(world, "annotator") == []


def test_a_curator_sees_that_people_differ(world):
    assert "agreement:conflicts" in differing_pages(world, "curator")


def test_a_manager_reads_others_labels_but_of_what_they_may_answer_themselves(world):
    make_member(world.campaign, world.annotator, role="manager")
    client = Client()
    client.force_login(world.annotator)
    mine = pseudonym_of(world.campaign, world.annotator.pk)

    rows = client.get(LABELS).json()["results"]

    assert {row["claim"] for row in rows if row["annotator"] != mine} == {world.others}


# What a person is answered


def sent_to(assignment, **fields):
    """A form of the work page as its person sends it, with its source ticked in the first set."""
    source = assignment.item.instance.claim.source_id
    draft = getattr(assignment, "draft", None)
    fields = {"revision": draft.revision if draft else 0, "set-1": [source], **fields}
    return reverse("annotation:work", args=[assignment.pk]), {"submission": uuid4(), **fields}


def forms_of(assignment):
    """{name: (path, fields)}: all that can be sent to the work page of one assignment."""
    article = assignment.item.instance.claim.source.article
    answers = {
        "submit": {"label": "SUPPORTS", "action": "submit"},
        "submit and go on": {"label": "REFUTES", "action": "next"},
        "not enough info": {"label": "NOT ENOUGH INFO", "action": "submit"},
        "without evidence": {"label": "REFUTES", "action": "submit", "set-1": []},
        "nothing chosen": {"action": "submit"},
        "what has to be asked": {
            "label": "SUPPORTS",
            "action": "submit",
            "set-1": list(article.paragraphs.values_list("pk", flat=True)),
        },
        "save": {"label": "SUPPORTS", "action": "save"},
        "save upon an old draft": {"label": "SUPPORTS", "action": "save", "revision": 99},
        "one more set": {"action": "add_set", "columns": 2},
        "open an article": {"open_article": article.pk},
        "open no article": {"open_article": 10**9},
    }
    return {name: sent_to(assignment, **fields) for name, fields in answers.items()}


def edits_of(assignment):
    """What can be sent where an answer stands: an edit, a repetition, and two kinds of conflict."""
    live = assignment.annotations.live().get()
    verdict = {"action": "submit", "label": "REFUTES"}
    return {
        "edit": sent_to(assignment, **verdict, drawn_from=live.pk),
        "from another tab": sent_to(assignment, **verdict),
        "sent twice": sent_to(
            assignment, action="submit", label="SUPPORTS", submission=live.submission
        ),
        "brought back and changed": sent_to(assignment, **verdict, submission=live.submission),
        "a form of another claim": sent_to(assignment, **verdict, submission=UUID(int=7)),
    }


def actions_on(assignment):
    """What is sent beside the form: drafts, heartbeats, skips, reports."""
    sent = {
        "draft": {"revision": 0, "label": "SUPPORTS"},
        "draft upon an old one": {"revision": 99},
        "beat": {"seconds": 5},
        "search": {"revision": 0, "search-text": "bridge"},
        "search for nothing": {"revision": 0, "search-text": ""},
        "skip": {"reason": "too hard"},
        "skip for no reason": {"reason": ""},
        "report": {"reason": "Two bridges."},
        "report for no reason": {"reason": " "},
    }
    return {
        name: (reverse(f"annotation:{name.split()[0]}", args=[assignment.pk]), fields)
        for name, fields in sent.items()
    }


def posts_of(world):
    """{name: (path, fields)}: all that the annotator may send about work."""
    posts = {"ask": (reverse("annotation:ask", args=[world.wave.pk, "T2"]), {})}
    for state in ("held", "expired", "answered"):
        assignment = Assignment.objects.get(pk=getattr(world, state).pk)
        forms = edits_of if state == "answered" else forms_of
        sent = forms(assignment) | actions_on(assignment)
        posts |= {f"{state}: {name}": one for name, one in sent.items()}
    return posts


def answers_to(world, posts):
    """{name: what the annotator is answered, and reads afterwards}, with htmx and without."""
    return {
        (name, bool(headers)): answer_to(world.annotator, post, headers)
        for name, post in posts.items()
        for headers in ({}, HTMX)
    }


def answer_to(user, post, headers):
    """One answer and what is read after it; whatever it changed is rolled back.

    Which item is offered in answer may differ: neither its number nor its page is looked at.
    """
    path, fields = post
    client = Client()
    client.force_login(user)
    with transaction.atomic():
        response = client.post(path, fields, headers=headers)
        goes_to = response.get("Location") or response.get("HX-Redirect") or path
        is_offer = goes_to.startswith("/assignments/") and not path.startswith(goes_to)
        after = [] if headers else [LABELS] if is_offer else [LABELS, goes_to]
        texts = [client.get(page).content.decode() for page in after]
        transaction.set_rollback(True)
    told = [f"{name}: {response.get(name)}" for name in TOLD]
    told = ["an offer"] if is_offer else told
    texts = [str(response.status_code), *told, response.content.decode(), *texts]
    return [VARYING.sub("", text) for text in texts]


def test_what_is_sent_is_answered_alike_whatever_others_answered(world):
    posts = posts_of(world)

    assert differing(lambda: answers_to(world, posts)) == []


def test_the_hint_to_writers_is_the_same_whatever_others_answered(world):
    sent = reverse("agreement:hint", args=[world.mutating_id]), {"specify": "The claim never was."}

    def hint():
        store(KIND.CUES, Scope(world.campaign, world.wave), hints.SETTINGS)
        return {"hint": answer_to(world.annotator, sent, HTMX)}

    assert differing(hint) == []
