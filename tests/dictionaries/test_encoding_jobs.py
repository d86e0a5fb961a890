"""Jobs that help a build: as many as set, once there is much to encode."""

import json

import pytest
from django.core.management import CommandError, call_command

from dictionaries import jobs
from dictionaries.backends import encoding
from dictionaries.backends.base import IndexNotBuilt
from dictionaries.bridge import backend
from dictionaries.jobs import ENCODE_JOB, Helpers, encode_job, message_of
from operations.models import Job
from tests.dictionaries.corpora import new_corpus

pytestmark = pytest.mark.django_db


def queued():
    return list(Job.objects.filter(kind=ENCODE_JOB).values_list("key", flat=True).order_by("key"))


@pytest.mark.parametrize(
    ("done", "total", "expected"), [(0, 20_000, 0), (10_000, 20_000, 2), (4_000, 8_000, 0)]
)
def test_helpers_are_queued_once_much_is_to_be_encoded(settings, done, total, expected):
    settings.ENCODING_HELPERS = 2
    corpus = new_corpus()
    helpers = Helpers(corpus)

    helpers.are_wanted(done, total)
    helpers.are_wanted(done, total)

    assert queued() == [f"{corpus.slug} {number}" for number in range(expected)]


def test_nobody_helps_where_none_is_set():
    Helpers(new_corpus()).are_wanted(10_000, 20_000)

    assert queued() == []


def test_a_helper_without_a_build_ends_by_itself(monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 0.01)
    monkeypatch.setattr(encoding, "REST", 0.001)

    assert encode_job(lambda *told: None, slug=new_corpus().slug) == {"encoded": 0}


def test_the_command_says_how_many_texts_it_encoded(capsys):
    call_command("encode_index", new_corpus().slug, "--patience", "0.01", "--json")

    assert json.loads(capsys.readouterr().out) == {"encoded": 0}


def test_an_installation_without_the_encoder_says_so(monkeypatch):
    def refuse(*args, **options):
        raise IndexNotBuilt("Nothing more can be encoded here: another release.")

    monkeypatch.setattr(backend(), "help", refuse)

    with pytest.raises(CommandError, match="another release"):
        call_command("encode_index", new_corpus().slug)


@pytest.mark.parametrize(
    ("seconds", "ending"),
    [
        (None, "read and encoded"),
        (1, "1 minute left"),
        (61, "2 minutes left"),
        (119 * 60, "119 minutes left"),
        (2 * 3600, "2 hours left"),
        (20 * 3600 + 1, "21 hours left"),
    ],
)
def test_the_remaining_time_is_told_in_whole_minutes_or_hours(seconds, ending):
    assert message_of(seconds).endswith(ending)
