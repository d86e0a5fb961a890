import signal

from django.core.management.base import BaseCommand

from operations.heartbeat import process_name
from operations.worker import Worker, run_due_jobs


class Command(BaseCommand):
    requires_system_checks = []  # `serve` has made them; a worker should be there at once
    help = "Run jobs from the database until told to stop. `serve` starts this beside the web."

    def add_arguments(self, parser):
        parser.add_argument("--name", help="how this worker is called in the database")
        parser.add_argument(
            "--until-idle", action="store_true", help="end when no job is due any more"
        )

    def handle(self, *, name, until_idle, **options):
        name = name or process_name()
        if until_idle:
            self.stdout.write(f"Ran {run_due_jobs(name)} jobs.")
            return
        worker = Worker(name)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.stop.set())
        worker.run()
