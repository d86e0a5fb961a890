"""The sections of a card, in the order in which dataset hubs expect them."""

from datasets.cards.blocks import Block, Bullets, Code, Paragraph, Section, Table
from datasets.cards.header import tables_of
from datasets.cards.licences import licences_of_file, with_texts
from datasets.cards.measured import agreement_section, cue_section, leak_section
from datasets.cards.words import counted, number, percent

POLICIES = {
    "own": (
        "Labels that authors gave to their own claims",
        {"never": "do not count", "when-alone": "count where nobody else labelled the claim",
         "vote": "count like the others"},
    ),
    "conditional": (
        "Labels that hold under a condition only",
        {"nei": "count as NOT ENOUGH INFO, where no other label is there",
         "drop": "are left out", "as-is": "count like the others"},
    ),
    "ties": (
        "Claims on whose label nobody decided",
        {"leave-out": "are left out", "soft": "are kept, with the shares of their labels"},
    ),
    "duplicates": (
        "Of an imported annotator's repeats",
        {"last": "the latest counts", "first": "the first counts", "all": "all count"},
    ),
}  # fmt: skip
# Formats whose lines say who gave a label.
NAMING = ("ambifc", "raw")
FARTHEST = "Largest difference of a label's share"
UNDECIDED = "is undecided there, with no label and no evidence"
LEFT_OUT = "is left out there"


def title_of(contents: dict) -> str:
    return f"Dataset Card for {contents['title']} {contents['name']}"


def card_sections(contents: dict) -> list[Section]:
    """All sections. contents: as `release.json` has them."""
    return [
        *details(contents),
        *uses(contents),
        *structure(contents),
        *creation(contents),
        agreement_section(contents),
        cue_section(contents),
        leak_section(contents),
        personal(contents),
        risks(contents),
        reproduction(contents),
        *ending(contents),
    ]


def details(contents: dict) -> list[Section]:
    given, licences = contents["given"], contents["licences"]
    corpus = contents["corpus"]
    facts = [
        ("Version", f"{contents['name']}, of {contents['date']}"),
        ("Curated by", given["creator"]),
        ("Language", contents["language"]),
        ("Claims", number(contents["n_claims"])),
        ("License of claims and labels", licences["labels"] or "not stated"),
        ("License of the source texts", text_licence(contents) if corpus else ""),
        ("Homepage", given["url"]),
    ]
    described = given["description"] or (
        "Claims with a verdict (SUPPORTS, REFUTES or NOT ENOUGH INFO) and the evidence for it."
    )
    bullets = tuple(f"{name}: {value}" for name, value in facts if value)
    return [
        Section("Dataset Details"),
        Section("Dataset Description", (Paragraph(described), Bullets(bullets)), 3),
    ]


def text_licence(contents: dict) -> str:
    """What holds for the texts, and which files carry any."""
    licence, files = contents["licences"]["texts"] or "not stated", with_texts(contents)
    return f"{licence} (texts are in {', '.join(files)})" if files else licence


def uses(contents: dict) -> list[Section]:
    direct = contents["given"]["uses"] or (
        "Training and measuring systems that retrieve evidence for claims and that decide "
        "whether the evidence supports or refutes them."
    )
    out = (
        "A label says what the given source material shows, as of its date. It does not say "
        "whether a claim is true, and is no ground for decisions about people."
    )
    return [
        Section("Uses"),
        Section("Direct Use", (Paragraph(direct),), 3),
        Section("Out-of-Scope Use", (Paragraph(out),), 3),
    ]


def structure(contents: dict) -> list[Section]:
    return [
        Section("Dataset Structure"),
        Section("Data Splits", (splits_table(contents), *narrow_scopes(contents)), 3),
        Section("Data Files", (files_table(contents), *loading(contents)), 3),
        Section("Data Fields", tuple(map(fields_table, with_fields(contents["configs"]))), 3),
    ]


