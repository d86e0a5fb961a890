"""What is typed about a campaign and its guidelines."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotation.campaigns import reason_to_keep_corpus
from annotation.forms.fields import TypedLine, TypedText, ZoneField
from annotation.models import Campaign
from corpus.models import Corpus

NO_CORPUS = _("No corpus (only for imported claims)")
ZONE_HELP = _("Deadlines, days and times are shown in it: “Europe/Prague”, “UTC”.")


class CampaignForm(forms.Form):
    """The settings of a campaign that may change."""

    name = TypedLine(label=pgettext_lazy("of a thing", "Name"), max_length=200)
    time_zone = ZoneField(label=_("Time zone"), initial="UTC", help_text=ZONE_HELP)
    corpus = forms.ModelChoiceField(
        Corpus.objects.none(),
        label=_("Corpus"),
        required=False,
        empty_label=NO_CORPUS,
        help_text=_("The texts that claims are written about and judged by."),
    )

    def __init__(self, *args, user, campaign=None, **kwargs):
        super().__init__(*args, **kwargs)
        corpora = Corpus.objects.managed_by(user)
        if campaign and campaign.corpus_id:
            corpora = Corpus.objects.filter(
                pk__in=[*corpora.values_list("pk", flat=True), campaign.corpus_id]
            )
        self.fields["corpus"].queryset = corpora
        if campaign and (reason := reason_to_keep_corpus(campaign)):
            self.fields["corpus"].disabled = True
            self.fields["corpus"].help_text = reason


class NewCampaignForm(CampaignForm):
    """A campaign that does not exist yet."""

    slug = forms.SlugField(
        label=_("Short name"),
        max_length=50,
        help_text=_("Stands in addresses and commands, and cannot be changed: “spring-2024”."),
    )
    manager = forms.CharField(
        label=_("Manager"),
        required=False,
        max_length=150,
        help_text=_("The username of whoever runs it; left empty, that is you."),
    )
    field_order = ["name", "slug", "corpus", "time_zone", "manager"]

    def clean_slug(self):
        slug = self.cleaned_data["slug"]
        if slug == "new" or Campaign.objects.filter(slug=slug).exists():
            raise ValidationError(
                gettext("“%(slug)s” is taken; choose another short name.") % {"slug": slug}
            )
        return slug

    def clean_manager(self):
        username = self.cleaned_data["manager"].strip()
        if not username:
            return None
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise ValidationError(
                gettext("There is no active account “%(name)s”. Invite them afterwards instead.")
                % {"name": username}
            )
        return user


class GuidelinesForm(forms.Form):
    """A new version of the guidelines, and where it holds."""

    text = TypedText(
        label=_("Text"),
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "true"}),
        help_text=_(
            "Markdown: # heading, **strong**, - list, | table |. Pictures and HTML are left out. "
            "The part under a first-level heading that names a task (T0, T1a, T1b, T2) stands "
            "beside the form of that task; without such a heading, all of it does."
        ),
    )
    waves = forms.ModelMultipleChoiceField(
        None,
        label=_("Use it in"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "People who worked there by an older version see what changed, and confirm it, before "
            "their next item."
        ),
    )

    def __init__(self, *args, waves, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["waves"].queryset = waves
        if not waves:
            del self.fields["waves"]
