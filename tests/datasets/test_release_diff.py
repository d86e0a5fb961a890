"""What changed between two releases, by hand-made lines."""

from datasets.releases.diff import by_id, changed_claims, side_by_side


def line(number, claim="A.", label="SUPPORTS", split="train", evidence=()):
    return {"id": number, "claim": claim, "label": label, "split": split, "evidence": evidence}


def changes(old, new):
    return changed_claims(by_id(old), by_id(new))


def test_each_kind_of_change_is_told_from_the_others():
    old = [line(1), line(2), line(3), line(4), line(5, evidence=[["a_1"]]), line(6)]
    new = [line(1), line(3, label="REFUTES"), line(4, claim="B."),
           line(5, evidence=[["a_1"], ["b_2", "b_1"]]), line(6, split="dev"), line(7)]  # fmt: skip

    found = changes(old, new)

    assert found == {
        "added": [{"claim": 7, "text": "A.", "label": "SUPPORTS"}],
        "removed": [{"claim": 2, "text": "A.", "label": "SUPPORTS"}],
        "relabelled": [{"claim": 3, "text": "A.", "before": "SUPPORTS", "after": "REFUTES"}],
        "reworded": [{"claim": 4, "text": "B.", "before": "A.", "after": "B."}],
        "evidence_changed": [{"claim": 5, "text": "A.", "came": [["b_1", "b_2"]], "went": []}],
        "moved": [{"claim": 6, "text": "A.", "before": "train", "after": "dev"}],
    }


def test_the_order_of_sets_and_of_what_is_in_them_is_no_change():
    old = line(1, evidence=[["a_1", "a_2"], ["b_1"]])
    new = line(1, evidence=[["b_1"], ["a_2", "a_1"]])

    assert not any(changes([old], [new]).values())


def test_figures_stand_side_by_side_also_where_one_release_has_none():
    old = [{"name": "alpha", "title": "Alpha", "value": 0.5, "n": 10},
           {"name": "fleiss.3", "title": "Fleiss", "value": 0.4, "n": 4}]  # fmt: skip
    new = [{"name": "alpha", "title": "Alpha", "value": 0.625, "n": 12},
           {"name": "ac1", "title": "AC1", "value": None, "n": 12}]  # fmt: skip

    rows = side_by_side(old, new)

    assert [(row["name"], row["difference"]) for row in rows] == [
        ("alpha", 0.125), ("ac1", None), ("fleiss.3", None),
    ]  # fmt: skip
    assert rows[1]["before"] is None
    assert rows[2]["after"] is None


def test_claims_with_texts_as_ids_stand_after_those_with_numbers():
    old = [line("b-2"), line(10), line(2)]

    found = changes(old, [line("b-2", label="REFUTES"), line(3), line("a-1"), line(2, claim="B.")])

    assert [each["claim"] for each in found["added"]] == [3, "a-1"]
    assert [each["claim"] for each in found["removed"]] == [10]
    assert [each["claim"] for each in found["relabelled"]] == ["b-2"]
