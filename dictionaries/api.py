"""Dictionaries over HTTP: asked for, built by a job, read; and search in a corpus."""

from datetime import UTC
from zoneinfo import ZoneInfo

from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import UserRateThrottle

from corpus.api import READING, ReadingThrottle
from corpus.models import Corpus
from corpus.texts import one_line
from corpus.typed import seen_text
from dictionaries.backends.base import KEYWORD, SEMANTIC, IndexUnavailable
from dictionaries.models import Dictionary, DictionaryEntry
from dictionaries.queries import (
    LONGEST_TEXT,
    paragraph_named,
    query_of_paragraph,
    query_of_text,
)
from dictionaries.searching import LONGEST_QUERY, MOST_HITS, PER_PAGE, search_corpus
from dictionaries.services import ask_for_dictionary, jobs_of
from operations.api import JobSerializer

EXCERPT = 300
BIGGEST_SEED = 2**31 - 1


class ErrorSerializer(serializers.Serializer):
    detail = serializers.CharField()


class NoIndex(APIException):
    """The request is right and cannot be served now: the corpus has to be indexed first."""

    status_code = 409
    default_code = "no_index"


class EntrySerializer(serializers.ModelSerializer):
    paragraph = serializers.CharField(source="paragraph.public_id", read_only=True)
    article = serializers.CharField(source="paragraph.article.external_id", read_only=True)
    published_at = serializers.DateTimeField(
        source="paragraph.published_at", read_only=True, allow_null=True
    )
    text = serializers.CharField(source="paragraph.text", read_only=True)

    class Meta:
        model = DictionaryEntry
        fields = [
            "paragraph",
            "article",
            "published_at",
            "method",
            "rank",
            "score",
            "query",
            "text",
        ]


class DictionarySerializer(serializers.ModelSerializer):
    corpus = serializers.SlugRelatedField("slug", read_only=True)
    url = serializers.SerializerMethodField()
    left_out_article = serializers.SlugRelatedField("external_id", read_only=True, allow_null=True)
    entities = serializers.ListField(child=serializers.CharField(), read_only=True)
    excluded = serializers.DictField(child=serializers.IntegerField(), read_only=True)
    seconds = serializers.DictField(child=serializers.FloatField(), read_only=True)
    entries = serializers.SerializerMethodField(help_text="Empty until it is ready.")
    job = serializers.SerializerMethodField(help_text="The newest job that was to fill it.")

    class Meta:
        model = Dictionary
        fields = [
            "key",
            "url",
            "corpus",
            "state",
            "error",
            "text",
            "language",
            "as_of",
            "left_out_article",
            "index_version",
            "entities",
            "excluded",
            "seconds",
            "entries",
            "job",
        ]

    @extend_schema_field(serializers.URLField())
    def get_url(self, dictionary):
        kwargs = {"slug": dictionary.corpus.slug, "key": dictionary.key}
        return reverse("api:dictionary", kwargs=kwargs, request=self.context["request"])

    @extend_schema_field(EntrySerializer(many=True))
    def get_entries(self, dictionary):
        rows = dictionary.entries.select_related("paragraph__article")
        return EntrySerializer(rows, many=True).data

    @extend_schema_field(JobSerializer(allow_null=True))
    def get_job(self, dictionary):
        job = jobs_of(dictionary).first()
        return job and JobSerializer(job).data


