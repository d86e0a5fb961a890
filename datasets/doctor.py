"""Rules of releases and samples that no constraint holds."""

from datetime import timedelta

from django.db.models import Count, F

from datasets.models import Release, ReleaseResult, TranslationAnswer, TranslationSample
from datasets.releases.make import CONTENTS
from datasets.results.claims import decided_in

# The database's clock says when a sample was closed, the application's when an answer changed.
CLOCKS_APART = timedelta(minutes=1)


def files_of_releases():
    for release in Release.objects.select_related("campaign").order_by("pk"):
        sizes = {CONTENTS: None}
        for file in (*release.contents["files"], *release.contents["more_files"]):
            sizes[file["name"]] = file["bytes"]
        for name, size in sizes.items():
            if problem := problem_of(release.folder / name, size):
                yield f"release {release.pk} ({release.title}): {name} {problem}"


def problem_of(path, size):
    """What is wrong with a file of so many bytes; nothing where it is as it should be."""
    if not path.is_file():
        return "is missing"
    found = path.stat().st_size
    return f"has {found} bytes instead of {size}" if size not in (None, found) else ""


def counts_of_results():
    results = ReleaseResult.objects.select_related("release").defer("confusions")
    for result in results.order_by("pk").iterator():
        decided = decided_in(result.release)
        for split, n in judged_in(result).items():
            if n != decided.get(split):
                title = f"result {result.pk} ({result.name})"
                yield f"{title}: {n} claims of {split}, the release has {decided.get(split)}"


def judged_in(result):
    """{split: number of claims} that a result counts."""
    n = result.figures["n_claims"]
    return {result.settings["split"]: n} if result.is_predictions else n


def sizes_of_samples():
    samples = TranslationSample.objects.annotate(n=Count("items")).exclude(n=F("size"))
    for sample in samples.order_by("pk"):
        yield f"translation sample {sample.pk} has {sample.n} claims instead of {sample.size}"


def answers_after_closing():
    late = F("item__sample__closed_at") + CLOCKS_APART
    answers = TranslationAnswer.objects.filter(changed_at__gt=late).select_related("item")
    for answer in answers.order_by("pk"):
        sample, number = answer.item.sample_id, answer.item.number
        yield f"translation sample {sample}: the answer of user {answer.user_id} to claim {number}"


RULES = [
    (
        "files of releases are there",
        "What was released has to stay as it was; `make_release --check` also compares hashes.",
        files_of_releases,
    ),
    (
        "results count the claims of their release",
        "Figures of other claims than those that were released would be told as the release's.",
        counts_of_results,
    ),
    (
        "samples of translations have the claims that were drawn",
        "Figures of a sample from which claims are gone are not those of a random one.",
        sizes_of_samples,
    ),
    (
        "answers to a closed sample stay as they were",
        "Who answers after it was closed may have seen the labels.",
        answers_after_closing,
    ),
]
