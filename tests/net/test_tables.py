"""What a host says of its open table: exactly so, and neither too often nor too late."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.signing import SigningKey

import rules
from net.link.address import Broker
from net.meeting import tables
from net.meeting.seating import Offer, room_of
from net.meeting.tables import (
    CHANGE_EVERY,
    DOMAIN,
    LONGEST,
    LONGEST_OPEN,
    MOST_SEATS,
    NAME,
    RENEW_EVERY,
    OpenTable,
    Poster,
    Sitter,
    announcement,
    read_table,
)
from net.play.wire import Refusal, pack
from rules.form import fingerprint
from rules.gobelin.deck import write_deck

HOST = SigningKey(b"h" * 32)
ROOM = room_of(bytes(HOST.verify_key))
ELSEWHERE = "ABCDEFGHIJKLMNOP"
GAME = rules.load("taverne")
ANA, BO, BOT = Sitter("Ana", False), Sitter("Bo", False), Sitter("Puck", True)
TABLE = OpenTable(
    ROOM, b"k" * 16, "taverne", 1, b"", 4, (ANA, BOT), (60, b"", True), 1_000, 1_090, False
)


def announced(**changes: Any) -> bytes:
    """An announcement of ``TABLE``, signed after the ``changes`` were made."""
    fields = {
        "word": "table",
        "room": ROOM,
        "host": bytes(HOST.verify_key),
        "key": b"k" * 16,
        "what": ["taverne", 1, b"", 4],
        "terms": [60, b"", 1],
        "guests": [["Ana", 0], ["Puck", 1]],
        "times": [1_000, 1_090, 0],
    }
    raw = pack(list((fields | changes).values()))
    return raw + HOST.sign(DOMAIN + raw).signature


def test_an_announcement_is_read_as_it_was_made() -> None:
    assert announced() == announcement(HOST, TABLE)
    assert read_table(ROOM, announced()) == TABLE
    assert (TABLE.free, TABLE.age(1_100), TABLE.age(900)) == (2, 100, 0)
    assert replace(TABLE, begun=True).free == 0


def test_it_leads_to_the_table_through_the_broker_where_it_was_found() -> None:
    broker = Broker.parse("mqtts://a.example.net,b.example.net:8884")
    told = TABLE.invitation(broker)
    assert (told.room, told.key, told.broker) == (ROOM, b"k" * 16, broker)


@given(
    st.lists(
        st.tuples(st.text(st.characters(exclude_categories=["Cs"]), max_size=64), st.booleans()),
        min_size=1,
        max_size=MOST_SEATS,
    )
)
def test_whatever_the_guests_are_called_it_fits_and_is_read(names: list[tuple[str, bool]]) -> None:
    sitters = tuple(Sitter(name, bot) for name, bot in names)
    data = announcement(HOST, replace(TABLE, seats=MOST_SEATS, guests=sitters))
    assert len(data) <= LONGEST
    found = read_table(ROOM, data).guests
    assert found == tuple(Sitter(name[:NAME], bot) for name, bot in names)


def test_the_longest_names_fit() -> None:
    sitters = (Sitter("🧌" * 64, False),) * MOST_SEATS
    table = replace(TABLE, seats=MOST_SEATS, guests=sitters, deck=bytes(32), game="g" * 32)
    referee = bytes(SigningKey(b"r" * 32).verify_key)
    longest = replace(table, terms=(86_400, referee, True), since=2**40, at=2**40, begun=True)
    assert len(announcement(HOST, longest)) <= LONGEST
    assert len(read_table(ROOM, announcement(HOST, longest)).guests) == MOST_SEATS


@pytest.mark.parametrize(
    "changes",
    [
        {"word": "referee"},
        {"room": ELSEWHERE},
        {"host": bytes(SigningKey(b"x" * 32).verify_key)},
        {"host": bytes(32)},
        {"host": b""},
        {"key": bytes(15)},
        {"key": "k" * 16},
        {"what": ["taverne", 1, b""]},
        {"what": ["", 1, b"", 4]},
        {"what": ["g" * 33, 1, b"", 4]},
        {"what": ["taverne", -1, b"", 4]},
        {"what": ["taverne", 1, b"deck", 4]},
        {"what": ["taverne", 1, b"", 1]},
        {"what": ["taverne", 1, b"", MOST_SEATS + 1]},
        {"what": "taverne"},
        {"terms": [5, b"", 0]},
        {"terms": [60, bytes(32), 0]},
        {"terms": [60, b"", 2]},
        {"terms": []},
        {"guests": []},
        {"guests": [["Ana", 0]] * 5},
        {"guests": [["A" * 25, 0]]},
        {"guests": [["Ana", 2]]},
        {"guests": [[b"Ana", 0]]},
        {"guests": ["Ana"]},
        {"times": [1_091, 1_090, 0]},
        {"times": [-1, 1_090, 0]},
        {"times": [0, LONGEST_OPEN + 1, 0]},
        {"times": [1_000, 1_090, 2]},
        {"times": [1_000, 1_090]},
        {"more": 1},
    ],
)
def test_an_announcement_with_anything_wrong_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        read_table(ROOM, announced(**changes))


def test_an_announcement_is_worth_nothing_in_anothers_place() -> None:
    with pytest.raises(Refusal):
        read_table(ELSEWHERE, announced())


def test_every_flipped_bit_of_an_announcement_is_refused() -> None:
    data = announced()
    for at in range(len(data)):
        for bit in range(8):
            with pytest.raises(Refusal):
                read_table(ROOM, data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])


@given(st.binary(max_size=2 * LONGEST))
def test_other_bytes_are_no_announcement(data: bytes) -> None:
    with pytest.raises(Refusal):
        read_table(ROOM, data)


# When it is said.


def poster(watched: bool = True) -> Poster:
    """That of a host who wants four at the table."""
    made = Poster(HOST, b"k" * 16, Offer(GAME, 4, limit=60), watched=watched)
    made.seat([ANA])
    return made


def said(made: Poster, now: float, at: float) -> OpenTable | None:
    """What it says then, read."""
    data = made.tick(now, at)
    assert data != b""
    return None if data is None else read_table(ROOM, data)


def test_a_table_is_announced_at_once_and_then_as_long_as_it_is_open() -> None:
    made = poster()
    first = said(made, 7.0, 1_000.5)
    assert first is not None
    assert (first.game, first.rules, first.deck, first.seats) == ("taverne", GAME.version, b"", 4)
    assert (first.guests, first.terms, first.begun) == ((ANA,), (60, b"", False), False)
    assert (first.since, first.at) == (1_000, 1_000)
    assert said(made, 7.0 + RENEW_EVERY - 0.1, 1_020) is None
    again = said(made, 7.0 + RENEW_EVERY, 1_020.5)
    assert again == replace(first, at=1_020)


def test_a_change_is_announced_soon_but_many_changes_only_once() -> None:
    made = poster()
    said(made, 0.0, 1_000)
    made.seat([ANA, BO])
    made.seat([ANA, BO, BOT])
    assert said(made, CHANGE_EVERY / 2, 1_000.5) is None
    found = said(made, CHANGE_EVERY, 1_001)
    assert found is not None
    assert found.guests == (ANA, BO, BOT)
    made.seat([ANA, BO, BOT])
    assert said(made, 3 * CHANGE_EVERY, 1_003) is None


def test_another_number_of_seats_is_announced_and_the_same_is_not() -> None:
    made = poster()
    assert made.tick(0.0, 1_000.0)
    made.amend(Offer(GAME, 4, limit=60))
    assert made.tick(CHANGE_EVERY, 1_000.0 + CHANGE_EVERY) is None
    made.amend(Offer(GAME, 3, limit=120))
    told = made.tick(CHANGE_EVERY, 1_000.0 + CHANGE_EVERY)
    assert told is not None
    table = read_table(ROOM, told)
    assert (table.seats, table.terms[0]) == (3, 120)


def test_a_new_link_is_told_everything_again() -> None:
    made = poster()
    said(made, 0.0, 1_000)
    made.hurry()
    found = said(made, 2.0, 1_002)
    assert found is not None
    assert found.at == 1_002


def test_a_game_that_has_begun_stays_until_it_ends() -> None:
    made = poster()
    said(made, 0.0, 1_000)
    made.begin()
    playing = said(made, 2.0, 1_002)
    assert playing is not None
    assert playing.begun
    made.end()
    assert made.tick(2.1, 1_002.1) == b""
    assert made.tick(99.0, 1_099) is None
    made.end()
    assert made.tick(100.0, 1_100) is None
    made.hurry()
    assert made.tick(101.0, 1_101) == b""


def test_a_game_that_nobody_may_watch_is_taken_back_when_it_begins() -> None:
    made = poster(watched=False)
    said(made, 0.0, 1_000)
    made.begin()
    assert made.tick(0.1, 1_000.1) == b""


def test_a_clock_that_is_set_back_makes_nothing_old() -> None:
    made = poster()
    first = said(made, 0.0, 5_000)
    second = said(made, 100.0, 1_000)
    third = said(made, 200.0, 9_000)
    assert first is not None
    assert second is not None
    assert third is not None
    assert first.at < second.at < third.at
    assert [found.at - found.since for found in (first, second, third)] == [0, 100, 200]


def test_other_cards_are_announced_by_their_mark() -> None:
    game = rules.load("gobelin", write_deck(rules.load("gobelin").cards[::-1]))  # type: ignore[attr-defined]
    made = Poster(HOST, b"k" * 16, Offer(game, 3))
    made.seat([ANA])
    found = said(made, 0.0, 1_000)
    assert found is not None
    assert found.deck == fingerprint(game.deck)
    assert tables.ANNOUNCED.encode() in announcement(HOST, found)
