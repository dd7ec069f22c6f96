"""The table before the game: bots for empty seats, who is ready, what its host can still change."""

from __future__ import annotations

from tests.tui.fake_doors import FakeDoors, FakeGuest, FakeRoom
from tests.tui.frames import frame
from tests.tui.stage import opened, settle
from tui.sitting import Host


def foot(shown: str) -> str:
    """The last line of a frame."""
    return shown.rstrip("\n").splitlines()[-1]


async def test_the_host_lets_bots_in_until_no_seat_is_empty() -> None:
    room = FakeRoom(can_add_bot=True)
    async with opened(FakeDoors(room=room), Host("taverne")) as (app, pilot):
        assert "b bot" in foot(frame(app))
        await pilot.press("b")
        await settle(pilot)
        assert [guest.name for guest in room.guests] == ["Ana", "Bo", "Puck"]
        assert "3 of 4 seats taken" in frame(app)
        await pilot.press("b")
        await settle(pilot)
        assert "Everybody is here" in frame(app)
        assert "b bot" not in foot(frame(app))
        await pilot.press("b")
        await settle(pilot)
        assert len(room.guests) == 4


async def test_a_guest_lets_nobody_in() -> None:
    room = FakeRoom(guests=(FakeGuest("Ana", host=True), FakeGuest("Bo", mine=True)))
    async with opened(FakeDoors(room=room), Host("taverne")) as (app, pilot):
        assert "b bot" not in foot(frame(app))
        await pilot.press("b")
        await settle(pilot)
        assert len(room.guests) == 2


async def test_the_table_is_told_who_is_not_ready() -> None:
    room = FakeRoom(seats=2)
    async with opened(FakeDoors(room=room), Host("taverne")) as (app, pilot):
        assert "Everybody is here: the table is being laid." in frame(app)
        await pilot.press("r")
        await settle(pilot)
        shown = frame(app)
        assert "… Ana  you, host, not ready yet" in shown
        assert "waits for you: r when you are ready" in shown
        assert "r I am ready" in foot(shown)
        await pilot.press("r")
        await settle(pilot)
        assert "● Ana  you, host\n" in "\n".join(map(str.rstrip, frame(app).splitlines())) + "\n"
        room.arrive()
        room.guests = (room.guests[0], FakeGuest("Bo", ready=False))
        room.arrive()
        await settle(pilot)
        assert "Everybody is here. Waiting for Bo." in frame(app)


async def test_the_host_changes_seats_and_time_and_nobody_loses_a_seat() -> None:
    room = FakeRoom(ours=True, limit=45)
    async with opened(FakeDoors(room=room), Host("taverne")) as (app, pilot):
        assert "players: 4 · time limit: 45 s" in frame(app)
        await pilot.press("right", "right", "right")
        await settle(pilot)
        assert "players: 6 · time limit: 45 s" in frame(app)
        await pilot.press(*["left"] * 6)
        await settle(pilot)
        assert "players: 3 · " in frame(app)
        assert "2 of 3 seats taken" in frame(app)
        await pilot.press("t", "t")
        await settle(pilot)
        assert "time limit: 30 s" in frame(app)


async def test_who_looks_on_or_is_a_guest_changes_nothing() -> None:
    room = FakeRoom(guests=(FakeGuest("Ana", host=True),), looking_on=True)
    async with opened(FakeDoors(room=room), Host("taverne")) as (app, pilot):
        assert "players" not in foot(frame(app))
        assert "wait for me" not in foot(frame(app))
        await pilot.press("r", "left", "t")
        await settle(pilot)
        assert (room.seats, room.limit, room.guests) == (4, 0, (FakeGuest("Ana", host=True),))
