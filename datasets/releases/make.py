"""Making a release: files in every format, figures, card and contents, whole or not at all.

Nothing in its files says when, where or by whose account they were made, and no primary key is
in them: from the same data and options they come out the same, on any database.
"""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from django.utils.translation import gettext as _
from django.utils.translation import override

from annotation.models import Campaign, GuidelineVersion, Wave
from datasets.cards import as_html, as_markdown, croissant
from datasets.cards.licences import LABELS, TEXTS
from datasets.corpora import NAME as CORPUS_FILE
from datasets.exporting import export_to, rare_collections
from datasets.folders import MANIFEST, new_folder
from datasets.manifest import DUPLICATES, wave_facts
from datasets.options import FORMATS, WITH_CORPUS, sizes_of, waves_of
from datasets.releases.configs import configs_of
from datasets.releases.contributions import contributions, judged_against
from datasets.releases.facts import agreement_of, as_text, cues_of, figure_rows, strongest
from datasets.releases.lines import labels_by_split, released_lines
from datasets.releases.options import BASE, GIVEN, ReleaseOptions, checked_release
from datasets.splits import Splits
from datasets.splitting import chosen_splits
from datasets.untold import untold
from operations.snapshots import snapshot

VERSION = 2  # another one where the same data makes other files
CONTENTS, FIGURES, CUES = "release.json", "figures.json", "cues.json"
README, PAGE, CROISSANT = "README.md", "card.html", "croissant.json"
DATA = "data"
CUES_KEPT = 50
POLICIES = ("own", "conditional", "ties")
# Told only where they are not as usual: earlier releases, which are compared, do not know them.
LATER = ("drop_supersets", "is_joined", "lines")
# What is said elsewhere in the contents.
NOT_SETTINGS = (*GIVEN, *POLICIES, "date", "licence")


@dataclass(frozen=True)
class Making:
    """One release while it is made."""

    campaign: Campaign
    name: str
    options: ReleaseOptions
    path: Path
    progress: Callable[..., None] = untold


def build_release(
    folder: Path,
    *,
    campaign: Campaign,
    name: str,
    options: ReleaseOptions,
    progress: Callable[..., None] = untold,
) -> dict:
    """Write a release into a folder that is new; its contents, as release.json has them.

    Everything is as of one moment. Raises ValidationError where the options do not fit.
    """
    options = checked_release(campaign, name, options)
    with new_folder(folder) as path:
        # A folder of its own: the one that is being written is locked.
        (path / DATA).mkdir()
        with snapshot(), rare_collections():
            return written(Making(campaign, name, options, path, progress))


def written(making: Making) -> dict:
    options, campaign = making.options, making.campaign
    base = options.export(BASE)
    waves = waves_of(campaign, base)
    splits = chosen_splits(campaign, base, making.progress) if base.split else None
    manifests = {form: export_of(making, form, splits) for form in options.formats}
    language = language_of(campaign)
    making.progress(0, 0, _("Measuring agreement"))
    figures = agreement_of(campaign, waves, options)
    making.progress(0, 0, _("Looking for cues"))
    cues = cues_of(released_lines(making.path / DATA / BASE), language, options)
    making.progress(0, 0, _("Writing the card"))
    contents = {
        **identity(making, language),
        **choices(making, waves),
        **data_facts(making, manifests),
        "contributions": contributions(campaign, waves),
        "figures": figure_rows(figures),
        "cues": cue_facts(cues),
        "guidelines": guideline_numbers(waves),
        "judged_against": judged_against(campaign, waves),
    }
    more = write_more(making, contents, {FIGURES: as_text(figures), CUES: as_text(cues)})
    contents["more_files"] = more
    write(making.path, CONTENTS, as_text(contents))
    return contents


def export_of(making: Making, form: str, splits: Splits | None) -> dict:
    """One format's files; its manifest goes into the contents and leaves the folder."""

    def progress(done, total, message=""):
        making.progress(done, total, f"{form} {message}".strip())

    folder = making.path / DATA / form
    options = making.options.export(form)
    manifest = export_to(
        folder,
        campaign=making.campaign,
        options=options,
        progress=progress,
        splits=splits if options.split else None,
        every_scope=form == BASE,
    )
    (folder / MANIFEST).unlink()
    return manifest


def identity(making: Making, language: str) -> dict:
    campaign, options = making.campaign, making.options
    corpus = campaign.corpus
    return {
        "release": VERSION,
        "name": making.name,
        "date": options.date,
        "title": campaign.name,
        "campaign": {"slug": campaign.slug, "name": campaign.name},
        "corpus": corpus and {"slug": corpus.slug, "name": corpus.name},
        "language": language,
        "given": {name: getattr(options, name) for name in GIVEN},
        "licences": {
            "labels": options.licence,
            "texts": corpus.licence if corpus else "",
            "publishes_text": bool(corpus and corpus.publishes_text),
            "publishes_cited": bool(corpus and corpus.publishes_cited),
        },
    }


