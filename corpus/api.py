"""Corpora, articles and paragraphs over HTTP, and imports into a corpus."""

from datetime import date
from zoneinfo import ZoneInfo

from django.db.models import F
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, UserRateThrottle

from corpus.importing.sent import import_sent
from corpus.importing.survey import public_counts
from corpus.importing.uploads import jobs_of
from corpus.models import Article, Corpus, Import, Paragraph
from corpus.records import MAX_ID
from corpus.throttling import seconds_to_wait
from operations.api import JobSerializer

MOST_ARTICLES = 1000


class ReadingThrottle(BaseThrottle):
    """What a person may read in a while, on pages and over the API together."""

    kind = "reading"

    def allow_request(self, request, view):
        self.seconds = seconds_to_wait(request.user, self.kind)
        return not self.seconds

    def wait(self):
        return self.seconds


READING = [UserRateThrottle, ReadingThrottle]


class CorpusSerializer(serializers.ModelSerializer):
    class Meta:
        model = Corpus
        fields = [
            "slug",
            "name",
            "language",
            "time_zone",
            "licence",
            "publishes_text",
            "publishes_cited",
            "undated",
            "index_version",
            "created_at",
        ]


class CorpusDetailSerializer(CorpusSerializer):
    articles = serializers.SerializerMethodField(help_text="How many articles it has.")

    class Meta(CorpusSerializer.Meta):
        fields = [*CorpusSerializer.Meta.fields, "articles"]

    def get_articles(self, corpus) -> int:
        return corpus.articles.visible().count()


class DatedSerializer(serializers.ModelSerializer):
    """A text with its time; a day is shown as a day."""

    published_day = serializers.SerializerMethodField(
        help_text="The day in the corpus' time zone, where only the day is known."
    )

    def get_published_day(self, row) -> date | None:
        if row.published_at is None or not row.is_day:
            return None
        return row.published_at.astimezone(ZoneInfo(row.corpus.time_zone)).date()


class ArticleSerializer(DatedSerializer):
    keywords = serializers.ListField(child=serializers.CharField(), read_only=True)
    duplicate_of = serializers.SlugRelatedField("external_id", read_only=True, allow_null=True)
    duplicate_kind = serializers.ChoiceField(
        choices=Article.DuplicateKind.choices, read_only=True, allow_blank=True
    )

    class Meta:
        model = Article
        fields = [
            "external_id",
            "version",
            "title",
            "language",
            "published_at",
            "published_day",
            "url",
            "section",
            "keywords",
            "duplicate_of",
            "duplicate_kind",
            "is_tabular",
            "retrievable",
        ]


class ParagraphSerializer(DatedSerializer):
    article = serializers.CharField(source="article.external_id", read_only=True)
    units = serializers.ListField(
        child=serializers.DictField(), read_only=True, help_text="Parts that can be cited alone."
    )
    section_path = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Paragraph
        fields = [
            "public_id",
            "article",
            "version",
            "rank",
            "kind",
            "text",
            "units",
            "section_path",
            "published_at",
            "published_day",
        ]


class ArticleDetailSerializer(ArticleSerializer):
    paragraphs = serializers.SerializerMethodField(
        help_text="Those of the current version, the title first."
    )

    class Meta(ArticleSerializer.Meta):
        fields = [*ArticleSerializer.Meta.fields, "paragraphs"]

    @extend_schema_field(ParagraphSerializer(many=True))
    def get_paragraphs(self, article):
        rows = article.paragraphs.current().select_related("corpus", "article").in_order()
        return ParagraphSerializer(rows, many=True).data


class ImportSerializer(serializers.ModelSerializer):
    corpus = serializers.SlugRelatedField("slug", read_only=True)
    files = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Import
        fields = [
            "id",
            "corpus",
            "state",
            "files",
            "skip_bad",
            "accept_changes",
            "created_at",
            "ended_at",
        ]


class ImportDetailSerializer(ImportSerializer):
    url = serializers.HyperlinkedIdentityField("api:import", lookup_url_kwarg="import_id")
    report = serializers.DictField(
        read_only=True, help_text="What the first pass found; empty before it has ended."
    )
    counts = serializers.SerializerMethodField(help_text="What was stored, once it is complete.")
    job = serializers.SerializerMethodField(help_text="The newest job of this import.")

    class Meta(ImportSerializer.Meta):
        fields = [*ImportSerializer.Meta.fields, "url", "report", "counts", "job"]

    def get_counts(self, run) -> dict[str, int | None]:
        return public_counts(run) if run.state == Import.State.COMPLETE else {}

    @extend_schema_field(JobSerializer(allow_null=True))
    def get_job(self, run):
        job = jobs_of(run).first()
        return job and JobSerializer(job).data


TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}


