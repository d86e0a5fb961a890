"""Where the real files of the field lie: beside the project, never copied into it."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared_file(*parts):
    """The path of a shared file; the calling test is skipped, saying so, where it is absent."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs ../shared/{'/'.join(parts)}, which is not on this machine")
    return path


def shared_data(*parts):
    return shared_file("data", *parts)


def gold(name):
    return shared_file("gold", name)
