from itertools import pairwise

import pytest

from dictionaries.entities import find_entities, merge_names, query_entities


def names(text, language, **options):
    return query_entities(text, language, **options).names


def test_an_entity_says_where_it_stands():
    text = "PRAHA 18. ledna (ČTK) - Prezident Miloš Zeman přijel do Brna."

    assert all(text[e.start : e.end] == e.text for e in find_entities(text, "cs"))
    assert [e.text for e in find_entities(text, "cs")] == ["Miloš Zeman", "Brna"]


def test_english_names_come_from_the_model_and_the_rules():
    text = "The port of Velmar said U.S. Treasury Secretary James Baker met Hana Kralova in Tokyo."

    assert {"James Baker", "Hana Kralova", "Tokyo", "Velmar"} <= set(names(text, "en"))


def test_entities_do_not_overlap_and_come_in_order():
    text = (
        "George W. Bush met the Bank of Japan's governor and Stennet & Lowe in New York on 3 May."
    )
    found = find_entities(text, "en")

    assert all(a.end <= b.start for a, b in pairwise(found))


def test_a_name_that_the_model_takes_for_a_number_is_a_name():
    assert names("Orst told reporters in Kestrin that eleven sections were short.", "en") == (
        "Orst",
        "Kestrin",
    )


def test_an_english_sentence_does_not_make_its_first_word_a_name():
    assert names("Chief executive Gunnar Lasz said so.", "en") == ("Gunnar Lasz",)


def test_articles_and_possessives_are_trimmed():
    assert "Bank of Japan" in names("He met the Bank of Japan's governor.", "en")


def test_numbers_are_hints_but_no_names_to_search_by():
    text = "Novák dostal 35 hlasů."

    assert "35" in [e.text for e in find_entities(text, "cs")]
    assert names(text, "cs") == ("Novák",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ministr odjel. Podle vlády je konec.", ()),
        ("Česká národní banka zvýšila sazby.", ("Česká národní banka",)),
        ("Dnes jednaly Spojené státy a Evropská unie.", ("Spojené státy", "Evropská unie")),
        ("Žije v Ústí nad Labem.", ("Ústí nad Labem",)),
        ("Jednal Dr. Novák. Potom nikdo.", ("Dr. Novák",)),
        ("Merkelová řekla Babišovi, že přijede.", ("Merkelová", "Babišovi")),
        ("Konzervativní vláda padla.", ()),
    ],
)
def test_czech_names_are_found_by_rules(text, expected):
    assert names(text, "cs") == expected


def test_the_first_word_of_a_sentence_is_a_name_if_it_is_one_elsewhere():
    assert names("Barzanî got ku Barzanî çû Hewlêr.", "ku") == ("Barzanî", "Hewlêr")
    assert names("Serok got ku Barzanî çû Hewlêr.", "ku") == ("Barzanî", "Hewlêr")


def test_german_nouns_after_an_article_are_no_names():
    text = "Der Bundeskanzler Olaf Scholz traf die Minister in Berlin. Die Regierung schwieg."

    assert names(text, "de") == ("Bundeskanzler Olaf Scholz", "Berlin")


def test_a_text_without_capitals_has_no_names():
    assert names("رئيس الوزراء العراقي", "ar") == ()
    assert names("中国政府", "zh") == ()
    assert names("", "en") == ()


def test_contained_names_count_once_with_the_longest_form():
    merged = merge_names(["Merkelová", "Brno", "Angely Merkelové", "Brna"], "cs")

    assert merged == ["Angely Merkelové", "Brno"]


def test_a_long_name_swallows_several_shorter_ones():
    assert merge_names(["Jan", "Novák", "Jan Novák"], "cs") == ["Jan Novák"]


def test_names_that_share_a_word_stay_apart():
    assert merge_names(["Jan Novák", "Petr Novák"], "cs") == ["Jan Novák", "Petr Novák"]


def test_agencies_are_left_out_and_counted():
    found = query_entities("Zeman to řekl ČTK a NPA v Brně.", "cs", own_names=("NPA",))

    assert found.names == ("Zeman", "Brně")
    assert found.left_out == 2


def test_an_agency_behind_the_name_of_a_person_is_told_apart():
    found = query_entities("To včera Milan Nebesář ČTK řekl.", "cs")

    assert found.names == ("Milan Nebesář",)
    assert found.own_names == ("ČTK",)
    assert names("Podle firmy Thomson Reuters to platí.", "cs") == ("Thomson Reuters",)


def test_a_czech_party_is_told_apart_from_its_member():
    text = "Kandidáti byli ODS Václav Klaus a KDU-ČSL Petr Pithart."

    assert names(text, "cs") == ("ODS", "Václav Klaus", "KDU-ČSL", "Petr Pithart")
    assert names("Podle IBM Tower Prague to neplatí.", "en") != ("IBM", "Tower Prague")


def test_a_german_plural_is_no_name():
    text = "Es geht um Wien mit Frauen und Milliarden, und mit Knowm."

    assert {"Frauen", "Milliarden"}.isdisjoint(names(text, "de"))
    assert {"Wien", "Knowm"} <= set(names(text, "de"))


def test_a_contraction_is_no_name():
    assert names("“As an admin, I’m used to it,” Jennifer Moran said. We've met.", "en") == (
        "Jennifer Moran",
    )


def test_an_address_of_the_web_has_no_names():
    assert names("Serok got ku https://example.org/IwAR2aTX_Klnx www.Hewlêr.org", "ku") == ()


def test_at_most_twelve_names_remain_and_the_rest_is_counted():
    syllables = ["Ba", "Ko", "Lu", "Mi", "Re"]
    many = [f"{a}{b.lower()}n" for a in syllables for b in syllables if a != b]
    found = query_entities(f"Přijeli {', '.join(many)}.", "cs")

    assert found.names == tuple(many[:12])
    assert found.left_out == len(many) - 12
