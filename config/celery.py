"""Celery carries nudges between processes; the truth about a job is its row."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("claimwright")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
