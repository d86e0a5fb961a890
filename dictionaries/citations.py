"""Which articles dictionaries hold: a change of those needs leave."""

from dictionaries.models import DictionaryEntry


def cited_articles(article_ids):
    entries = DictionaryEntry.objects.filter(paragraph__article__in=list(article_ids))
    return set(entries.values_list("paragraph__article", flat=True))
