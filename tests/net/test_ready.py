"""Before the game: who is not ready is waited for; a host changes its mind about the table."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from net.meeting.gathering import Gathering
from net.meeting.invitation import Invitation
from net.meeting.seating import SILENT_AFTER, Seating
from net.play.wire import SIGNATURE, unpack
from tests.net.test_room import GAME, OFFER, gather, guests, taken

SEED = 20261130


def talk(seatings: list[Seating], start: float, seconds: float) -> float:
    """Let them hear each other for so long; returns the time then."""
    now = start
    while now < start + seconds:
        now += 0.25
        for speaking in seatings:
            for data in speaking.tick(now):
                for hearing in seatings:
                    hearing.receive(data, now)
    return now


def ready(seating: Seating) -> list[bool]:
    """Who is ready, by seat, as ``seating`` sees it."""
    assert seating.plan is not None
    return [hello.ready for hello in seating.plan.hellos]


@pytest.mark.parametrize("late", [0, 1, 2], ids=["host", "first guest", "last guest"])
def test_a_full_table_waits_for_whoever_is_not_ready(late: int) -> None:
    seatings = guests("ABC")
    seatings[late].get_ready(False)
    now = talk(seatings, 0.0, 10 * SILENT_AFTER)
    expected = [at != late for at in range(3)]
    for seating in seatings:
        assert taken(seating) == 3
        assert sorted(ready(seating)) == sorted(expected)
        assert seating.charter is None
        assert seating.refusal is None
    seatings[late].get_ready(True)
    talk(seatings, now, 10.0)
    assert len({seating.charter for seating in seatings}) == 1
    assert seatings[0].charter is not None


def test_one_can_change_ones_mind_as_often_as_one_likes_until_all_are_ready() -> None:
    seatings = host, bo, chloe = guests("ABC")
    chloe.get_ready(False)
    now = talk(seatings, 0.0, 3.0)
    for wanted in (False, True, True, False):
        bo.get_ready(wanted)
        assert bo.ready is wanted
        now = talk(seatings, now, 3.0)
        assert host.plan is not None
        assert {hello.name: hello.ready for hello in host.plan.hellos}["B"] is wanted
    bo.get_ready(True)
    chloe.get_ready(True)
    now = talk(seatings, now, 5.0)
    agreed = host.charter
    assert agreed is not None
    chloe.get_ready(False)
    assert chloe.ready
    talk(seatings, now, 5.0)
    assert {seating.charter for seating in seatings} == {agreed}


def test_what_a_guest_said_before_does_not_count_when_it_is_said_again() -> None:
    seatings = host, bo, chloe = guests("ABC")
    old = [data for data in bo.tick(0.1) if unpack(data[:-SIGNATURE])[0] == "hello"]
    assert old
    bo.get_ready(False)
    now = talk(seatings, 0.0, 5.0)
    for data in old:
        host.receive(data, now)
    assert ready(host) == [True, False, True]
    assert host.plan is not None
    assert not host.plan.closed
    assert chloe.charter is None


def test_a_fourth_at_a_full_table_that_waits_is_told_so() -> None:
    seatings = guests("ABCD")
    seatings[0].get_ready(False)
    talk(seatings, 0.0, 10.0)
    refused = [seating for seating in seatings if seating.refusal is not None]
    assert [seating.refusal for seating in refused] == ["table-full"]
    assert refused[0] is not seatings[0]


def test_a_host_begins_with_those_who_are_there() -> None:
    four = replace(OFFER, seats=4)
    seatings = host, bo, chloe = guests("ABC", four)
    now = talk(seatings, 0.0, 5.0)
    assert host.charter is None
    host.amend(replace(four, seats=2))
    assert host.offer == four, "two seats for three people"
    host.amend(replace(four, seats=3, limit=60))
    talk(seatings, now, 5.0)
    for seating in (host, bo, chloe):
        assert seating.charter is not None
        assert (len(seating.charter.chairs), seating.charter.limit) == (3, 60)
        seating.charter.check(GAME)


def test_nobody_but_the_host_changes_the_table_and_not_after_all_agreed() -> None:
    seatings = host, bo, _ = guests("ABC")
    bo.amend(replace(OFFER, seats=5))
    assert bo.offer is None
    gather(seatings, Random(SEED), 0.0)
    host.amend(replace(OFFER, limit=30))
    assert host.offer is None
    assert {seating.charter.limit for seating in seatings if seating.charter} == {0}


def test_a_table_is_not_for_more_people_than_its_game() -> None:
    host = guests("A")[0]
    told = Invitation("example.org", 1883, host.room, bytes(16))
    gathering = Gathering(host, told)
    heard: list[int] = []
    gathering.listen(lambda: heard.append(gathering.seats))
    for seats in (7, 2, 6):
        gathering.amend(seats=seats, limit=0)
    assert heard == [6]
    gathering.get_ready(False)
    assert [(guest.mine, guest.ready) for guest in gathering.guests] == [(True, False)]
