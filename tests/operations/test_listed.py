"""Long lists of ids as one parameter."""

import pytest

from accounts.models import User
from operations.listed import listed
from tests.factories import make_user


@pytest.mark.django_db
@pytest.mark.parametrize("size", [0, 1, 3])
def test_the_rows_of_these_ids_are_found(size, django_assert_num_queries):
    ids = [make_user(username=f"user{number}").pk for number in range(4)]

    with django_assert_num_queries(1):
        found = list(User.objects.filter(pk__in=listed(ids[:size])).values_list("pk", flat=True))

    assert sorted(found) == ids[:size]