def splits_table(contents: dict) -> Table:
    labels, apart = contents["labels"], (contents["leaks"] or {}).get("deviation", {})
    names = sorted({label for counts in labels.values() for label in counts}, key=label_place)
    rows = tuple(
        (
            split,
            *(number(counts.get(label, 0)) for label in names),
            number(sum(counts.values())),
            *([percent(apart.get(split))] if apart else []),
        )
        for split, counts in labels.items()
    )
    head = ("Split", *names, "Claims", *([FARTHEST] if apart else []))
    return Table("Claims by split and label", head, rows, frozenset(range(1, len(head))))


def narrow_scopes(contents: dict) -> list[Block]:
    """How claims that were judged against single articles or passages are counted."""
    judged = contents.get("judged_against", {})
    told = [counted(judged[kind], kind) for kind in ("article", "passage") if judged.get(kind)]
    if not told:
        return []
    is_soft = contents["policies"]["ties"] == "soft"
    text = (
        f"Claims were also judged against {' and '.join(told)}, each alone. Here and in "
        "data/ctkfacts each claim counts once: with its label in the whole scope, else with the "
        "one verdict that its articles or passages come to, else as NOT ENOUGH INFO. A claim that "
        f"one of them supports and another refutes {UNDECIDED if is_soft else LEFT_OUT}."
    )
    return [Paragraph(text)]


def label_place(label: str) -> tuple[int, str]:
    """Labels in the order of the papers, others behind them."""
    known = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
    return (known.index(label) if label in known else len(known), label)


def files_table(contents: dict) -> Table:
    rows = tuple(
        (
            file["name"],
            number(file["lines"]),
            number(file["bytes"]),
            " and ".join(licences_of_file(contents, file)),
            file["sha256"],
        )
        for file in contents["files"]
    )
    head = ("File", "Lines", "Bytes", "License", "SHA-256")
    return Table("Files", head, rows, frozenset((1, 2)))


def loading(contents: dict) -> list[Block]:
    """How files with lines are read, and which kinds of them are no tables."""
    lined = [file for file in contents["files"] if file["config"] and file["lines"]]
    tables = [each["name"] for each in tables_of(contents)]
    first = next((file["name"] for file in lined), "")
    table = next((file["name"] for file in lined if file["config"] in tables), "")
    code: tuple[str, ...] = ()
    if first:
        code = ("import pandas", f'claims = pandas.read_json("{first}", lines=True)')
    if table:
        load = f'claims = datasets.load_dataset("json", data_files="{table}")'
        code += ("", "import datasets", load)
    blocks: list[Block] = [Code("\n".join(code), "python")] if code else []
    if others := [name for name in dict.fromkeys(f["config"] for f in lined) if name not in tables]:
        text = (
            "Some lines have another type or other keys than others in the same place, and make no "
            f"table such as load_dataset reads: those of {', '.join(others)}. Read these with "
            "pandas or line by line; they are no configurations."
        )
        blocks.append(Paragraph(text))
    return blocks


def with_fields(configs: list[dict]) -> list[dict]:
    """The kinds of lines of which there are any."""
    return [config for config in configs if config["columns"]]


def fields_table(config: dict) -> Table:
    rows = tuple((each["name"], each["type"], each["about"]) for each in config["columns"])
    return Table(
        f"Fields of {config['name']} ({config['title']})", ("Field", "Type", "Meaning"), rows
    )


def creation(contents: dict) -> list[Section]:
    done = contents["contributions"]
    people = (
        f"{counted(done['writers'], 'person', 'people')} wrote claims, "
        f"{counted(done['annotators'], 'person', 'people')} labelled them, and "
        f"{counted(done['curators'], 'curator')} settled labels."
    )
    return [
        Section("Dataset Creation"),
        Section("Source Data", tuple(source_blocks(contents)), 3),
        Section("Annotation Process", tuple(process_blocks(contents)), 3),
        Section("Who are the annotators?", (Paragraph(people), work_table(done)), 3),
    ]


