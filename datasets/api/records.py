"""Records that a client sends as the lines of a file."""

import json
from collections.abc import Iterable

from django.core.files.base import ContentFile
from rest_framework import serializers

MOST_RECORDS = 20_000


def lines_field(*, allow_empty=False, **options) -> serializers.ListField:
    """A field for the lines of a file, as objects."""
    return serializers.ListField(
        child=serializers.DictField(),
        min_length=0 if allow_empty else 1,
        max_length=MOST_RECORDS,
        **options,
    )


def file_of(name: str, lines: Iterable[dict]) -> ContentFile:
    text = "".join(json.dumps(record) + "\n" for record in lines)
    return ContentFile(text.encode("ascii"), name=f"{name}.jsonl")
