"""The header of a card: what hubs index a dataset by, and where its files are."""

import re

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
        **licence_of(contents["licences"]["labels"]),
        "size_categories": [size_category(contents["n_claims"])],
        "task_categories": ["text-classification"],
        "task_ids": ["fact-checking", "natural-language-inference"],
        "tags": ["fact-checking", "claim-verification", "evidence"],
        "version": contents["name"],
        "configs": configs_of(contents),
    }
    return {name: value for name, value in header.items() if value not in ("", [])}


def licence_of(text: str) -> dict[str, str]:
    """{license, license_name}: a hub's identifier where the text is one of a known licence."""
    if not text:
        return {"license": "unknown"}
    name = NO_NAME.sub("-", text.casefold()).strip("-")
    if LICENCES.fullmatch(name):
        return {"license": name}
    return {"license": "other", "license_name": name or "other"}


def size_category(n: int) -> str:
    return next((name for most, name in SIZES if n < most), LARGEST)


def configs_of(contents: dict) -> list[dict]:
    """One configuration for each kind of lines, with its splits; the first is the default."""
    configs = []
    for place, config in enumerate(contents["configs"]):
        files = [file for file in contents["files"] if file["config"] == config["name"]]
        splits = [{"split": split_name(file), "path": file["name"]} for file in files]
        default = {"default": True} if place == 0 else {}
        configs.append({"config_name": config["name"], **default, "data_files": splits})
    return configs


def split_name(file: dict) -> str:
    """A split's name as hubs allow it; data without splits are all for training."""
    return re.sub(r"\W", "_", file["split"]) if file["split"] else "train"
