from django.db import migrations

from corpus.readers.identifiers import folded_hash

CHUNK = 500


def fold(apps, schema_editor):
    """Give the articles that are stored the hash of their folded ids."""
    Article = apps.get_model("corpus", "Article")
    last, rows = 0, True
    while rows:
        rows = list(Article.objects.filter(pk__gt=last).order_by("pk").only("external_id")[:CHUNK])
        for row in rows:
            row.folded_hash = folded_hash(row.external_id)
        Article.objects.bulk_update(rows, ["folded_hash"], batch_size=100)
        last = rows[-1].pk if rows else last


class Migration(migrations.Migration):
    dependencies = [("corpus", "0007_article_knows_its_folded_id")]

    operations = [migrations.RunPython(fold, migrations.RunPython.noop)]
