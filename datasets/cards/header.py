"""The header of a card: what hubs index a dataset by, and where its files are."""

import re
from collections.abc import Sequence

from datasets.cards.licences import UNKNOWN, licences_of

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "1M<n<10M"
# The identifiers of hubs for what people write; anything else is `other` with its own name.
LICENCES = re.compile(
    r"(cc0-1\.0|cc-by(-nc)?(-sa|-nd)?-[1-4]\.0|mit|apache-2\.0|odbl|odc-by|pddl|gpl-[23]\.0"
    r"|lgpl-3\.0|bsd-[23]-clause)"
)
NO_NAME = re.compile(r"[^0-9a-z.]+")


def header_of(contents: dict) -> dict:
    """The header as plain values, in the order in which it is written."""
    language = contents["language"]
    header = {
        "pretty_name": contents["title"],
        "language": [language] if language else [],
        "multilinguality": ["monolingual"],
        **hub_licences(licences_of(contents)),
        "size_categories": [size_category(contents["n_claims"])],
        "task_categories": ["text-classification"],
        "task_ids": ["fact-checking", "natural-language-inference"],
        "tags": ["fact-checking", "claim-verification", "evidence"],
        "version": contents["name"],
        "configs": configs_of(contents),
    }
    return {name: value for name, value in header.items() if value not in ("", [])}


def hub_licences(texts: Sequence[str]) -> dict:
    """{license, license_name} of one licence or several: lists of hubs' identifiers.

    license_name: what those are called that hubs have no identifier for.
    """
    found = [licence_of(text) for text in texts]
    names = [each["license_name"] for each in found if "license_name" in each]
    known = list(dict.fromkeys(each["license"] for each in found))
    named = {"license_name": "-and-".join(names)} if names else {}
    return {"license": known[0] if len(known) == 1 else known, **named}


def licence_of(text: str) -> dict[str, str]:
    """{license, license_name}: a hub's identifier where the text is one of a known licence."""
    if text in ("", UNKNOWN):
        return {"license": UNKNOWN}
    name = NO_NAME.sub("-", text.casefold()).strip("-")
    if LICENCES.fullmatch(name):
        return {"license": name}
    return {"license": "other", "license_name": name or "other"}


def size_category(n: int) -> str:
    return next((name for most, name in SIZES if n < most), LARGEST)


def configs_of(contents: dict) -> list[dict]:
    """One configuration for each kind of lines that make a table, with its splits.

    The first is the default. Hubs refuse files without lines.
    """
    configs: list[dict] = []
    for config in tables_of(contents):
        files = [each for each in contents["files"] if each["config"] == config["name"]]
        splits = [
            {"split": split_name(file), "path": file["name"]} for file in files if file["lines"]
        ]
        default = {} if configs else {"default": True}
        configs.append({"config_name": config["name"], **default, "data_files": splits})
    return configs


def tables_of(contents: dict) -> list[dict]:
    """The kinds of lines that hubs' readers take as they are."""
    return [config for config in contents["configs"] if config.get("is_table", True)]


def split_name(file: dict) -> str:
    """A split's name as hubs allow it; data without splits are all for training."""
    return re.sub(r"\W", "_", file["split"]) if file["split"] else "train"
