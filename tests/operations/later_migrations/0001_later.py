"""A migration that no database has."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = []
    operations = []
