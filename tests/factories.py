"""Builders with defaults: a test names only the detail that it is about."""

from accounts.models import User

PASSWORD = "correct horse battery"


def make_user(*, username="ada", password=PASSWORD, **fields):
    """The user of this name; made where there is none yet."""
    if user := User.objects.filter(username=username).first():
        return user
    return User.objects.create_user(username=username, password=password, **fields)
