"""Reading single fields of a record; each raises Unusable with the field's name."""

from collections import Counter
from collections.abc import Iterable, Mapping

from corpus.texts import clean_text, has_lone_surrogate
from datasets.readers.problems import Unusable
from datasets.readers.records import NOT_ENOUGH_INFO, REFUTES, SUPPORTS, ReadClaim
from datasets.records import Cited

LARGEST_NUMBER = 10**18 - 1
# Of claims and articles; a paragraph's has the article's version and a rank behind it.
LONGEST_ID, LONGEST_PARAGRAPH = 200, 240
LABELS = {
    **dict.fromkeys(["supports", "support", "supported", "supporting"], SUPPORTS),
    **dict.fromkeys(
        ["refutes", "refute", "refuted", "refuting", "contradict", "contradicts"], REFUTES
    ),
    **dict.fromkeys(
        ["not enough info", "not enough information", "not enough evidence", "nei", "neutral"],
        NOT_ENOUGH_INFO,
    ),
}


def label_of(value: object) -> str | None:
    """One of the three labels, however it is spelt; None for any other."""
    if not isinstance(value, str):
        return None
    return LABELS.get(" ".join(value.replace("_", " ").split()).casefold())


def claim_from(values: Mapping, *, id_key: str = "id", kept: Iterable[str] = ()) -> ReadClaim:
    """A claim with id, text and record, its instances still to come.

    kept: the fields that the caller reads into columns; all others stay in the record.
    """
    external_id, number = identifier(values.get(id_key), id_key)
    violations: Counter[str] = Counter()
    stated = text_field(values, "claim")
    text = clean_text(stated)
    if not text:
        raise Unusable("the claim has no text", "claim")
    read = {id_key, "claim", *kept}
    record = {name: value for name, value in values.items() if name not in read}
    if text != stated:
        violations["text_cleaned"] += 1
        record["claim"] = stated
    return ReadClaim(external_id, number, text, record=record, violations=violations)


def identifier(value: object, key: str, longest: int = LONGEST_ID) -> tuple[str, int | None]:
    """An id as text, and as a number where it is a whole one."""
    if value is None:
        raise Unusable(f"there is no {key}")
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise Unusable(f"{key} is {shown(value)}; use a whole number or a text", key)
    text = clean_text(str(value))
    if not text or len(text) > longest or has_lone_surrogate(str(value)):
        raise Unusable(f"{key} is {shown(value)}; use 1 to {longest} characters", key)
    number = int(text) if text.isascii() and text.isdecimal() else None
    if isinstance(value, int) and number is None:
        raise Unusable(f"{key} is {value}; a number is 0 or more", key)
    if number is None or str(number) != text:
        return text, None
    if number > LARGEST_NUMBER:
        raise Unusable(f"{key} is {text}; the largest number is {LARGEST_NUMBER}", key)
    return text, number


def text_field(values: Mapping, key: str) -> str:
    value = values.get(key)
    if value is None:
        raise Unusable(f"there is no {key}")
    if not isinstance(value, str):
        raise Unusable(f"{key} is {shown(value)}; write it as text", key)
    if has_lone_surrogate(value):
        raise Unusable(f"{key} holds half of a surrogate pair", key)
    return value


def is_empty_record(values: Mapping) -> bool:
    """Whether a record states nothing, as the first of FEVEROUS files."""
    return all(value in ("", None) for value in values.values())


def source_of(values: Mapping) -> str:
    """The public id of the paragraph that the claim was written from; '' where there is none."""
    return reference(values.get("source"), "source", LONGEST_PARAGRAPH)


def parent_of(values: Mapping) -> str:
    """The id of the claim that this one was mutated from; '' where it was not."""
    return reference(values.get("mutated_from"), "mutated_from")


def reference(value: object, key: str, longest: int = LONGEST_ID) -> str:
    """The id of something else as text; '' for null and 0, which stand for none."""
    if value in (None, "", 0) and value is not False:
        return ""
    return identifier(value, key, longest)[0]


def list_field(value: object, key: str, what: str) -> list:
    if not isinstance(value, list):
        raise Unusable(f"{what} is {shown(value)}; it is a list", key)
    return value


def whole(value: object, key: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Unusable(f"{key} holds {shown(value)} where a whole number stands", key)
    return value


def shown(value: object) -> str:
    return repr(value)[:60]


def evidence_sets(
    groups: Iterable[Iterable[Cited]], violations: Counter
) -> tuple[tuple[Cited, ...], ...]:
    """The groups without what stands twice in one.

    Repeated items and empty groups are counted, and once for all of them that a group is repeated.
    """
    sets: list[tuple[Cited, ...]] = []
    for group in groups:
        items = list(group)
        once = tuple({place(item): item for item in items}.values())
        violations["repeated_items"] += len(once) < len(items)
        violations["empty_groups"] += not once
        sets.append(once)
    violations["repeated_groups"] += len({frozenset(map(place, each)) for each in sets}) < len(sets)
    return tuple(sets)


def place(cited: Cited) -> tuple[str, str, str]:
    return cited.paragraph, cited.external, cited.text


def count_label(label: str, has_evidence: bool, violations: Counter) -> None:
    """Count a label whose evidence is not as the label asks."""
    if label == NOT_ENOUGH_INFO:
        violations["nei_with_evidence"] += has_evidence
    else:
        violations["verdict_without_evidence"] += not has_evidence
