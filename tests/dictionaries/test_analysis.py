import pytest

from dictionaries.analysis import (
    analyser_for,
    base_language,
    czech_stem,
    dateline_end,
    fingerprint,
    text_hash,
    without_accents,
)


def canonical(text, language):
    return [term.canonical for term in analyser_for(language).terms(text)]


@pytest.mark.parametrize(
    "forms",
    [
        "Zeman Zemana Zemanem Zemanovi Zemane",
        "Babiš Babiše Babišem Babišovi",
        "Topolánek Topolánka Topolánkem",
        "Vaněk Vaňka Vaňkem",
        "Merkelová Merkelové Merkelovou",
        "Obama Obamy Obamou",
        "Praha Prahy Praze Prahou",
        "ČEZ ČEZu ČEZem",
    ],
)
def test_case_forms_of_a_czech_name_share_one_term(forms):
    assert len(set(canonical(forms, "cs"))) == 1


def test_a_name_and_another_name_do_not_share_a_term():
    assert len(set(canonical("Zeman Klaus Havel", "cs"))) == 3


def test_english_plurals_and_possessives_meet_their_word():
    assert canonical("ministers minister's MINISTER", "en") == ["minister"] * 3


def test_a_word_is_also_found_without_accents():
    (term,) = analyser_for("cs").terms("čtvrť")

    assert term.canonical == "čtvrť"
    assert "ctvrt" in term.others


def test_numbers_and_hyphens_are_kept():
    assert canonical("F-16, 11,1 a 2:1, 35procentní", "cs")[:3] == ["f-16", "11,1", "2:1"]


def test_parts_of_a_hyphenated_word_are_found_too():
    (term,) = analyser_for("en").terms("Alsace-Lorraine")

    assert {"alsace", "lorraine"} <= set(term.others)


def test_an_abbreviation_with_full_stops_meets_the_one_without():
    assert canonical("U.S.", "en") == canonical("US", "en") == ["us"]


def test_stop_words_are_dropped_unless_in_capitals():
    assert canonical("The WHO told us that it is the IT", "en") == ["who", "it"]


def test_an_english_name_is_no_irregular_form_of_a_word():
    assert canonical("Fed", "en") == ["fed"]
    assert canonical("fed Reports Studies", "en") == ["feed", "report", "study"]


def test_an_unknown_language_is_lower_cased_words():
    assert canonical("Serokê Kurdistanê", "ku") == ["serokê", "kurdistanê"]
    assert canonical("Xyz Abc", "") == ["xyz", "abc"]


def test_a_script_without_spaces_is_cut_into_pairs_of_characters():
    assert canonical("中国政府", "zh") == ["中国", "国政", "政府"]


def test_arabic_words_are_terms():
    assert len(canonical("رئيس الوزراء العراقي", "ku")) == 3


@pytest.mark.parametrize(
    ("code", "expected"), [("cs-CZ", "cs"), ("en_US", "en"), ("DE", "de"), ("", "")]
)
def test_a_language_code_is_reduced_to_its_language(code, expected):
    assert base_language(code) == expected


def test_accents_go_and_letters_stay():
    assert without_accents("Łódź, Příbram, naïve, straße") == "Lodz, Pribram, naive, strasse"


def test_signs_that_carry_sound_stay_in_scripts_that_need_them():
    assert without_accents("हिन्दी") == "हिन्दी"


def test_a_stem_keeps_three_letters():
    assert czech_stem("oko") == "oko"
    assert czech_stem("babišem") == "babiš"


@pytest.mark.parametrize(
    "line",
    [
        "PRAHA 18. ledna (ČTK) - ",
        "TEMELÍN (okres České Budějovice) 25. února (ČTK) - ",
        "Madison (USA) 22. listopadu (ČTK) - ",
        "SALVADOR, Feb 26 - ",
        "NEW YORK, March 3 (Reuters) -- ",
        "Kestrin, 3 May (NPA) – ",
        "WASHINGTON - ",
        "MISSISSAUGA, Ontario, March 5 - ",
        "BRANCHVILLE, N.J., Feb 26 - ",
        "ESCHBORN, West Germany, March 2 - ",
    ],
)
def test_a_dateline_is_recognised(line):
    assert dateline_end(line + "The talks failed.") == len(line)


@pytest.mark.parametrize(
    "text",
    [
        "The U.S. - China deal failed.",
        "IBM, Dell and HP - all three - agreed.",
        "OPEC - which met today - agreed.",
        "Nothing here.",
        "",
    ],
)
def test_other_dashes_are_no_dateline(text):
    assert dateline_end(text) == 0


def test_a_fingerprint_ignores_case_punctuation_and_dateline():
    one = fingerprint("PRAHA 18. ledna (ČTK) - Vláda padla, řekl Novák.")
    other = fingerprint("Vláda PADLA - řekl  Novák")

    assert one.normal == other.normal
    assert one.tokens.tolist() == other.tokens.tolist()


def test_a_fingerprint_marks_words_with_digits():
    tokens = fingerprint("In 2019 five met").tokens

    assert (tokens & 1).sum() == 1


def test_a_text_hash_sees_every_character():
    assert text_hash("A b") != text_hash("a b")
