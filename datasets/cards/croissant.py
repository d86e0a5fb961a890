"""A release as Croissant JSON-LD: files with their hashes, records with their fields.

Source: MLCommons, "Croissant Format Specification", version 1.0 (2024).
"""

from datasets.cards.licences import LABELS, TEXTS, UNKNOWN, held_by, licences_of

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
ENCODINGS = {
    "csv": "text/csv",
    "jsonl": "application/jsonlines",
    "tsv": "text/tab-separated-values",
}
OTHER = "application/octet-stream"
TYPES = {"integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean"}


def croissant(contents: dict) -> dict:
    """The description as JSON-LD. contents: as `release.json` has them."""
    given = contents["given"]
    optional = {
        "url": given["url"],
        "citeAs": given["citation"],
        "datePublished": contents["date"],
        "creator": given["creator"] and {"@type": "sc:Organization", "name": given["creator"]},
        "inLanguage": contents["language"],
    }
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": identifier(contents["title"]),
        "alternateName": contents["title"],
        "conformsTo": CONFORMS_TO,
        "description": given["description"] or f"{contents['title']}: claims with evidence.",
        "license": one_or_all(licences_of(contents)),
        "version": contents["name"],
        **{name: value for name, value in optional.items() if value},
        "distribution": [file_object(file, contents) for file in contents["files"]],
        "recordSet": [
            record_set(file, contents)
            for file in contents["files"]
            if file["config"] and config_of(file, contents)["columns"]
        ],
    }


def one_or_all(values: list[str]) -> str | list[str]:
    return values[0] if len(values) == 1 else values


def config_of(file: dict, contents: dict) -> dict:
    return next(each for each in contents["configs"] if each["name"] == file["config"])


def identifier(title: str) -> str:
    """A title as a name: letters, digits and single dashes."""
    words = "".join(letter if letter.isalnum() else " " for letter in title).split()
    return "-".join(words) or "dataset"


def file_object(file: dict, contents: dict) -> dict:
    return {
        "@type": "cr:FileObject",
        "@id": file["name"],
        "name": file["name"],
        "description": what_is_held(file, contents),
        "contentUrl": file["name"],
        "contentSize": f"{file['bytes']} B",
        "encodingFormat": ENCODINGS.get(file["name"].rpartition(".")[2], OTHER),
        "sha256": file["sha256"],
    }


def what_is_held(file: dict, contents: dict) -> str:
    """Under which licence its claims and labels are, and its texts if it has any."""
    words = {LABELS: "claims and labels", TEXTS: "texts of the corpus"}
    licences = contents["licences"]
    told = [f"{words[kind]}: {licences[kind] or UNKNOWN}" for kind in held_by(file)]
    return f"License of {'; of '.join(told)}."


def record_set(file: dict, contents: dict) -> dict:
    """The lines of one file; what is nested is given as a text."""
    config = config_of(file, contents)
    name = file["name"].removesuffix(".jsonl")
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [field_of(column, name, file) for column in config["columns"]],
    }


def field_of(column: dict, record_set: str, file: dict) -> dict:
    described = {"description": column["about"]} if column["about"] else {}
    return {
        "@type": "cr:Field",
        "@id": f"{record_set}/{column['name']}",
        "name": column["name"],
        **described,
        "dataType": TYPES.get(column["type"], "sc:Text"),
        "source": {"fileObject": {"@id": file["name"]}, "extract": {"column": column["name"]}},
    }
