"""Both languages say everything, with the same blanks; what is compiled is what is written."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import tui
from tests.tui.catalogue import MO, PO, french, mo_bytes, po_bytes, updated
from tui.words import Words, ascii_only, first_language, text

if os.environ.get("FARFADET_GOLDEN") == "write":
    PO.write_bytes(po_bytes(updated()))
    MO.write_bytes(mo_bytes(french()))


def pairs() -> Iterator[tuple[str, str]]:
    """Every English text with its French one, plural forms each by itself."""
    for message in french():
        if message.id:
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            strings = message.string if isinstance(message.string, tuple) else (message.string,)
            assert len(ids) == len(strings)
            yield from zip(ids, strings, strict=True)


def blanks(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_the_catalogue_has_the_texts_of_the_code_and_no_others_golden() -> None:
    assert PO.read_bytes() == po_bytes(updated()), "run with FARFADET_GOLDEN=write, then translate"


def test_no_text_is_marked_where_the_catalogue_does_not_look() -> None:
    for path in Path(tui.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            within = ast.walk(node) if isinstance(node, ast.JoinedStr) else ()
            calls = [call.func for call in within if isinstance(call, ast.Call)]
            marks = [name.id for name in calls if isinstance(name, ast.Name)]
            assert not {"N_", "NN_"} & set(marks), f"{path}: inside an f-string"


def test_the_compiled_catalogue_is_up_to_date_golden() -> None:
    assert MO.read_bytes() == mo_bytes(french())


def test_everything_is_said_in_french() -> None:
    assert [english for english, said in pairs() if not said.strip()] == []


def test_a_translation_has_the_blanks_of_its_original() -> None:
    assert [english for english, said in pairs() if blanks(english) != blanks(said)] == []


def test_french_keeps_a_space_before_high_punctuation_on_the_line() -> None:
    assert [said for _, said in pairs() if any(f" {mark}" in said for mark in ":;!?")] == []


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "fr_CA"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "fr"}, "fr"),
    ],
)
def test_the_locale_decides_the_first_language(environ: dict[str, str], language: str) -> None:
    assert first_language(environ) == language


@pytest.mark.parametrize(
    ("environ", "bare"),
    [
        ({}, False),
        ({"LANG": "fr_FR.UTF-8"}, False),
        ({"LANG": "fr_FR"}, False),
        ({"LANG": "fr_FR.ISO-8859-1"}, True),
        ({"LC_ALL": "C", "LANG": "fr_FR.UTF-8"}, True),
        ({"LC_ALL": "C.UTF-8"}, False),
    ],
)
def test_a_terminal_without_unicode_gets_ascii(environ: dict[str, str], bare: bool) -> None:
    assert ascii_only(environ) is bare


def test_things_are_counted_as_each_language_counts() -> None:
    forms = ("Waiting for one more player.", "Waiting for {n} more players.")
    assert Words("en").count(forms, 0) == "Waiting for 0 more players."
    assert Words("fr").count(forms, 1) == "On attend encore un joueur."
    assert Words("fr").count(forms, 3) == "On attend encore 3 joueurs."


def test_a_name_with_braces_is_only_a_name() -> None:
    words = Words("en")
    assert text(words.tell("{who} wins.", who="{0.__class__}")) == "{0.__class__} wins."


@pytest.mark.parametrize(("count", "said"), [(0, ""), (1, "a"), (2, "a et b"), (3, "a, b et c")])
def test_lists_read_as_they_are_spoken(count: int, said: str) -> None:
    items = [((letter, ""),) for letter in "abc"[:count]]
    assert text(Words("fr").several(items)) == said