@extend_schema_field(
    {
        "type": "object",
        "description": "An article, as a line of a JSON Lines file; docs/api.md says more.",
        "properties": {
            "id": {**TEXT, "maxLength": MAX_ID},
            "title": TEXT,
            "published_at": {**TEXT, "description": "A moment or a day, such as 2022-05-14."},
            "text": {**TEXT, "description": "Paragraphs divided by blank lines."},
            "paragraphs": {**TEXTS, "description": "In place of text: one text for each."},
            "url": TEXT,
            "section": TEXT,
            "keywords": TEXTS,
            "language": TEXT,
        },
        "additionalProperties": {},
    }
)
class ArticleField(serializers.DictField):
    """Any object: what it must hold, the first pass says, for each article."""


class ArticlesSerializer(serializers.Serializer):
    """Articles to be imported, and what the import may do."""

    articles = serializers.ListField(
        child=ArticleField(), min_length=1, max_length=MOST_ARTICLES, allow_empty=False
    )
    skip_bad = serializers.BooleanField(default=False, help_text="Leave bad articles out.")
    accept_changes = serializers.BooleanField(
        default=False, help_text="Give cited articles that changed a new version."
    )
    dry_run = serializers.BooleanField(default=False, help_text="Only read and report.")


class CorpusRows:
    """Corpora of the campaigns that the caller belongs to."""

    queryset = Corpus.objects.order_by("slug")
    lookup_field = "slug"

    def get_queryset(self):
        return super().get_queryset().read_by(self.request.user)


class CorpusList(CorpusRows, generics.ListAPIView):
    """Corpora of the campaigns that you belong to."""

    serializer_class = CorpusSerializer


class CorpusDetail(CorpusRows, generics.RetrieveAPIView):
    """One corpus."""

    serializer_class = CorpusDetailSerializer


class InCorpus:
    """Rows of one corpus; 404 for outsiders."""

    throttle_classes = READING

    def get_queryset(self):
        readable = Corpus.objects.read_by(self.request.user)
        corpus = get_object_or_404(readable, slug=self.kwargs["slug"])
        return super().get_queryset().filter(corpus=corpus)

    def get_object(self):
        if "\0" in self.kwargs[self.lookup_field]:  # PostgreSQL takes it for a mistake of ours
            raise Http404
        return super().get_object()


class ArticlePages(PageNumberPagination):
    """Shorter than other lists: titles are texts, too."""

    page_size = 100


class ArticleRows(InCorpus):
    queryset = (
        Article.objects.visible().select_related("corpus", "duplicate_of").order_by("external_id")
    )
    lookup_field = "external_id"


class ArticleList(ArticleRows, generics.ListAPIView):
    """The articles of a corpus in the order of their ids, without their paragraphs."""

    serializer_class = ArticleSerializer
    pagination_class = ArticlePages


class ArticleDetail(ArticleRows, generics.RetrieveAPIView):
    """One article with the paragraphs of its current version."""

    serializer_class = ArticleDetailSerializer


class ParagraphDetail(InCorpus, generics.RetrieveAPIView):
    """One paragraph by its public id; those of older versions stay readable."""

    serializer_class = ParagraphSerializer
    lookup_field = "public_id"
    queryset = Paragraph.objects.filter(
        version__lte=F("article__version"), article__added_by__state=Import.State.COMPLETE
    ).select_related("corpus", "article")


class ImportList(generics.ListAPIView):
    """Imports into a corpus that you manage, newest first."""

    required_scope = "import"
    serializer_class = ImportSerializer
    queryset = Import.objects.select_related("corpus")

    def get_queryset(self):
        return super().get_queryset().filter(corpus=self.corpus())

    def corpus(self):
        managed = Corpus.objects.managed_by(self.request.user)
        return get_object_or_404(managed, slug=self.kwargs["slug"])

    @extend_schema(request=ArticlesSerializer, responses={202: ImportDetailSerializer})
    def post(self, request, slug):
        """Import articles: read and judged as a whole, then stored, by a job.

        Without `skip_bad`, one bad article keeps all of them out.
        """
        corpus = self.corpus()
        asked = ArticlesSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        run = import_sent(corpus=corpus, by=request.user, **asked.validated_data)
        answer = ImportDetailSerializer(run, context=self.get_serializer_context())
        return Response(answer.data, status=202)


class ImportDetail(generics.RetrieveAPIView):
    """One import with its report; `job` says how far it is."""

    required_scope = "import"
    serializer_class = ImportDetailSerializer
    queryset = Import.objects.select_related("corpus")
    lookup_url_kwarg = "import_id"

    def get_queryset(self):
        managed = Corpus.objects.managed_by(self.request.user)
        return super().get_queryset().filter(corpus__in=managed)


CORPUS = "corpora/<slug:slug>/"
URLS = [
    path("corpora/", CorpusList.as_view(), name="corpora"),
    path(CORPUS, CorpusDetail.as_view(), name="corpus"),
    path(f"{CORPUS}articles/", ArticleList.as_view(), name="articles"),
    path(f"{CORPUS}articles/<path:external_id>/", ArticleDetail.as_view(), name="article"),
    path(f"{CORPUS}paragraphs/<path:public_id>/", ParagraphDetail.as_view(), name="paragraph"),
    path(f"{CORPUS}imports/", ImportList.as_view(), name="imports"),
    path("imports/<int:import_id>/", ImportDetail.as_view(), name="import"),
]
