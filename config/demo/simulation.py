"""The simulated people at work: T0, then T1a and T1b, then a good part of T2."""

from concurrent.futures import ThreadPoolExecutor

from tqdm import tqdm

from annotation.models import Annotation, Assignment, Claim, Preselection, Task
from config.demo.people import Person, wait_for_work
from config.demo.script import read_script
from config.demo.world import ANNOTATORS, CURATOR

SOURCES = 34  # all that the script has claims for
LABELS_EACH = 42


def simulate(address, wave, passwords, stream, *, sources=SOURCES, labels=LABELS_EACH):
    """Let everybody work until the goals are met; what was done before is not done again.

    sources: how many the curator accepts at least; labels: how many each annotator gives.
    """
    script = read_script()
    curator = Person(address, CURATOR, passwords[CURATOR], script).sign_in()
    with bar("T0  preselect sources", sources, stream) as progress:
        preselect_some(curator, wave, sources, progress)
    people = [Person(address, name, passwords[name], script).sign_in() for name in ANNOTATORS]
    with bar("T1  write and mutate claims", statements_to_come(wave, script), stream) as progress:
        together(people, lambda person: write_all(person, wave, progress))
    with bar("T2  label claims", labels * len(people), stream) as progress:
        together(people, lambda person: label_some(person, wave, labels, progress))


def bar(title, total, stream):
    return tqdm(desc=f"{title:<28}", total=total, file=stream, leave=True, ncols=80)


def together(people, work):
    """Everybody at once. Whoever fails or is interrupted does not wait for the others.

    Their requests fail as soon as the server that the caller then ends is gone.
    """
    pool = ThreadPoolExecutor(len(people))
    try:
        list(pool.map(work, people))
    finally:
        pool.shutdown(wait=False)


def show(progress, count):
    with progress.get_lock():
        progress.n = min(count, progress.total)
        progress.refresh()


def accepted_in(wave):
    return Preselection.objects.accepted().filter(wave=wave)


def statements_to_come(wave, script):
    """How many claims and mutations the script has for the sources that were accepted."""
    places = accepted_in(wave).values_list("paragraph__article__external_id", "paragraph__rank")
    claims = [claim for place in places for claim in script.claims.get(place, [])]
    return len(claims) + sum(len(claim.mutations) for claim in claims)


def preselect_some(person, wave, goal, progress):
    """Until so many sources are accepted, or no article is left."""
    accepted = accepted_in(wave)
    while (count := accepted.count()) < goal:
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
    unready = accepted_in(wave).filter(is_ready=False)
    return wait_for_work(person, wave.pk, Task.T1A, may_come=unready.exists)


def mutate_all(person, wave, progress):
    """Mutate one's own claims, until none is left without."""
    show(progress, Claim.objects.filter(wave=wave).count())
    while person.ask(wave.pk, Task.T1B):
        person.mutate("stop")
        show(progress, Claim.objects.filter(wave=wave).count())


def label_some(person, wave, goal, progress):
    """Label until one's share is done, or nothing is left."""
    mine = Assignment.objects.filter(wave=wave, task=Task.T2, user__username=person.username)
    mutated = Claim.objects.filter(wave=wave, origin=Claim.Origin.MUTATED)
    unready = mutated.filter(instances=None)  # until they have their dictionaries
    while mine.counted().count() < goal:
        if not wait_for_work(person, wave.pk, Task.T2, may_come=unready.exists):
            break
        person.label("submit")
        show(progress, Annotation.objects.live().filter(item__wave=wave).count())
