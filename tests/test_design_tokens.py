"""The colours of the design: text can be read on its ground in both themes."""

import re
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parent.parent / "static" / "css"
TOKEN = re.compile(r"--([\w-]+):\s*light-dark\(\s*(#[0-9a-f]+)\s*,\s*(#[0-9a-f]+)\s*\)")
COLOURS = {
    name: (light, dark) for name, light, dark in TOKEN.findall((CSS / "tokens.css").read_text())
}
SHEETS = sorted(path.name for path in CSS.glob("*.css"))
THEMES = {"light": 0, "dark": 1}

VERDICTS = ["supports", "refutes", "nei"]
MUTATIONS = [
    "rephrase",
    "negate",
    "substitute-similar",
    "substitute-dissimilar",
    "generalise",
    "specify",
    "tense-shift",
]
TONES = [*VERDICTS, *MUTATIONS, "accent", "good", "warn", "bad"]
WASHES = [f"{name}-wash" for name in [*VERDICTS, *MUTATIONS, "accent", "good", "warn", "bad"]]

TEXT_ON_GROUND = [
    *((ink, ground) for ink in ["ink", "soft"] for ground in ["paper", "sheet", "faint", "mark"]),
    *((ink, wash) for ink in ["ink", "soft"] for wash in WASHES),
    *((tone, f"{tone}-wash") for tone in TONES),
    *((tone, ground) for tone in TONES for ground in ["paper", "sheet", "faint"]),
    *(("on-verdict", verdict) for verdict in VERDICTS),
    *(("on-mutation", mutation) for mutation in MUTATIONS),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("accent-strong", "accent-wash"),
    *((f"on-heat-{step}", f"heat-{step}") for step in range(6)),
    *(("accent", f"{verdict}-wash") for verdict in VERDICTS),
]
EDGE_ON_GROUND = [
    *((edge, ground) for edge in ["edge", "focus"] for ground in ["paper", "sheet", "faint"]),
]


def channel(value):
    """Linear light of one sRGB channel. Source: WCAG 2.2, relative luminance."""
    part = value / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def luminance(colour):
    red, green, blue = (channel(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """Contrast ratio of two colours, 1 to 21. Source: WCAG 2.2, contrast ratio."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_has_the_published_contrast():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "ground"), TEXT_ON_GROUND)
def test_text_can_be_read_on_its_ground(text, ground, theme):
    ratio = contrast(COLOURS[text][THEMES[theme]], COLOURS[ground][THEMES[theme]])

    assert ratio >= 4.5, f"{text} on {ground} in the {theme} theme has {ratio:.2f}:1"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("edge", "ground"), EDGE_ON_GROUND)
def test_edges_of_controls_can_be_seen(edge, ground, theme):
    ratio = contrast(COLOURS[edge][THEMES[theme]], COLOURS[ground][THEMES[theme]])

    assert ratio >= 3, f"{edge} on {ground} in the {theme} theme has {ratio:.2f}:1"


@pytest.mark.parametrize("sheet", sorted(set(SHEETS) - {"tokens.css", "print.css"}))
def test_colours_are_decided_in_the_tokens_alone(sheet):
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(", (CSS / sheet).read_text())


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_custom_property_in_use_is_defined(sheet):
    defined = set()
    for path in CSS.glob("*.css"):
        defined |= set(re.findall(r"(--[\w-]+)\s*:", path.read_text()))

    used = set(re.findall(r"var\((--[\w-]+)", (CSS / sheet).read_text()))

    assert used <= defined


@pytest.mark.parametrize("sheet", SHEETS)
def test_sides_are_logical_so_that_any_text_direction_works(sheet):
    physical = r"(margin|padding|border)-(left|right)|text-align:\s*(left|right)|^\s*(left|right):"

    assert not re.findall(physical, (CSS / sheet).read_text(), re.MULTILINE)
