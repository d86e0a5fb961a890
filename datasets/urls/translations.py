"""The pages of samples of translated claims, and the task of judging them."""

from django.urls import path

from datasets.views import judging, translations

urlpatterns = [
    path("campaigns/<slug:slug>/", translations.translation_samples, name="translation-samples"),
    path("<int:sample_id>/", translations.translation_sample, name="translation-sample"),
    path(
        "<int:sample_id>/close/",
        translations.close_translation_sample,
        name="close-translation-sample",
    ),
    path(
        "<int:sample_id>/csv/", translations.translation_sample_csv, name="translation-sample-csv"
    ),
    path(
        "<int:sample_id>/json/",
        translations.translation_sample_json,
        name="translation-sample-json",
    ),
    path("<int:sample_id>/judge/", judging.judge_translations, name="judge-translations"),
    path(
        "<int:sample_id>/judge/<int:number>/", judging.judge_translation, name="judge-translation"
    ),
]
