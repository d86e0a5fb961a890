"""Files to import, and imports of them; a test names only the lines that it is about."""

import json

import pytest

from corpus.importing.runs import import_files
from corpus.models import Article, Import
from corpus.records import ReadOptions
from tests.factories import make_corpus

TEXT = "The bridge opened in May. It cost ten million."


def line_of(name="a1", text=TEXT, **fields):
    """One article as a line of JSON; paragraphs are divided by blank lines."""
    values = {"id": name, "title": f"Title of {name}", "published_at": "2022-05-14T09:00:00Z"}
    return json.dumps({**values, "text": text, **fields}, ensure_ascii=False)


def file_of(folder, *lines, name="articles.jsonl"):
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def import_lines(folder, *lines, corpus=None, **options):
    """The complete import of these lines into a corpus."""
    names = ("skip_bad", "accept_changes", "by", "progress", "upload")
    arguments = {name: options.pop(name) for name in names if name in options}
    corpus = corpus or make_corpus()
    read = ReadOptions(**{"time_zone": corpus.time_zone, "undated": corpus.undated, **options})
    return import_files(corpus=corpus, paths=[file_of(folder, *lines)], options=read, **arguments)


def texts_of(article, version=None):
    """The texts of an article's paragraphs, its title first."""
    rows = article.paragraphs.filter(version=version or article.version)
    return list(rows.order_by("rank").values_list("text", flat=True))


class Died(Exception):
    """Stands for the death of the process."""


def die_after(batch):
    def progress(done, total, message=""):
        if total and done >= batch:
            raise Died

    return progress


def break_off(folder, *lines, after=1, **options):
    """An import that died once `after` records were stored."""
    with pytest.raises(Died):
        import_lines(folder, *lines, progress=die_after(after), **options)
    return Import.objects.get(state="running")


def article_of(name="a1"):
    return Article.objects.get(external_id=name)
