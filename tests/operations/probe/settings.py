"""The real settings and one more app, whose jobs the tests kill."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS, OUR_APPS

OUR_APPS = [*OUR_APPS, "tests.operations.probe"]
INSTALLED_APPS = [*INSTALLED_APPS, "tests.operations.probe"]
