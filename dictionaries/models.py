"""Dictionaries: what was retrieved in advance for a text, all older than its as-of date."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from corpus.models import Article, Corpus, Paragraph


class Dictionary(models.Model):
    """The paragraphs retrieved for one query text. Once ready it never changes."""

    class State(models.TextChoices):
        PENDING = "pending", _("being built")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")

    corpus = models.ForeignKey(Corpus, on_delete=models.PROTECT, related_name="dictionaries")
    key = models.CharField(max_length=64)
    text = models.TextField()
    language = models.CharField(max_length=10)
    as_of = models.DateTimeField(null=True, blank=True)
    left_out_article = models.ForeignKey(
        Article, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    settings = models.JSONField(default=dict)
    index_version = models.CharField(max_length=60)
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    entities = models.JSONField(default=list)
    excluded = models.JSONField(default=dict)
    seconds = models.JSONField(default=dict)
    error = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "dictionaries"
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "key"], name="dictionary_key_once_per_corpus"
            ),
        ]

    def __str__(self):
        return f"dictionary {self.pk} ({self.state})"


class DictionaryEntry(models.Model):
    """One paragraph of a dictionary, by the method that found it."""

    class Method(models.TextChoices):
        KEYWORD = "keyword", _("keyword")
        SEMANTIC = "semantic", _("semantic")

    dictionary = models.ForeignKey(Dictionary, on_delete=models.PROTECT, related_name="entries")
    paragraph = models.ForeignKey(Paragraph, on_delete=models.PROTECT, related_name="+")
    method = models.CharField(max_length=10, choices=Method)
    rank = models.PositiveSmallIntegerField()
    score = models.FloatField()
    query = models.CharField(max_length=500)
    available_at = models.DateTimeField(null=True, blank=True)
    as_of = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["method", "rank"]
        constraints = [
            models.UniqueConstraint(
                fields=["dictionary", "paragraph", "method"],
                name="dictionary_entry_once_per_method",
            ),
            models.UniqueConstraint(
                fields=["dictionary", "method", "rank"], name="dictionary_entry_rank_once"
            ),
            models.CheckConstraint(
                name="dictionary_entry_is_older_than_its_as_of_date",
                condition=Q(as_of=None)
                | Q(available_at__isnull=False, available_at__lt=F("as_of")),
            ),
        ]

    def __str__(self):
        return f"{self.paragraph_id} in {self.dictionary_id}"
