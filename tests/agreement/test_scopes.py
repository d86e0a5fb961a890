"""How files name what was labelled."""

import pytest

from agreement.scopes import instance_name


@pytest.mark.parametrize(
    ("scope", "name"),
    [
        ((None, None, None), 7),
        (("nyt-1", 1, None), "7/nyt-1"),
        (("nyt-1", 2, None), "7/nyt-1@2"),
        ((None, None, "nyt-1_3"), "7/nyt-1_3"),
    ],
)
def test_an_instance_is_named_by_claim_number_and_scope(scope, name):
    assert instance_name(7, *scope) == name
