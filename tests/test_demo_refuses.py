"""The demo keeps out of databases in which somebody works."""

import pytest
from django.core.management.base import CommandError

from accounts.models import User
from config.demo.world import make_people, passwords
from config.management.commands.demo import Command, refuse_work_of_others
from tests.factories import make_user


@pytest.mark.django_db
def test_the_demo_does_not_come_into_the_work_of_others(ada, settings, tmp_path):
    settings.DATA_DIR = tmp_path

    with pytest.raises(CommandError, match="not the demo's; nothing was changed"):
        Command().make_world()

    assert list(User.objects.all()) == [ada]
    assert not list(tmp_path.iterdir())


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["eve", "ada", "marta"])
def test_the_mark_of_an_earlier_demo_lets_it_into_no_other_database(settings, tmp_path, name):
    settings.DATA_DIR = tmp_path
    passwords()
    somebody = make_user(username=name)

    with pytest.raises(CommandError, match="not the demo's; nothing was changed"):
        Command().make_world()

    assert list(User.objects.all()) == [somebody]
    assert not User.objects.filter(is_superuser=True).exists()


@pytest.mark.django_db
def test_the_demo_goes_on_where_somebody_was_invited_into_it(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    make_people()
    make_user(username="eve")

    refuse_work_of_others()