def language_of(campaign: Campaign) -> str:
    """The corpus' language, else that of the first claim."""
    if campaign.corpus is not None:
        return campaign.corpus.language
    first = campaign.claims.order_by("number").values_list("language", flat=True).first()
    return first or ""


def choices(making: Making, waves: list[Wave]) -> dict:
    usual, chosen = ReleaseOptions(date="").as_settings(), making.options.as_settings()
    chosen = {k: v for k, v in chosen.items() if k not in LATER or v != usual[k]}
    policies = {name: chosen[name] for name in POLICIES}
    return {
        "waves": wave_facts(waves),
        "settings": {name: value for name, value in chosen.items() if name not in NOT_SETTINGS},
        "policies": {**policies, "duplicates": DUPLICATES, "surplus": "never", "sandbox": "never"},
    }


def data_facts(making: Making, manifests: dict[str, dict]) -> dict:
    """Files, fields and counts of each format; labels and leaks by the base format."""
    files = [
        file_facts(making, form, file, manifest)
        for form, manifest in manifests.items()
        for file in manifest["files"]
    ]
    with override("en"):
        titles = {form: str(FORMATS[form]) for form in manifests}
    formats = [
        {"name": form, "title": titles[form]}
        | {name: manifest[name] for name in ("counts", "left_out", "fields")}
        for form, manifest in manifests.items()
    ]
    labels = labels_by_split(making.path / DATA / BASE)
    return {
        "formats": formats,
        "configs": configs_of(making.path, files, titles),
        "files": files,
        "n_claims": sum(Counter(counts).total() for counts in labels.values()),
        "labels": labels,
        "leaks": manifests[BASE]["splits"],
    }


def file_facts(making: Making, form: str, file: dict, manifest: dict) -> dict:
    """A file's entry; split: empty where it is none; config: what lines like its own are called;
    holds: what it carries, claims with their labels or texts of the corpus."""
    name = f"{DATA}/{form}/{file['name']}"
    place = PurePosixPath(file["name"])
    stem, ending = place.stem, place.suffix
    options = making.options.export(form)
    splits = list(sizes_of(options)) if options.split else []
    alone = stem in (*splits, "all")
    config = (form if alone else f"{form}-{stem}") if ending == ".jsonl" else ""
    return {
        **file,
        "name": name,
        "format": form,
        "config": config.replace("/", "-"),
        "split": stem if stem in splits else "",
        "holds": what_it_holds(place.name, manifest),
        "bytes": (making.path / name).stat().st_size,
    }


def what_it_holds(name: str, manifest: dict) -> list[str]:
    """labels, texts or both. Sentences of passages are AmbiFC's, where they may be published."""
    corpus, form = manifest["corpus"], manifest["format"]
    if form in WITH_CORPUS and name == CORPUS_FILE:
        return [TEXTS]
    has_texts = corpus is not None and (
        manifest["settings"]["evidence"] == "text"
        or (form == "ambifc" and corpus["publishes_text"])
    )
    return [LABELS, TEXTS] if has_texts else [LABELS]


def cue_facts(cues: dict) -> dict:
    """What the card needs of the cues."""
    names = ("n_claims", "labels", "undefined", "fold_size", "resamples", "claim_only")
    return {name: cues[name] for name in names} | {"strongest": strongest(cues)[:CUES_KEPT]}


def guideline_numbers(waves: list[Wave]) -> list[int]:
    """The guideline versions that annotators of these waves had before them."""
    return sorted({number for wave in wave_facts(waves) for number in wave["guidelines"]})


def write_more(making: Making, contents: dict, texts: dict[str, str]) -> list[dict]:
    """Write what is not data; {name, bytes, sha256} of each, by name."""
    numbers = contents["guidelines"]
    versions = GuidelineVersion.objects.filter(campaign=making.campaign, number__in=numbers)
    guidelines = {f"guidelines/{each.number}.md": each.text for each in versions}
    cards = {
        README: as_markdown(contents),
        PAGE: as_html(contents),
        CROISSANT: as_text(croissant(contents)),
    }
    written = {**texts, **guidelines, **cards}
    return [write(making.path, name, written[name]) for name in sorted(written)]


def write(folder: Path, name: str, text: str) -> dict:
    """A file on the disk, with its size and hash."""
    data = text.encode()
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return {"name": name, "bytes": len(data), "sha256": sha256(data).hexdigest()}
