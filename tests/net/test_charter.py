"""The charter: exactly one table id for its terms, and no seat in it that is not sound."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from net.people.identity import Identity
from net.play.charter import Charter, read_charter, words
from net.play.local import sit_down
from net.play.wire import Refusal, pack, unpack
from rules.bots import bot
from rules.bots.chooser import Dice
from tests.sim.nodes import agreed

SEED = 20261130
GAME = rules.load("taverne")
CHARTER, PLAYERS = agreed(SEED, 3, GAME)


def with_chair(charter: Charter, seat: int, **changes: Any) -> Charter:
    """``charter`` with something changed in one chair."""
    chairs = list(charter.chairs)
    chairs[seat] = replace(chairs[seat], **changes)
    return replace(charter, chairs=tuple(chairs))


def refused(charter: Charter) -> str:
    """Why the game cannot be played on these terms."""
    with pytest.raises(Refusal) as caught:
        charter.check(GAME)
    return caught.value.code


def test_a_charter_is_read_as_it_was_written() -> None:
    assert read_charter(CHARTER.data()) == CHARTER
    assert CHARTER.names == ("seat 0", "seat 1", "seat 2")
    CHARTER.check(GAME)


def test_every_field_is_in_the_tables_id() -> None:
    other = agreed(SEED + 1, 3, GAME)[0].chairs[1]
    changed = [
        replace(CHARTER, room="ELSEWHERE"),
        replace(CHARTER, game="gnomia"),
        replace(CHARTER, rules=CHARTER.rules + 1),
        replace(CHARTER, deck="other cards"),
        replace(CHARTER, chairs=CHARTER.chairs[:2]),
        replace(CHARTER, chairs=CHARTER.chairs[::-1]),
        *(
            with_chair(CHARTER, 1, **{name: getattr(other, name)})
            for name in ("identity", "key", "nonce", "certificate")
        ),
        with_chair(CHARTER, 1, name="somebody"),
    ]
    assert len({charter.table for charter in (CHARTER, *changed)}) == 1 + len(changed)


def test_terms_that_cannot_be_played_say_why() -> None:
    other = agreed(SEED + 1, 3, GAME)[0].chairs[1]
    chair = CHARTER.chairs[1]
    assert refused(replace(CHARTER, game="gnomia")) == "other-game"
    assert refused(replace(CHARTER, rules=CHARTER.rules + 1)) == "other-rules"
    assert refused(replace(CHARTER, deck="other cards")) == "other-deck"
    assert refused(replace(CHARTER, chairs=CHARTER.chairs[:2])) == "seats"
    assert refused(replace(CHARTER, chairs=(*CHARTER.chairs, chair))) == "same-key"
    assert refused(replace(CHARTER, chairs=())) == "seats"
    for changes in (
        {"identity": other.identity},
        {"key": other.key},
        {"nonce": other.nonce},
        {"certificate": other.certificate},
        {"name": "Seat 1"},
    ):
        assert refused(with_chair(CHARTER, 1, **changes)) == "bad-certificate"
    assert refused(replace(CHARTER, room="ELSEWHERE")) == "bad-certificate"


@pytest.mark.parametrize("weak", [bytes(32), b"\x01" + bytes(31), b"\xff" * 32])
def test_keys_that_sign_anything_have_no_seat(weak: bytes) -> None:
    assert refused(with_chair(CHARTER, 1, key=weak)) == "bad-key"
    assert refused(with_chair(CHARTER, 1, identity=weak)) == "bad-key"


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_no_charter(data: bytes) -> None:
    with pytest.raises(Refusal):
        read_charter(data)


DECK = [4]
"""Where a charter has the bytes of its deck: any bytes that are text are as good as others."""


def test_a_deck_that_is_no_text_is_refused() -> None:
    fields = unpack(CHARTER.data())
    fields[DECK[0]] = b"\xff"
    with pytest.raises(Refusal, match="deck"):
        read_charter(pack(fields))


@pytest.mark.parametrize("value", [True, 2, -1, None, b"", "x", [], [[]], "n" * 65, bytes(33)])
def test_a_wrong_value_in_any_place_of_a_charter_is_refused(value: object) -> None:
    for place in (*([at] for at in range(6)), *([5, 1, at] for at in range(5))):
        fields = unpack(CHARTER.data())
        inner = fields
        for at in place[:-1]:
            inner = inner[at]
        same = type(inner[place[-1]]) is type(value)
        if same and (place == DECK or not isinstance(value, bytes | bool)):
            continue
        inner[place[-1]] = value
        with pytest.raises(Refusal):
            read_charter(pack(fields))


def test_every_flipped_bit_of_a_charter_is_refused_or_makes_another_table() -> None:
    data = CHARTER.data()
    for at in range(len(data)):
        for bit in range(8):
            flipped = data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
            try:
                charter = read_charter(flipped)
            except Refusal:
                continue
            assert charter.data() == flipped
            assert charter.table != CHARTER.table


def test_the_words_are_four_easy_to_say_and_stay_what_they_are() -> None:
    assert words(bytes(32)) == "nusaz matub pohaz mutar"
    seen = {words(bytes([n]) * 32) for n in range(256)}
    assert len(seen) == 256
    word = "[bdfghjklmnprstvz][aiou]" * 2 + "[bdfghjklmnprstvz]"
    assert all(re.fullmatch(f"{word}( {word}){{3}}", said) for said in seen)


def test_a_name_of_any_length_makes_a_charter_that_can_be_read_again() -> None:
    for name in ("n" * 500, "\N{WINE GLASS}" * 500, ""):
        identity = Identity.fresh(name)
        bots = [("b" * 99, bot("random", Dice("x"))) for _ in range(2)]
        charter = sit_down(GAME, identity, bots, None).table.charter
        assert read_charter(charter.data()) == charter
