"""The cases of a gold file as parameters of a test; one skipped case where the file is absent."""

import json

import pytest

from tests.shared import SHARED


def cases(name, *, where=lambda case: True):
    path = SHARED / "gold" / f"{name}.json"
    if not path.exists():
        skip = pytest.mark.skip(reason=f"needs ../shared/gold/{name}.json, not on this machine")
        return [pytest.param(None, id=name, marks=skip)]
    found = [case for case in json.loads(path.read_text())["cases"] if where(case)]
    return [pytest.param(case, id=case["name"]) for case in found]
