"""No text from anybody else can do anything to a terminal but be read."""

from __future__ import annotations

from unicodedata import category, is_normalized

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.text import MARKS, plain, safe


@given(st.text(), st.integers(1, 40))
def test_whatever_is_given_comes_out_harmless_short_and_composed(text: str, cells: int) -> None:
    clean = safe(text, cells)
    assert cell_len(clean) <= cells
    assert not [char for char in clean if category(char)[0] == "C"]
    assert not [char for char in clean if category(char)[0] == "Z" and char != " "]
    assert is_normalized("NFC", clean)
    assert clean == clean.strip()
    run = 0
    for char in clean:
        run = run + 1 if category(char)[0] == "M" else 0
        assert run <= MARKS


@given(st.text(), st.integers(1, 40))
def test_cleaning_twice_changes_nothing(text: str, cells: int) -> None:
    assert safe(safe(text, cells), cells) == safe(text, cells)


@pytest.mark.parametrize(
    ("hostile", "clean"),
    [
        ("\x1b]0;owned\x07Bo", "]0;ownedBo"),
        ("\x9b2JBo", "2JBo"),
        ("Bo\u202eevil", "Boevil"),
        ("B\u200bo", "Bo"),
        ("Bo\r\n\tDan", "Bo Dan"),
        ("e\u0301", "é"),
        ("a" + "\u0335" * 50, "a" + "\u0335" * MARKS),
        ("\u3164\u2800", ""),
        ("[b]Bo[/b]", "[b]Bo[/b]"),
        ("Bartholomew the Great", "Bartholomew…"),
        ("東京東京東京東京", "東京東京東…"),
    ],
)
def test_tricks_become_text(hostile: str, clean: str) -> None:
    assert safe(hostile, 12) == clean


@given(st.text())
def test_plain_text_is_ascii(text: str) -> None:
    assert plain(text).isascii()
