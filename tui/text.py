"""Makes text from other people harmless: the one door between the network and the screen.

A name can carry codes that move the cursor, turn the reading direction, or pile a hundred accents
on one letter. ``safe`` drops all of that; what comes out is plain text of a known width. It is
still only text: widgets are given it as ``Content`` or drawn cells, never as markup.
"""

from __future__ import annotations

from typing import Final
from unicodedata import category, normalize

from rich.cells import cell_len

MARKS: Final = 2
"""Most accents that may sit on one letter."""

CUT: Final = "…"
"""Stands at the end of a text that was too long."""

_FLAG_A, _FLAG_Z = "\U0001f1e6", "\U0001f1ff"
"""The letters of which flags are made."""

_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or symbols and show nothing."""


def safe(text: str, cells: int) -> str:
    """``text`` on one line of at most ``cells`` (1 or more) cells, composed (NFC).

    Control, format, surrogate, private and unassigned characters, variation selectors and blank
    letters are gone; any run of white space is one space. Text that was cut ends in ``CUT``.
    """
    return _cut(normalize("NFC", " ".join(harmless(text).split())), cells)


def harmless(text: str) -> str:
    """As ``safe``, but as long as it was and with its white space: for what is still written."""
    kept, marks = [], MARKS
    for char in normalize("NFC", _visible(text)):
        if category(char).startswith("M"):
            marks += 1
            if marks > MARKS:
                continue
        else:
            marks = 0
        kept.append(char)
    return "".join(kept)


def plain(text: str) -> str:
    """``text`` in ASCII, for terminals with nothing else: accents go, the unknown is ``?``."""
    bare = "".join(char for char in normalize("NFKD", text) if not category(char).startswith("M"))
    return bare.encode("ascii", "replace").decode("ascii")


def wrap(text: str, cells: int) -> list[str]:
    """``text`` in lines of at most ``cells``, broken at blanks; a longer word has its own line."""
    lines = [""]
    for word in text.split(" "):
        if cell_len(lines[-1]) + 1 + cell_len(word) > cells:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _visible(text: str) -> str:
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    kind = category(char)
    if kind.startswith("Z") or char in "\t\n\r\v\f":
        return " "
    if kind.startswith("C") or char in _BLANKS:
        return ""
    if _FLAG_A <= char <= _FLAG_Z:
        # Two of them are a flag of one or of two cells, as each terminal likes it.
        return chr(ord("A") + ord(char) - ord(_FLAG_A))
    # Marks without width are accents and are counted; other characters without width hide.
    if cell_len(char) == 0 and kind != "Mn":
        return ""
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return ""
    return char


def _cut(text: str, cells: int) -> str:
    if cell_len(text) <= cells:
        return text
    while text and cell_len(text) > cells - 1:
        text = text[:-1]
    return text.rstrip() + CUT
