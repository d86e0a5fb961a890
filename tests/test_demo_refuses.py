"""The demo keeps out of databases in which somebody works."""

import pytest
from django.core.management.base import CommandError

from accounts.models import User
from config.management.commands.demo import Command


@pytest.mark.django_db
def test_the_demo_does_not_come_into_the_work_of_others(ada, settings, tmp_path):
    settings.DATA_DIR = tmp_path

    with pytest.raises(CommandError, match="not the demo's; nothing was changed"):
        Command().make_world()

    assert list(User.objects.all()) == [ada]
    assert not list(tmp_path.iterdir())
