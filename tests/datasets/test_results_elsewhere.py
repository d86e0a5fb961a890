"""Results of a release on another database: they come with a backup, and stay as they were."""

import pytest

MAKE = """
from datasets.results.services import run_baselines
from tests.datasets.releasing import make_release
from tests.datasets.results import make_predictions, make_searchable
release = make_release(make_searchable()[0], split="train=0.5,dev=0.25,test=0.25", seed=5)
run_baselines(release=release, seed=3)
make_predictions(release)
"""
ROWS = """
import json
from datasets.models import ReleaseResult
columns = ("name", "kind", "seed", "settings", "figures", "confusions", "sha256", "release__name")
print(json.dumps(list(ReleaseResult.objects.order_by("id").values(*columns)), sort_keys=True))
"""
CHANGE = """
import json
from django.db import IntegrityError
from datasets.models import ReleaseResult
try:
    ReleaseResult.objects.update(name="another")
except IntegrityError as error:
    print(json.dumps(str(error).splitlines()[0]))
"""


@pytest.mark.processes
@pytest.mark.xdist_group("processes")
def test_results_come_with_a_backup_and_never_change(sites, tmp_path):
    old, new = sites
    old.python(MAKE)
    old.manage("backup", str(tmp_path / "backup"))
    new.manage("restore", str(tmp_path / "backup"))

    here, there = (site.python(ROWS) for site in sites)

    assert here == there
    assert [row["kind"] for row in there] == ["baselines", "predictions"]
    assert all(site.python(CHANGE) == "a result never changes" for site in sites)
