import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("corpus", "0003_corpus_knows_what_is_indexed")]

    operations = [
        migrations.AlterField(
            model_name="article",
            name="corpus",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="articles",
                to="corpus.corpus",
            ),
        ),
        migrations.AlterField(
            model_name="paragraph",
            name="article",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="paragraphs",
                to="corpus.article",
            ),
        ),
        migrations.AlterField(
            model_name="paragraph",
            name="corpus",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="paragraphs",
                to="corpus.corpus",
            ),
        ),
    ]
