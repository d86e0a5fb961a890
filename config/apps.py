"""The project as an app: whatever process runs Django also knows how to send to Celery."""

from django.apps import AppConfig


class ConfigApp(AppConfig):
    name = "config"

    def ready(self):
        # Importing it makes it the app that `shared_task` and `current_app` mean.
        from config import celery  # noqa: F401
