"""The job that measures baselines."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from datasets.models import Release
from datasets.results.services import JOB, run_baselines


def baselines_job(progress, *, release_id, seed, by_id):
    result = run_baselines(
        release=Release.objects.select_related("campaign__corpus").get(pk=release_id),
        seed=seed,
        by=User.objects.filter(pk=by_id).first(),
        job=progress.job,
        progress=progress,
    )
    claims = sum(result.figures["n_claims"].values())
    return {"claims": claims, "url": reverse("datasets:result", args=[result.pk])}


HANDLERS = {JOB: baselines_job}
TITLES = {JOB: _("Baselines of a release")}
