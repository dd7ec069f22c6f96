"""A room that becomes a game, with people whom we know, and others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

from net.people.friends import Friend
from net.people.friends_file import FriendsFile
from net.people.identity import Identity
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors, FakeGuest, FakeRoom
from tests.tui.frames import frame
from tests.tui.stage import opened, settle
from tui.app import FarfadetApp
from tui.sitting import Host

DAY = date(2026, 11, 12)
WORDS = "lusab babad gutih tugad"
ME = Identity.fresh("").public
BO, ANA, STRANGER, NEWCOMER, LAPTOP = (Identity.fresh("").public for _ in range(5))


def known(folder: Path | None = None) -> FriendsFile:
    """We have played with Bo and Ana on one day, and checked Ana."""
    file = FriendsFile(folder, ME)
    file.change(lambda friends: friends.met({BO: "Bo", ANA: "Ana"}, DAY).compared([ANA]))
    return file


def names(file: FriendsFile) -> list[str]:
    return [friend.name for friend in file.read().people]


def somebody(file: FriendsFile, key: bytes) -> Friend:
    owner = file.read().owner(key)
    assert owner is not None
    return owner


def at(app: FarfadetApp) -> type[Screen[Any]]:
    """Which screen is open."""
    return type(app.screen)


def shown(app: FarfadetApp) -> str:
    """The screen as one line, so that it does not matter where sentences wrap."""
    return " ".join(frame(app).split())


@asynccontextmanager
async def gathered(
    file: FriendsFile,
    *others: FakeGuest,
    language: str = "en",
    size: tuple[int, int] = (80, 24),
    begun: bool = True,
    ascii_only: bool = False,
) -> AsyncIterator[tuple[FarfadetApp, Pilot[None], FakeSitting]]:
    """A room that has just become a game with ``others``, which has ``begun``."""
    me = FakeGuest("Me", host=True, mine=True, identity=ME)
    guests = (me, *others)
    sitting = FakeSitting(len(guests), names=tuple(guest.name for guest in guests), game="gnomia")
    room = FakeRoom(guests, len(guests), words=WORDS, game=sitting.game, sitting=sitting)
    doors = FakeDoors(sitting=sitting, room=room, known=file)
    async with opened(doors, Host("gnomia"), language, size, ascii_only=ascii_only) as (app, pilot):
        room.full.set()
        await settle(pilot)
        if begun:
            sitting.begin()
            await settle(pilot)
        yield app, pilot, sitting
