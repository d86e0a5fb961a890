"""What the demo starts from: accounts, the two sample corpora, a campaign with an open wave."""

import json
import os
import secrets

from django.conf import settings
from django.core.management import call_command
from django.db import transaction

from accounts.models import User
from accounts.services import create_user
from annotation.campaigns import create_campaign
from annotation.models import Campaign, Role, Wave
from annotation.people import add_participants
from annotation.waves import create_wave, open_wave
from config.demo.script import CZECH, ENGLISH
from corpus.models import Corpus, Import
from operations.management.commands.serve import DEMO_MARK

ZONE = "Europe/Prague"
MANAGER, CURATOR = "marta", "cyril"
ANNOTATORS = ["ada", "ben", "dana", "emil", "fran", "gita"]
GUEST = "you"
CAMPAIGN = "norvell-demo"
CORPORA = {
    "norvell": (ENGLISH, "Norvell Press Agency (fictional)", "en", ["Norvell Press Agency", "NPA"]),
    "orlavsko": (CZECH, "Tisková kancelář Orlavsko (smyšlená)", "cs", ["TKO"]),
}
LICENCE = "GPL-3.0-or-later, written for this project"


def passwords():
    """{username: password} of the demo's accounts, made once; `serve` then stays on loopback."""
    path = settings.DATA_DIR / DEMO_MARK
    if not path.exists():
        names = [MANAGER, CURATOR, *ANNOTATORS, GUEST]
        made = {name: secrets.token_urlsafe(9) for name in names}
        part = path.with_suffix(".part")  # whoever is killed while writing leaves no half of it
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(made, file)
        part.replace(path)
    return json.loads(path.read_text())


def make_people():
    """The accounts; the manager is also the superuser of this installation."""
    for username, password in passwords().items():
        if not User.objects.filter(username=username).exists():
            create_user(username=username, password=password, name=username.capitalize())
    User.objects.filter(username=MANAGER).update(is_superuser=True)


def make_corpus(slug):
    """Import a sample corpus, mark its near-duplicates and build its index."""
    path, name, language, agency_names = CORPORA[slug]
    corpus, _ = Corpus.objects.get_or_create(
        slug=slug,
        defaults={
            "name": name,
            "language": language,
            "time_zone": ZONE,
            "licence": LICENCE,
            "publishes_text": True,
            "agency_names": agency_names,
        },
    )
    if not corpus.imports.filter(state=Import.State.COMPLETE).exists():
        call_command("import_corpus", slug, str(path), format="jsonl")
    if not Corpus.objects.get(slug=slug).index_version:
        call_command("mark_near_duplicates", slug)
        call_command("build_index", slug)


@transaction.atomic
def make_campaign():
    """The demo's campaign with its open wave; as it is where it is there already."""
    if wave := Wave.objects.filter(campaign__slug=CAMPAIGN).first():
        return wave
    manager = User.objects.get(username=MANAGER)
    campaign = Campaign.objects.filter(slug=CAMPAIGN).first() or create_campaign(
        actor=manager,
        name="Norvell demo",
        slug=CAMPAIGN,
        corpus=Corpus.objects.get(slug="norvell"),
        time_zone=ZONE,
    )
    return make_wave(campaign, manager)


def make_wave(campaign, manager):
    people = {user.username: user for user in User.objects.all()}
    for username in [CURATOR, *ANNOTATORS, GUEST]:
        role = Role.CURATOR if username == CURATOR else Role.ANNOTATOR
        campaign.memberships.get_or_create(user=people[username], defaults={"role": role})
    wave = create_wave(
        campaign=campaign,
        actor=manager,
        name="Spring wave",
        quota_t1a=12,
        quota_t1b=24,
        quota_t2=60,
        writers_per_source=1,
        seed=1,
    )
    workers = [people[username] for username in [*ANNOTATORS, GUEST]]
    add_participants(wave=wave, users=workers, actor=manager)
    return open_wave(wave=wave, actor=manager)