def source_blocks(contents: dict) -> list[Block]:
    corpus, done = contents["corpus"], contents["contributions"]
    if corpus is None:
        return [Paragraph("The claims were imported without a corpus of their own.")]
    text = (
        f"The claims rest on the corpus {corpus['name']}: "
        f"{counted(done['source_paragraphs'], 'paragraph')} of "
        f"{counted(done['source_articles'], 'article')} served as sources of claims."
    )
    return [Paragraph(f"{text} {what_is_published(contents['licences'])}")]


def what_is_published(licences: dict) -> str:
    if licences["publishes_text"]:
        return "Its texts may be published."
    if licences.get("publishes_cited"):
        return "Of its texts, those of paragraphs that claims cite or come from may be published."
    return "Its texts are not published: files name paragraphs by ids only."


def process_blocks(contents: dict) -> list[Block]:
    rows = tuple(
        (wave["name"], wave["purpose"], wave["plan"], ", ".join(map(str, wave["guidelines"])))
        for wave in contents["waves"]
    )
    policies = tuple(
        f"{words} {choices[contents['policies'][name]]}."
        for name, (words, choices) in POLICIES.items()
    )
    waves = Table("Waves of annotation", ("Wave", "Purpose", "Plan", "Guideline versions"), rows)
    shown = " The guidelines are among the files." if contents["guidelines"] else ""
    return [
        Paragraph(
            "Annotators decided from the paragraphs before them whether a claim is supported, "
            f"refuted, or neither, and cited what justifies that.{shown}"
        ),
        waves,
        Bullets(policies),
    ]


def work_table(done: dict) -> Table:
    rows = [(f"Claims, {name}", number(n)) for name, n in done["claims"].items()]
    rows += [(f"Mutations, {name}", number(n)) for name, n in done["mutations"].items()]
    rows += [(f"Annotations, {name}", number(n)) for name, n in done["annotations"].items()]
    rows.append(("Median of annotations per annotator", number(done["median_labels"])))
    rows.append(("Share of the busiest annotator", percent(done["largest_share"])))
    return Table("Who did what, as counts", ("What", "Number"), tuple(rows), frozenset((1,)))


def personal(contents: dict) -> Section:
    chosen = (form["name"] for form in contents["formats"])
    where = " and ".join(f"data/{name}" for name in chosen if name in NAMING)
    text = "The files hold no names and no addresses of those who made them."
    if where:
        text = (
            f"Annotators are named by pseudonyms in {where}; the key to them is not published. "
            "Names that an imported file gave its annotators stand there as they were. "
            "The files hold no other names and no addresses of those who made them."
        )
    about = "Claims and source texts may be about people, as the articles are."
    return Section("Personal and Sensitive Information", (Paragraph(f"{text} {about}"),))


def risks(contents: dict) -> Section:
    own = contents["given"]["limitations"]
    text = (
        "Claims carry the outlook of the articles that they were written from. Wording can give "
        "labels away; the section on known cues says how far it does here."
    )
    blocks = [Paragraph(own)] if own else []
    return Section("Bias, Risks, and Limitations", (*blocks, Paragraph(text)))


def reproduction(contents: dict) -> Section:
    chosen = [
        (name.replace("_", " "), shown(value))
        for name, value in contents["settings"].items()
        if value not in ("", [])
    ]
    left = [
        (f"{form['name']}, {reason.replace('_', ' ')}", number(n))
        for form in contents["formats"]
        for reason, n in form["left_out"].items()
        if n
    ]
    text = (
        "From the same data and settings every file comes out with the same SHA-256; release.json "
        "lists them all."
    )
    blocks: list[Block] = [Paragraph(text), Table("Settings", ("Setting", "Value"), tuple(chosen))]
    if left:
        blocks.append(Table("Left out", ("Reason", "Number"), tuple(left), frozenset((1,))))
    return Section("Reproduction", tuple(blocks))


def shown(value) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def ending(contents: dict) -> list[Section]:
    given = contents["given"]
    parts = [("Citation", given["citation"]), ("Dataset Card Contact", given["contact"])]
    return [Section(title, (Code(text),)) for title, text in parts if text]
