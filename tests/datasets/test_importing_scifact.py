"""The whole of SciFact: its corpus at sentence level, its claims and rationales on it."""

import json
import re
from collections import Counter
from itertools import islice

import pytest
from django.core.management import call_command

from annotation.models import Annotation, Campaign, EvidenceItem
from corpus.texts import one_line
from datasets.readers.dispatch import read_claims
from tests.datasets.importing import doctor, run
from tests.datasets.reading import write_lines
from tests.datasets.scifact import corpus_file
from tests.datasets.test_importing_pages import claim_page
from tests.factories import make_member
from tests.shared import shared_data

pytestmark = pytest.mark.django_db


def test_the_published_rationales_lie_on_their_sentences(tmp_path):
    path = corpus_file(shared_data("scifact", "scifact_hf_csv.zip"), tmp_path)
    call_command("import_corpus", "abstracts", str(path), format="scifact", undated=True)

    train = run("scifact", shared_data("scifact", "claims_train.jsonl"), format="scifact",
                corpus="abstracts")  # fmt: skip
    test = run("scifact", shared_data("scifact", "claims_test.jsonl"), format="scifact")

    assert (train["claims_new"], train["annotations"]) == (809, 919)
    assert (train["evidence_unresolved"], train["instances_unresolved"]) == (0, 0)
    assert (test["claims_new"], test["annotations"], test["evidence_unresolved"]) == (300, 328, 0)
    assert test["violations"]["evidence_not_cited"] == 28
    label = Annotation.objects.get(
        item__instance__claim__number=2, item__instance__article__external_id="13734012"
    )
    assert label.label == "REFUTES"
    (item,) = EvidenceItem.objects.filter(evidence_set__annotation=label)
    units = {unit["id"]: unit for unit in item.paragraph.units}
    assert units[item.unit]["external_id"] == "4"
    assert item.paragraph.public_id == "13734012_1"
    assert doctor() == {}


MARK = re.compile(r"<mark>(.*?)<sup> ([\d, ]+)</sup></mark>")
SHOWN = 24


def marks_of(claim, abstracts):
    """How often each cited sentence stands, under the numbers of its rationales."""
    found = Counter()
    for instance in claim.instances:
        for annotation in instance.annotations:
            numbers = {}
            for number, rationale in enumerate(annotation.evidence, start=1):
                for cited in rationale:
                    numbers.setdefault((cited.paragraph, cited.external), []).append(str(number))
            for (doc, sentence), sets in numbers.items():
                found[one_line(abstracts[doc][int(sentence)]), ", ".join(sets)] += 1
    return found


def test_pages_of_claims_mark_the_sentences_of_each_rationale(tmp_path, sign_in):
    """Of the first claims; every other sentence of their abstracts is unmarked."""
    with shared_data("scifact", "claims_train.jsonl").open() as lines:
        claims = write_lines(tmp_path, *(line.rstrip("\n") for line in islice(lines, SHOWN)))
    read = list(read_claims([claims], "scifact"))
    wanted = {instance.name for claim in read for instance in claim.instances}
    packed = shared_data("scifact", "scifact_hf_csv.zip")
    corpus = corpus_file(packed, tmp_path, wanted=wanted)
    call_command("import_corpus", "abstracts", str(corpus), format="scifact", undated=True)
    run("scifact", claims, format="scifact", corpus="abstracts")
    abstracts = {str(each["doc_id"]): each["abstract"]
                 for each in map(json.loads, corpus.read_text().splitlines())}  # fmt: skip
    campaign = Campaign.objects.get(slug="scifact")
    make_member(campaign, "mia", role="manager")
    mia = sign_in("mia")

    expected = {claim.number: marks_of(claim, abstracts) for claim in read}
    shown = {number: Counter(MARK.findall(claim_page(mia, campaign, number)))
             for number in expected}  # fmt: skip

    assert shown == expected
    assert sum(map(len, shown.values())) > SHOWN / 2
