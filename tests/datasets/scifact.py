"""The shared corpus of SciFact, a table whose abstracts are printed lists, as its own lines."""

import ast
import csv
import io
import json
import re
import zipfile

QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)


def corpus_file(packed, folder, *, wanted=None):
    """The corpus as its authors publish it: one abstract a line. wanted: only of these ids."""
    path = folder / "corpus.jsonl"
    with zipfile.ZipFile(packed) as archive, path.open("w") as lines:
        table = io.TextIOWrapper(archive.open("corpus_train.csv"), encoding="utf-8")
        for row in csv.DictReader(table):
            if wanted is not None and row["doc_id"] not in wanted:
                continue
            sentences = [ast.literal_eval(each) for each in QUOTED.findall(row["abstract"])]
            record = {"doc_id": int(row["doc_id"]), "title": row["title"], "abstract": sentences,
                      "structured": row["structured"] == "True"}  # fmt: skip
            lines.write(json.dumps(record) + "\n")
    return path
