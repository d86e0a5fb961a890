"""Rules of releases that no constraint holds."""

from datasets.models import Release, ReleaseResult
from datasets.releases.make import CONTENTS
from datasets.results.claims import decided_in


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
]
