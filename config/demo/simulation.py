"""The simulated people at work: T0, then T1a and T1b, then a good part of T2."""

from concurrent.futures import ThreadPoolExecutor

from tqdm import tqdm

from annotation.models import Annotation, Assignment, Claim, Preselection, Task
from config.demo.people import Person, wait_for_work
from config.demo.script import read_script
from config.demo.world import ANNOTATORS, CURATOR

LABELS_EACH = 42
SECONDS_FOR_DICTIONARIES = 120


def simulate(address, wave, passwords, stream):
    """Let everybody work until the goals are met; what was done before is not done again."""
    script = read_script()
    curator = Person(address, CURATOR, passwords[CURATOR], script).sign_in()
    with bar("T0  preselect sources", len(script.claims), stream) as progress:
        preselect_all(curator, wave, script, progress)
    people = [Person(address, name, passwords[name], script).sign_in() for name in ANNOTATORS]
    with bar("T1  write and mutate claims", len(script.statements), stream) as progress:
        together(people, lambda person: write_all(person, wave, progress))
    with bar("T2  label claims", LABELS_EACH * len(people), stream) as progress:
        together(people, lambda person: label_some(person, wave, progress))


def bar(title, total, stream):
    return tqdm(desc=f"{title:<28}", total=total, file=stream, leave=True, ncols=80)


def together(people, work):
    with ThreadPoolExecutor(len(people)) as pool:
        list(pool.map(work, people))


def show(progress, count):
    with progress.get_lock():
        progress.n = min(count, progress.total)
        progress.refresh()


def preselect_all(person, wave, script, progress):
    """Until every article of the script was decided, or there is none left."""
    accepted = Preselection.objects.accepted().filter(wave=wave)
    while (count := accepted.count()) < len(script.claims):
        show(progress, count)
        if not person.is_at_work and not person.ask(wave.pk, Task.T0):
            break
        person.preselect()
    show(progress, accepted.count())


def write_all(person, wave, progress):
    """Claims and their mutations, until no source is left."""
    mutate_all(person, wave, progress)
    while wait_for_source(person, wave):
        person.write("stop")
        mutate_all(person, wave, progress)


def wait_for_source(person, wave):
    """Whether there is a source to write from, waiting for dictionaries that are being built."""
    waits = Preselection.objects.accepted().filter(wave=wave, is_ready=False).exists()
    return wait_for_work(person, wave.pk, Task.T1A, seconds=SECONDS_FOR_DICTIONARIES * waits)


def mutate_all(person, wave, progress):
    """Mutate one's own claims, until none is left without."""
    show(progress, Claim.objects.filter(wave=wave).count())
    while person.ask(wave.pk, Task.T1B):
        person.mutate("stop")
        show(progress, Claim.objects.filter(wave=wave).count())


def label_some(person, wave, progress):
    """Label until one's share is done, or nothing is left."""
    mine = Assignment.objects.filter(wave=wave, task=Task.T2, user__username=person.username)
    while mine.counted().count() < LABELS_EACH:
        if not wait_for_work(person, wave.pk, Task.T2, seconds=waiting_time(wave)):
            break
        person.label("submit")
        show(progress, Annotation.objects.live().filter(item__wave=wave).count())


def waiting_time(wave):
    """How long to wait for work: only while claims still get their dictionaries."""
    mutated = Claim.objects.filter(wave=wave, origin=Claim.Origin.MUTATED)
    return SECONDS_FOR_DICTIONARIES if mutated.filter(instances=None).exists() else 0
