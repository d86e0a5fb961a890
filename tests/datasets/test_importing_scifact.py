"""The whole of SciFact: its corpus at sentence level, its claims and rationales on it."""

import pytest
from django.core.management import call_command

from annotation.models import Annotation, EvidenceItem
from tests.datasets.importing import doctor, run
from tests.datasets.scifact import corpus_file
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
