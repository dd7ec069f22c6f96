"""The two written forms of values: what goes out comes back, and nothing else comes in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.form import EVENTS, fingerprint, from_plain, from_text, plain, text
from rules.game import Chosen, Dealt, Line, Malformed, Opened, Result, Score, Shuffled
from rules.taverne import Character, Mushroom, Protect, Serve, State

MOVES = (Mushroom, Character, Protect, Serve)


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True, slots=True)
class Inner:
    colour: Colour
    name: str | None


@dataclass(frozen=True, slots=True)
class Outer:
    number: int
    sure: bool
    pair: tuple[int, str]
    many: tuple[Inner, ...]
    either: Inner | int


inners = st.builds(Inner, st.sampled_from(Colour), st.none() | st.text(max_size=8))
outers = st.builds(
    Outer,
    st.integers(-(2**40), 2**40),
    st.booleans(),
    st.tuples(st.integers(), st.text(max_size=8)),
    st.lists(inners, max_size=4).map(tuple),
    inners | st.integers(),
)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inside: (
        st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=3), inside, max_size=2)
    ),
    max_leaves=20,
)


@given(outers)
def test_values_come_back_from_both_forms(value: Outer) -> None:
    assert from_plain(Outer, plain(value)) == value
    assert from_text(Outer, text(value)) == value
    assert "\n" not in text(value)


@given(outers, outers)
def test_different_values_have_different_forms(one: Outer, other: Outer) -> None:
    same = one == other
    assert (text(one) == text(other)) is same
    assert (fingerprint(one) == fingerprint(other)) is same


@given(junk)
def test_junk_is_malformed_and_nothing_worse(data: Any) -> None:
    for types in (Outer, State, MOVES, EVENTS):
        try:
            value = from_plain(types, data, MOVES)
        except Malformed:
            continue
        assert plain(value) == data


@given(st.text() | st.from_regex(r"(Mushroom|Serve|Shuffled)\([^)]{0,20}\)"))
def test_junk_text_is_malformed_and_nothing_worse(line: str) -> None:
    try:
        value = from_text((*MOVES, *EVENTS), line, MOVES)
    except Malformed:
        return
    assert text(value) == line


def test_the_forms_are_what_people_and_machines_expect() -> None:
    event = Chosen(((0, Mushroom(2)), (1, Serve((1, 0)))))
    assert plain(event) == ["Chosen", [[0, ["Mushroom", 2]], [1, ["Serve", [1, 0]]]]]
    assert text(event) == "Chosen(((0, Mushroom(2)), (1, Serve((1, 0)))))"
    for other in (Shuffled((1, 2)), Dealt((3,), 0), Opened(((3, 1),))):
        assert from_text(EVENTS, text(other)) == other
    result = Result((Score(0, 5, 1, (Line("set", 1, 5),)),))
    assert from_plain(Result, plain(result)) == result


@pytest.mark.parametrize(
    "data",
    [
        ["Mushroom"],
        ["Mushroom", 1, 2],
        ["Mushroom", True],
        ["Mushroom", "1"],
        ["Mushroom", 1.0],
        ["Mushrooms", 1],
        ["Serve", 1],
        ["Serve", [[1]]],
        ["State"],
        [["Mushroom", 1]],
        "Mushroom",
        None,
        {},
    ],
)
def test_a_move_that_is_nearly_right_is_malformed(data: Any) -> None:
    with pytest.raises(Malformed):
        from_plain(MOVES, data)


@pytest.mark.parametrize(
    "line",
    [
        "Mushroom( 1)",
        "Mushroom(index=1)",
        "Mushroom(01)",
        "Mushroom(0x1)",
        "Mushroom(1);",
        "Mushroom(__import__('os'))",
        "rules.Mushroom(1)",
        "Mushroom(*(1,))",
        "(" * 5000,
        "Serve((" + "1, " * 40000 + "))",
    ],
)
def test_text_is_read_to_the_letter_and_never_run(line: str) -> None:
    with pytest.raises(Malformed):
        from_text(MOVES, line)


def test_bottomless_data_is_malformed() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    for types in (Outer, State, MOVES, EVENTS):
        with pytest.raises(Malformed):
            from_plain(types, deep, MOVES)


def test_what_is_not_built_of_plain_parts_has_no_form() -> None:
    for value in (1.5, b"bytes", [1], {1: 2}, object()):
        with pytest.raises(Malformed, match="not-plain"):
            plain(value)
        with pytest.raises(Malformed, match="not-plain"):
            text(value)
