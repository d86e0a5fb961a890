"""Articles that a program sends: kept as a file of JSON Lines, then imported like an upload."""

import json

from django.core.files.base import ContentFile

from corpus.importing.uploads import IMPORT_JOB, READ_JOB, store_upload
from corpus.models import Corpus, Import
from corpus.records import ReadOptions

NAME = "articles.jsonl"


def import_sent(
    *,
    corpus: Corpus,
    articles: list[dict],
    by,
    skip_bad: bool = False,
    accept_changes: bool = False,
    dry_run: bool = False,
) -> Import:
    """Queue the import of articles in the shape of our JSON Lines; a dry run only reports.

    The first article is line 1 of the report. Raises ValidationError where the file is refused.
    """
    options = ReadOptions(
        time_zone=corpus.time_zone, undated=corpus.undated, language=corpus.language
    )
    return store_upload(
        corpus=corpus,
        files=[ContentFile(as_lines(articles), name=NAME)],
        options=options,
        by=by,
        kind=READ_JOB if dry_run else IMPORT_JOB,
        skip_bad=skip_bad,
        accept_changes=accept_changes,
    )


def as_lines(articles: list[dict]) -> bytes:
    """One article a line, in ASCII: half a character stays what it is, and is refused as such."""
    return "".join(json.dumps(article) + "\n" for article in articles).encode("ascii")
