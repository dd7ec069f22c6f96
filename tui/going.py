"""Going to a table, whatever shows it: where a start leads, and how one plays once more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.sitting import Doors, Home, Host, Join, Play, Quick, Resume, Room, Sitting, Start, Watch
from tui.wish import Wish

if TYPE_CHECKING:
    from net.meeting.again import Reunion
    from net.play.resume import Saved
    from tui.company import Company


class NoTable(Exception):
    """There is none that one could go back to."""

    code = "no-table"


@dataclass(frozen=True, slots=True)
class Seated:
    """A table where the game has begun, and who sits there with us."""

    sitting: Sitting
    company: Company | None = None


async def set_out(doors: Doors, start: Start) -> Room | Seated | None:
    """Where ``start`` leads: to a room before the game, to a table, nowhere.

    Raises ``NoTable``, and what the ``doors`` raise.
    """
    match start:
        case Home():
            return None
        case Play(game, seats, level, deck):
            return Seated(await doors.play(game, seats, level, deck))
        case Host():
            return await doors.host(start)
        case Join(invitation):
            table = doors.seat_at(invitation)
            return await doors.join(invitation) if table is None else await back(doors, table)
        case Quick(game):
            return await doors.quick(game)
        case Watch(invitation):
            lookout = await doors.watch(invitation)
            return Seated(await lookout.wait()) if lookout.begun else lookout
        case Resume():
            tables = doors.saved()
            if not tables:
                raise NoTable
            return await back(doors, tables[0])


async def back(doors: Doors, table: Saved) -> Seated:
    """Back to a table, whose people may still be in doubt."""
    sitting, ticket = await doors.resume(table), table.ticket
    if not ticket.invitation:
        return Seated(sitting)
    from tui.company import Company

    return Seated(sitting, Company.of_charter(doors.known, table.charter, ticket.seat))


async def begun(doors: Doors, room: Room) -> Seated:
    """The table that ``room`` becomes, once everybody is there."""
    sitting = await room.wait()
    if room.looking_on:
        return Seated(sitting)
    from tui.company import Company

    return Seated(sitting, Company.of_guests(doors.known, room.guests, room.words))


async def sit_through(
    sitting: Sitting, play: Callable[[], Awaitable[None]], gone: asyncio.Event
) -> None:
    """``play``, and be there for the talk of the table until one has ``gone``."""
    if sitting.talk is None:
        await play()
        return
    async with sitting.talk.staying(sitting.me is not None):
        await play()
        # There is more to say when the game is over.
        await gone.wait()


def once_more(reunion: Reunion | None, wish: Wish) -> Start:
    """Where somebody else of the table waits already, or at a new table of ours."""
    if reunion is None:
        return wish.play
    if reunion.offered is not None:
        return Join(str(reunion.way(reunion.offered)))
    return wish.host


def gives_way(reunion: Reunion, room: Room) -> Join | None:
    """Of two who wait for each other, the one in the higher seat goes to the other."""
    offered = reunion.offered
    if offered is None or offered.seat > reunion.me:
        return None
    people = [guest for guest in room.guests if not guest.bot]
    if len(people) == 1 and people[0].mine and people[0].host:
        return Join(str(reunion.way(offered)))
    return None
