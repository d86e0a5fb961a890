"""The task: a translated claim is judged by its evidence, without its dataset's label."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from datasets.models import TranslationItem, TranslationSample
from datasets.models.translations import Verdict
from datasets.validating.reading import shown_sets
from datasets.validating.services import answer_item
from datasets.validating.tasks import may_judge, next_item


@require_GET
@never_cache
def judge_translations(request, sample_id):
    """On to the first claim that one has not judged; or what there is to say when all are."""
    sample = get_object_or_404(shown(request.user), pk=sample_id)
    is_blind = may_judge(sample, request.user)
    item = next_item(sample, request.user) if sample.is_open and is_blind else None
    if item is not None:
        return redirect("datasets:judge-translation", sample.pk, item.number)
    return render(
        request,
        "datasets/judged_translations.html",
        {
            "sample": sample,
            "campaign": sample.campaign,
            "is_blind": is_blind,
            "answered": answered(sample, request.user),
        },
    )


@require_http_methods(["GET", "POST"])
@never_cache
def judge_translation(request, sample_id, number):
    """One claim of an open sample; an answer leads to the next one that waits."""
    sample = get_object_or_404(shown(request.user), pk=sample_id)
    items = TranslationItem.objects.select_related("claim")
    item = get_object_or_404(items, sample=sample, number=number)
    if not (sample.is_open and may_judge(sample, request.user)):
        return redirect("datasets:judge-translations", sample.pk)
    if request.method == "POST" and store(request, item):
        return on_from(sample, item, request.user)
    mine = item.answers.filter(user=request.user).first()
    return render(
        request,
        "datasets/judge_translation.html",
        {
            "sample": sample,
            "campaign": sample.campaign,
            "item": item,
            "sets": shown_sets(item),
            "mine": mine.verdict if mine else "",
            "verdicts": list(Verdict.choices),
            "answered": answered(sample, request.user),
        },
    )


def store(request, item):
    """Store the verdict that was pressed; False where the request named none."""
    verdict = request.POST.get("verdict")
    if verdict not in Verdict.values:
        messages.error(request, _("Choose one of the four answers."))
        return False
    try:
        answer_item(item=item, verdict=verdict, by=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return True


def on_from(sample, item, user):
    """On to the next claim that waits, or to the page that says that none does."""
    following = next_item(sample, user, after=item.number)
    if following is None:
        return redirect("datasets:judge-translations", sample.pk)
    return redirect("datasets:judge-translation", sample.pk, following.number)


def answered(sample, user):
    return sample.items.filter(answers__user=user).count()


def shown(user):
    return TranslationSample.objects.read_by(user).select_related("campaign").distinct()
