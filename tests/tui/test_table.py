"""The table before the game: bots for empty seats, where it is ours."""

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
