"""What all texts have in common: their clean form, what may not be typed, when two are equal."""

import re
import unicodedata
from hashlib import sha256

import regex

BREAKS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
BLANKS = re.compile("[\t\x1f]")
# Controls, direction marks and overrides, zero-width and other unseen characters, surrogates and
# non-characters. The two joiners (200C, 200D) stay: Persian, Kurdish, Hindi and emoji need them.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
JOINERS = re.compile("[\u200c\u200d]")
JOINED_SCRIPTS = regex.compile(
    r"[\p{Arabic}\p{Syriac}\p{Mongolian}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}"
    r"\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}\p{Tibetan}"
    r"\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Mn}]"
)
NAMES = {0: "NULL", 9: "CHARACTER TABULATION", 0x7F: "DELETE", 0x85: "NEXT LINE"}

QUOTES = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)


def clean_text(text: str) -> str:
    """`text` in NFC, trimmed, lines ended by \\n, without control or unseen characters.

    A tab becomes a blank. Nothing visible is changed, so that a citation stays what it was.
    """
    if not (text.isascii() and text.isprintable()):
        text = BLANKS.sub(" ", BREAKS.sub("\n", text))
        text = UNSEEN.sub("", unicodedata.normalize("NFC", text))
        # a mark that was kept apart by a removed character now meets its letter
        text = unicodedata.normalize("NFC", text)
    return text.strip()


def one_line(text: str) -> str:
    """clean_text with every run of white space as one blank: titles, names, flowing prose."""
    return " ".join(clean_text(text).split())


def forbidden_characters(text: str) -> list[str]:
    """The names of the characters that typed text may not hold, each once, in order.

    Line ends are allowed, and joiners where their script or emoji needs them; tabs are not.
    Such as 'NULL (U+0000)' or 'RIGHT-TO-LEFT OVERRIDE (U+202E)'.
    """
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    found = [match.group() for match in UNSEEN.finditer(unified)]
    found += ["\t"] * ("\t" in unified)
    found += [m.group() for m in JOINERS.finditer(unified) if not joins(unified, m.start())]
    return [character_name(character) for character in dict.fromkeys(found)]


def joins(text: str, position: int) -> bool:
    """Whether the joiner at `position` stands after a letter or emoji of a script that joins."""
    before = text[position - 1 : position].replace("\ufe0f", "") or text[max(position - 2, 0)]
    return position > 0 and bool(JOINED_SCRIPTS.match(before))


def character_name(character: str) -> str:
    code = ord(character)
    name = NAMES.get(code) or unicodedata.name(character, "") or unnamed(code)
    return f"{name} (U+{code:04X})"


def unnamed(code: int) -> str:
    if 0xD800 <= code <= 0xDFFF:
        return "LONE SURROGATE"
    return "CONTROL CHARACTER" if code < 0xA0 else "UNSEEN CHARACTER"


def has_lone_surrogate(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def normalised(text: str) -> str:
    """The form under which two texts count as equal.

    Case, white space, compatibility forms, the shapes of quotes and dashes, unseen characters
    and a final full stop make no difference; every other character does.
    """
    folded = unicodedata.normalize("NFKC", clean_text(text).translate(QUOTES)).casefold()
    plain = JOINERS.sub("", unicodedata.normalize("NFKC", folded))
    return " ".join(plain.split()).rstrip(".").rstrip()


def text_hash(text: str) -> str:
    """SHA-256 of the normalised text, as 64 hexadecimal digits."""
    return sha256(normalised(text).encode("utf-8")).hexdigest()
