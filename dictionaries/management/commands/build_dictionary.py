"""`build_dictionary SLUG`: what is retrieved for a text or a paragraph, printed, not stored."""

import json
from datetime import datetime
from zoneinfo import ZoneInfo

from django.core.management.base import BaseCommand, CommandError

from corpus.management.arguments import corpus_of
from corpus.models import Paragraph
from dictionaries.backends.base import IndexUnavailable
from dictionaries.bridge import dictionary_settings
from dictionaries.queries import paragraph_named, query_of_paragraph, query_of_text
from dictionaries.services import retrieve


class Command(BaseCommand):
    help = "Retrieve the dictionary of a text, or of a paragraph of the corpus, and print it."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the corpus")
        query = parser.add_mutually_exclusive_group(required=True)
        query.add_argument("--text")
        query.add_argument("--paragraph", metavar="PUBLIC_ID")
        parser.add_argument("--as-of", metavar="ISO", help="with --text: judged as of then")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--json", action="store_true")

    def handle(self, *, slug, seed, **options):
        corpus = corpus_of(slug)
        query = query_of(corpus, options)
        try:
            settings = dictionary_settings(corpus, {"seed": seed})
        except ValueError as error:
            raise CommandError(str(error)) from None
        try:
            result = retrieve(corpus=corpus, settings=settings, **query)
        except IndexUnavailable as error:
            raise CommandError(str(error)) from None
        answer = {
            "as_of": query["as_of"] and query["as_of"].isoformat(),
            "entities": list(result.entities),
            "seconds": {stage: round(s, 4) for stage, s in result.seconds.items()},
            "excluded": result.excluded,
            "entries": entries_of(result),
        }
        if options["json"]:
            self.stdout.write(json.dumps(answer, ensure_ascii=False))
        else:
            self.print_entries(answer)

    def print_entries(self, answer):
        self.stdout.write(f"as of {answer['as_of']}; entities: {', '.join(answer['entities'])}")
        for entry in answer["entries"]:
            self.stdout.write(
                f"{entry['method']} {entry['rank']}  {entry['score']:.3f}  {entry['paragraph']}  "
                f"{entry['published_at']}  [{entry['query']}]  {entry['text'][:80]}"
            )


def query_of(corpus, options):
    refuse_needless_moment(corpus, options)
    if options["paragraph"] is None:
        if not options["text"].strip():
            raise CommandError("--text is empty; give the text whose dictionary is asked for.")
        as_of = None if corpus.undated else moment_of(options["as_of"], corpus)
        return query_of_text(corpus, options["text"], as_of)
    paragraph = paragraph_named(corpus, options["paragraph"])
    if paragraph is None:
        raise CommandError(f"{corpus.slug} has no paragraph {options['paragraph']!r}.")
    return query_of_paragraph(paragraph)


def refuse_needless_moment(corpus, options):
    """Say where --as-of would change nothing, instead of leaving it out."""
    if options["as_of"] is None:
        return
    if options["paragraph"] is not None:
        raise CommandError("--as-of goes with --text; a paragraph is judged as of its own time.")
    if corpus.undated:
        raise CommandError(f"{corpus.slug} is undated; leave --as-of out.")


def moment_of(text, corpus):
    """A moment as it was typed; without an offset, in the corpus' zone."""
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        raise CommandError(
            f"--as-of is {text!r}; a dated corpus needs a form like 2022-05-14T08:00:00+00:00."
        ) from None
    if not 1000 <= moment.year <= 9000:
        raise CommandError(f"--as-of is {text!r}; use a year from 1000 to 9000.")
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(corpus.time_zone))


def entries_of(result):
    ids = [entry.paragraph_id for entry in result.entries]
    paragraphs = Paragraph.objects.select_related("article").in_bulk(ids)
    return [
        {
            "paragraph": paragraphs[entry.paragraph_id].public_id,
            "article": paragraphs[entry.paragraph_id].article.external_id,
            "published_at": iso(paragraphs[entry.paragraph_id].published_at),
            "method": entry.method,
            "rank": entry.rank,
            "score": entry.score,
            "query": entry.query,
            "text": paragraphs[entry.paragraph_id].text,
        }
        for entry in result.entries
    ]


def iso(moment):
    return moment and moment.isoformat()
