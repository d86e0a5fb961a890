from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("corpus", "0006_corpus_may_choose_other_encoders")]

    operations = [
        migrations.AddField(
            model_name="article",
            name="folded_hash",
            field=models.BigIntegerField(db_default=0),
        ),
        migrations.AddIndex(
            model_name="article",
            index=models.Index(fields=["corpus", "folded_hash"], name="article_folded_id"),
        ),
    ]
