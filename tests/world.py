"""A site with one of everything that an address of the project can need, made when asked for."""

from functools import cached_property

from django.utils import timezone

from accounts.services import issue_reset_link
from accounts.tokens import issue_token
from annotation.giving import ask_for_work
from annotation.invitations import invite
from annotation.models import Report, Wave
from datasets.models import TranslationSample
from datasets.validating.services import close_sample
from operations.models import Job
from tests.agreement.labels import labelled
from tests.agreement.stored import store_figures
from tests.datasets.builders import make_export
from tests.datasets.importing import make_dataset_import, make_imported_claim
from tests.datasets.localising import make_localisation
from tests.datasets.releasing import make_check, make_release, make_release_job
from tests.datasets.results import make_predictions
from tests.datasets.scoring import made_score
from tests.datasets.translating import make_sample, make_translated
from tests.factories import (
    make_article,
    make_campaign,
    make_claim,
    make_corpus,
    make_dictionary,
    make_import,
    make_item,
    make_member,
    make_participant,
    make_source,
    make_user,
    make_wave,
    paragraph_of,
)


class World:
    """One campaign with a person in each role, and the manager of another campaign."""

    def __init__(self):
        self.corpus = make_corpus()
        self.manager = make_user(username="manager")
        self.campaign = make_campaign(corpus=self.corpus, manager=self.manager)
        self.slug = self.campaign.slug
        self.wave = make_wave(self.campaign)
        self.wave_id = self.wave.pk
        self.annotator = make_participant(self.wave, "annotator")
        self.curator = make_member(self.campaign, "curator", role="curator")
        self.outsider = make_user(username="outsider")
        self.stranger = make_user(username="stranger")
        make_campaign(slug="autumn", manager=self.stranger)
        self.superuser = make_user(username="superuser", is_superuser=True)

    def user_as(self, role):
        return None if role == "anonymous" else getattr(self, role)

    @cached_property
    def user_id(self):
        return self.annotator.pk

    @cached_property
    def number(self):
        return 1

    guide_name = "methods"

    @cached_property
    def source(self):
        return make_source(self.wave)

    @cached_property
    def claim(self):
        return make_claim(self.wave)

    @cached_property
    def instance_id(self):
        return make_item(self.claim, self.wave).instance_id

    @cached_property
    def table(self):
        return "pairs"

    @cached_property
    def measured_slug(self):
        """The campaign, with figures of two labels and more."""
        for letters in ("SSR", "RR", "NN"):
            labelled(self.wave, letters)
        store_figures(self.campaign)
        return self.slug

    @cached_property
    def figures_kind(self):
        return "agreement"

    @cached_property
    def report_id(self):
        return Report.objects.create(claim=self.claim, reason="It makes no sense.").pk

    @cached_property
    def held_source_id(self):
        return make_source(self.wave, state="held").pk

    @cached_property
    def dataset_import_id(self):
        return make_dataset_import(self.campaign, by=self.manager).pk

    @cached_property
    def imported_number(self):
        return make_imported_claim(self.campaign).number

    @cached_property
    def invitation(self):
        return invite(campaign=self.campaign, actor=self.manager, role="annotator", days=3)

    @cached_property
    def invitation_id(self):
        return self.invitation[0].pk

    @cached_property
    def invitation_token(self):
        return self.invitation[1]

    @cached_property
    def reset_token(self):
        return issue_reset_link(user=self.annotator, by=self.manager)[1]

    @cached_property
    def token_id(self):
        return issue_token(user=self.annotator, name="mine", scopes=["read"], days=3)[0].pk

    @cached_property
    def corpus_slug(self):
        return self.corpus.slug

    @cached_property
    def article(self):
        return make_article(self.corpus)

    @cached_property
    def external_id(self):
        return self.article.external_id

    @cached_property
    def public_id(self):
        return paragraph_of(self.article).public_id

    @cached_property
    def article_id(self):
        return make_article(self.corpus).pk

    @cached_property
    def import_id(self):
        return make_import(self.corpus).pk

    @cached_property
    def dictionary_key(self):
        return make_dictionary(self.corpus).key

    @cached_property
    def export_id(self):
        return make_export(self.campaign, by=self.manager).pk

    @cached_property
    def export_file(self):
        return "all.jsonl"

    @cached_property
    def older_release_id(self):
        return make_release(self.campaign, "1.0.0", by=self.manager).pk

    @cached_property
    def release_id(self):
        assert self.older_release_id
        return make_release(self.campaign, "1.1.0", by=self.manager).pk

    @cached_property
    def release_file(self):
        return "data/ctkfacts/all.jsonl"

    @cached_property
    def release_job_id(self):
        return make_release_job(self.campaign, by=self.manager).pk

    @cached_property
    def judged_release(self):
        """A release that has a decided claim."""
        labelled(self.wave, "NN")
        return make_release(self.campaign, "3.0.0", by=self.manager)

    @cached_property
    def judged_release_id(self):
        return self.judged_release.pk

    @cached_property
    def result_id(self):
        return make_predictions(self.judged_release).pk

    matrix = "predictions"

    @cached_property
    def check_key(self):
        return make_check(by=self.annotator).key

    @cached_property
    def score_key(self):
        return made_score(by=self.annotator).key

    @cached_property
    def score_file(self):
        return "report.json"

    @cached_property
    def localisation_key(self):
        return make_localisation(by=self.manager).key

    @cached_property
    def sample_id(self):
        """An open sample of translated claims."""
        make_translated(4, campaign=self.campaign, first=9001)
        return make_sample(self.campaign, by=self.manager).pk

    @cached_property
    def closed_sample_id(self):
        close_sample(sample=TranslationSample.objects.get(pk=self.sample_id), by=self.manager)
        return self.sample_id

    @cached_property
    def job_id(self):
        return Job.objects.create(kind="probe", key="1", created_by=self.annotator).pk

    @cached_property
    def failed_job_id(self):
        ended = {"state": Job.State.FAILED, "ended_at": timezone.now()}
        return Job.objects.create(kind="fill-wave", created_by=self.annotator, **ended).pk

    @cached_property
    def own_claim_id(self):
        return make_claim(self.wave, author=self.annotator).pk

    @cached_property
    def writing_id(self):
        assert self.source
        return ask_for_work(user=self.annotator, wave=self.wave, task="T1a").pk

    @cached_property
    def mutating_id(self):
        assert self.own_claim_id
        return ask_for_work(user=self.annotator, wave=self.wave, task="T1b").pk

    task = "T2"

    @cached_property
    def claim_number(self):
        return self.claim.number

    @cached_property
    def labelling_id(self):
        make_item(self.claim, self.wave)
        return ask_for_work(user=self.annotator, wave=self.wave, task="T2").pk

    @cached_property
    def searching_id(self):
        Wave.objects.filter(pk=self.wave_id).update(allows_search=True)
        return self.labelling_id
