"""Rules of releases that no constraint holds."""

from datasets.models import Release
from datasets.releases.make import CONTENTS


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


RULES = [
    (
        "files of releases are there",
        "What was released has to stay as it was; `make_release --check` also compares hashes.",
        files_of_releases,
    ),
]
