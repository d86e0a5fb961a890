"""Campaigns, waves, claims and annotations over HTTP: read only, by the same querysets."""

from django.db.models import Prefetch
from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework import generics, serializers

from annotation.models import (
    Annotation,
    Campaign,
    Claim,
    EvidenceItem,
    EvidenceSet,
    Label,
    Mutation,
    Wave,
)
from annotation.pseudonyms import pseudonym_of

# What the pages say of a wave to its managers alone: how it was planned, not how one works in it.
FOR_MANAGERS = ["pool", "dictionary_settings", "plan", "labels_wanted"]


class CampaignSerializer(serializers.ModelSerializer):
    corpus = serializers.SlugRelatedField("slug", read_only=True, allow_null=True)

    class Meta:
        model = Campaign
        fields = ["slug", "name", "corpus", "time_zone", "created_at"]


class WaveSerializer(serializers.ModelSerializer):
    guideline = serializers.IntegerField(
        source="guideline.number", default=None, read_only=True, allow_null=True
    )

    class Meta:
        model = Wave
        fields = [
            "name",
            "purpose",
            "opens_at",
            "closes_at",
            "is_sandbox",
            "guideline",
            "mutations",
            "pool",
            "dictionary_settings",
            "plan",
            "labels_wanted",
            "labels_own_claims",
        ]
        extra_kwargs = {
            name: {"allow_null": True, "help_text": "Null but for the campaign's managers."}
            for name in FOR_MANAGERS
        }

    def to_representation(self, wave):
        row = super().to_representation(wave)
        return row if self.context.get("is_managed") else row | dict.fromkeys(FOR_MANAGERS)


class ClaimSerializer(serializers.ModelSerializer):
    wave = serializers.CharField(source="wave.name", read_only=True)
    source = serializers.CharField(
        source="source.public_id", default=None, read_only=True, allow_null=True
    )
    parent = serializers.IntegerField(
        source="parent.number", default=None, read_only=True, allow_null=True
    )
    mutation = serializers.ChoiceField(
        choices=[("", "none"), *Mutation.choices], read_only=True, allow_blank=True
    )

    class Meta:
        model = Claim
        fields = [
            "number",
            "external_id",
            "wave",
            "text",
            "language",
            "origin",
            "source",
            "as_of",
            "parent",
            "mutation",
            "withdrawn_at",
            "created_at",
        ]


class EvidenceItemSerializer(serializers.ModelSerializer):
    paragraph = serializers.CharField(source="paragraph.public_id", read_only=True)

    class Meta:
        model = EvidenceItem
        fields = ["paragraph", "unit"]


class EvidenceSetSerializer(serializers.ModelSerializer):
    items = EvidenceItemSerializer(many=True, read_only=True)

    class Meta:
        model = EvidenceSet
        fields = ["number", "items"]


class AnnotationSerializer(serializers.ModelSerializer):
    claim = serializers.IntegerField(source="item.instance.claim.number", read_only=True)
    wave = serializers.CharField(source="item.wave.name", read_only=True)
    annotator = serializers.SerializerMethodField(help_text="A pseudonym, stable in a campaign.")
    label = serializers.ChoiceField(choices=Label.choices, read_only=True)
    surplus = serializers.SerializerMethodField(
        help_text="Null while you may still change the answer: it can tell whether others agree."
    )
    evidence_sets = EvidenceSetSerializer(many=True, read_only=True)

    class Meta:
        model = Annotation
        fields = [
            "claim",
            "wave",
            "annotator",
            "kind",
            "label",
            "is_uncertain",
            "is_relevant",
            "condition",
            "surplus",
            "late",
            "evidence_sets",
            "created_at",
        ]

    def get_surplus(self, annotation) -> bool | None:
        return None if annotation.is_blind else annotation.surplus

    def get_annotator(self, annotation) -> str:
        if annotation.user_id is None:
            return annotation.external_annotator
        return pseudonym_of(annotation.item.wave.campaign, annotation.user_id)


class CampaignRows:
    """Campaigns that the caller belongs to."""

    serializer_class = CampaignSerializer
    queryset = Campaign.objects.select_related("corpus").order_by("slug")
    lookup_field = "slug"

    def get_queryset(self):
        return super().get_queryset().read_by(self.request.user)


class CampaignList(CampaignRows, generics.ListAPIView):
    """Campaigns that you belong to."""


class CampaignDetail(CampaignRows, generics.RetrieveAPIView):
    """One campaign that you belong to."""


class InCampaign:
    """Rows of one campaign; 404 for outsiders."""

    def campaign(self):
        permitted = Campaign.objects.read_by(self.request.user)
        return get_object_or_404(permitted, slug=self.kwargs["slug"])

    def is_managed(self, campaign):
        return Campaign.objects.managed_by(self.request.user).filter(pk=campaign.pk).exists()


class WaveList(InCampaign, generics.ListAPIView):
    """The waves of a campaign, newest first: all for who runs it, else those you take part in."""

    serializer_class = WaveSerializer
    queryset = Wave.objects.select_related("guideline").order_by("-pk")

    def get_queryset(self):
        return super().get_queryset().of_campaign(self.campaign(), self.request.user)

    def get_serializer_context(self):
        context = super().get_serializer_context()
        if "slug" not in self.kwargs:  # while the OpenAPI document is made
            return context
        return context | {"is_managed": self.is_managed(self.campaign())}


class ClaimRows(InCampaign):
    """Claims of the whole campaign for its managers, else those that the caller wrote."""

    lookup_field = "number"
    serializer_class = ClaimSerializer
    queryset = Claim.objects.select_related("wave", "source", "parent").order_by("number")

    def get_queryset(self):
        campaign = self.campaign()
        claims = super().get_queryset().filter(campaign=campaign)
        return claims if self.is_managed(campaign) else claims.filter(author=self.request.user)


class ClaimList(ClaimRows, generics.ListAPIView):
    """Claims by number: of the whole campaign for its managers, else those that you wrote."""


class ClaimDetail(ClaimRows, generics.RetrieveAPIView):
    """One claim by its number."""


class AnnotationList(InCampaign, generics.ListAPIView):
    """Live annotations by claim number: all of them for managers, else those that you gave.

    Sandbox waves are left out, and so are others' labels of a claim that was given to you, for as
    long as you can answer it or change your answer.
    """

    serializer_class = AnnotationSerializer
    queryset = (
        Annotation.objects.live()
        .filter(item__wave__is_sandbox=False)
        .select_related("item__wave__campaign", "item__instance__claim")
        .prefetch_related(
            Prefetch("evidence_sets__items", EvidenceItem.objects.select_related("paragraph"))
        )
        .order_by("item__instance__claim__number", "pk")
    )

    def get_queryset(self):
        return super().get_queryset().shown_to(self.request.user, self.campaign())


URLS = [
    path("campaigns/", CampaignList.as_view(), name="campaigns"),
    path("campaigns/<slug:slug>/", CampaignDetail.as_view(), name="campaign"),
    path("campaigns/<slug:slug>/waves/", WaveList.as_view(), name="waves"),
    path("campaigns/<slug:slug>/claims/", ClaimList.as_view(), name="claims"),
    path("campaigns/<slug:slug>/claims/<int:number>/", ClaimDetail.as_view(), name="claim"),
    path("campaigns/<slug:slug>/annotations/", AnnotationList.as_view(), name="annotations"),
]