class AskedSerializer(serializers.Serializer):
    """A text with the moment for which it is judged, or a paragraph of the corpus."""

    text = serializers.CharField(required=False, max_length=LONGEST_TEXT)
    as_of = serializers.DateTimeField(
        required=False, help_text="With text; without a zone, in that of the corpus."
    )
    paragraph = serializers.CharField(
        required=False, max_length=240, help_text="A public id; judged as of its own time."
    )
    seed = serializers.IntegerField(default=0, min_value=0, max_value=BIGGEST_SEED)

    def __init__(self, *args, corpus=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.corpus = corpus
        if corpus:
            self.fields["as_of"].timezone = ZoneInfo(corpus.time_zone)

    def validate_text(self, text):
        return seen_text(text)

    def validate_as_of(self, moment):
        return known_moment(moment)

    def validate_paragraph(self, public_id):
        paragraph = paragraph_named(self.corpus, public_id)
        if paragraph is None:
            told = {"corpus": self.corpus.slug, "paragraph": public_id}
            raise ValidationError(_("%(corpus)s has no paragraph “%(paragraph)s”.") % told)
        return paragraph

    def validate(self, asked):
        if ("text" in asked) == ("paragraph" in asked):
            raise ValidationError(_("Send a text or a paragraph, one of the two."))
        if "paragraph" in asked and "as_of" in asked:
            raise ValidationError({"as_of": _("A paragraph is judged as of its own time.")})
        if "text" in asked and "as_of" not in asked and not self.corpus.undated:
            raise ValidationError({"as_of": _("In a dated corpus a text needs an as-of date.")})
        return asked

    @property
    def query(self):
        """What is asked of the index."""
        asked = self.validated_data
        if "paragraph" in asked:
            return query_of_paragraph(asked["paragraph"])
        return query_of_text(self.corpus, asked["text"], asked.get("as_of"))


def known_moment(moment):
    """A moment in UTC, of a year that can be right."""
    if not 1000 <= moment.year <= 9000:
        raise ValidationError(_("This year cannot be right; use one from 1000 to 9000."))
    return moment.astimezone(UTC)


class InCuratedCorpus:
    """Of the corpora of campaigns that the caller curates or manages; 404 for others."""

    required_scope = "build"
    serializer_class = DictionarySerializer

    def corpus(self):
        curated = Corpus.objects.curated_by(self.request.user)
        return get_object_or_404(curated, slug=self.kwargs["slug"])


class DictionaryList(InCuratedCorpus, generics.GenericAPIView):
    throttle_classes = READING  # what is ready is answered with its texts

    @extend_schema(
        request=AskedSerializer,
        responses={
            200: DictionarySerializer,
            202: DictionarySerializer,
            409: OpenApiResponse(ErrorSerializer, "The corpus has no whole index."),
        },
    )
    def post(self, request, slug):
        """Ask for the dictionary of a text or a paragraph: built by a job, or ready already."""
        corpus = self.corpus()
        asked = AskedSerializer(data=request.data, corpus=corpus)
        asked.is_valid(raise_exception=True)
        settings = {"seed": asked.validated_data["seed"]}
        try:
            dictionary = ask_for_dictionary(
                corpus=corpus, by=request.user, settings=settings, **asked.query
            )
        except IndexUnavailable as unavailable:
            raise NoIndex(str(unavailable)) from None
        is_ready = dictionary.state == Dictionary.State.READY
        return Response(self.get_serializer(dictionary).data, status=200 if is_ready else 202)


class DictionaryDetail(InCuratedCorpus, generics.RetrieveAPIView):
    """One dictionary by its key, with its entries when it is ready."""

    throttle_classes = READING
    lookup_field = "key"
    queryset = Dictionary.objects.select_related("corpus", "left_out_article")

    def get_queryset(self):
        return super().get_queryset().filter(corpus=self.corpus())


class SearchSerializer(serializers.Serializer):
    """What is looked for, how, and which of the hits are wanted."""

    text = serializers.CharField(max_length=LONGEST_QUERY)
    method = serializers.ChoiceField([KEYWORD, SEMANTIC], default=KEYWORD)
    as_of = serializers.DateTimeField(
        required=False, help_text="Only what is older is found; now where there is none."
    )
    limit = serializers.IntegerField(default=PER_PAGE, min_value=1, max_value=50)
    offset = serializers.IntegerField(default=0, min_value=0, max_value=MOST_HITS)

    def __init__(self, *args, corpus=None, **kwargs):
        super().__init__(*args, **kwargs)
        if corpus:
            self.fields["as_of"].timezone = ZoneInfo(corpus.time_zone)

    def validate_text(self, text):
        return one_line(seen_text(text))

    def validate_as_of(self, moment):
        return known_moment(moment)


class HitSerializer(serializers.Serializer):
    rank = serializers.IntegerField()
    score = serializers.FloatField(help_text="Comparable within one search only.")
    paragraph = serializers.CharField(source="paragraph.public_id")
    article = serializers.CharField(source="paragraph.article.external_id")
    version = serializers.IntegerField(source="paragraph.version")
    published_at = serializers.DateTimeField(source="paragraph.published_at", allow_null=True)
    excerpt = serializers.SerializerMethodField(
        help_text="The first 300 characters; the whole is at the address of the paragraph."
    )

    def get_excerpt(self, hit) -> str:
        return Truncator(hit.paragraph.text).chars(EXCERPT)


class HitsSerializer(serializers.Serializer):
    as_of = serializers.DateTimeField(allow_null=True)
    method = serializers.CharField()
    next_offset = serializers.IntegerField(allow_null=True, help_text="Null at the end.")
    results = HitSerializer(many=True)


class SearchThrottle(ReadingThrottle):
    """What a person may search in a while, on pages and over the API together."""

    kind = "search"


class CorpusSearch(generics.GenericAPIView):
    """Search in a corpus of the campaigns that you belong to."""

    serializer_class = HitsSerializer
    throttle_classes = [UserRateThrottle, SearchThrottle]

    @extend_schema(
        parameters=[SearchSerializer],
        responses={
            200: HitsSerializer,
            409: OpenApiResponse(ErrorSerializer, "The corpus has no whole index."),
        },
    )
    def get(self, request, slug):
        """The paragraphs that hold the words of a text, or are near to its meaning, best first."""
        corpus = get_object_or_404(Corpus.objects.read_by(request.user), slug=slug)
        sent = SearchSerializer(data=request.query_params, corpus=corpus)
        sent.is_valid(raise_exception=True)
        asked = dict(sent.validated_data)
        as_of = asked.pop("as_of", None)
        before = None if corpus.undated else as_of or timezone.now()
        try:
            page = search_corpus(corpus=corpus, before=before, **asked)
        except IndexUnavailable as unavailable:
            raise NoIndex(str(unavailable)) from None
        found = {
            "as_of": before,
            "method": asked["method"],
            "next_offset": asked["offset"] + asked["limit"] if page.has_more else None,
            "results": page.hits,
        }
        return Response(self.get_serializer(found).data)


DICTIONARIES = "corpora/<slug:slug>/dictionaries/"
URLS = [
    path("corpora/<slug:slug>/search/", CorpusSearch.as_view(), name="search"),
    path(DICTIONARIES, DictionaryList.as_view(), name="dictionaries"),
    path(f"{DICTIONARIES}<slug:key>/", DictionaryDetail.as_view(), name="dictionary"),
]
