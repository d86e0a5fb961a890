"""The job that makes a release."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotation.models import Campaign
from datasets.releases.options import ReleaseOptions
from datasets.releases.services import JOB, run_release, sweep_releases


def release_job(progress, *, campaign_id, name, options, key, by_id):
    release = run_release(
        campaign=Campaign.objects.select_related("corpus").get(pk=campaign_id),
        name=name,
        options=ReleaseOptions.of(options),
        key=key,
        by=User.objects.filter(pk=by_id).first(),
        progress=progress,
    )
    url = reverse("datasets:release", args=[release.pk])
    return {"claims": release.contents["n_claims"], "url": url}


HANDLERS = {JOB: release_job}
TITLES = {JOB: _("Release")}
SWEEPS = [sweep_releases]
