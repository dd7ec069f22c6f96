"""A neighbour on the local network, as a process: it hosts a table there, or looks for tables.

It says on stdout, a line of JSON each time, what it sees; it does what the lines on stdin say (the
number of seats taken, ``withdraw``, ``join``), and leaves in good order when stdin ends.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import rules
from broker import announcement, lan
from broker.announcement import Announced
from broker.engine import Engine
from broker.lan import Lan
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.meeting.invitation import Invitation
from net.meeting.room import Newcomer, Room, invite
from net.meeting.seating import Offer
from net.people.identity import Identity
from tests.services import PATIENCE

ROOT = Path(__file__).parent.parent.parent
GAME = "taverne"
SEATS = 4


class Neighbour:
    """The process: ``role`` is ``host`` or ``look``; ``inside`` is put before its command.

    ``settings`` may name ``interfaces`` (a list), ``ttl`` and ``rescan``, and a ``game``: tables
    for any other are not its business.
    """

    def __init__(self, role: str, *inside: str, **settings: object) -> None:
        self._command = (
            *inside,
            sys.executable,
            "-m",
            "tests.broker.neighbour",
            role,
            json.dumps(settings),
        )
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        """Start it."""
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, cwd=ROOT
        )
        return self

    async def __aexit__(self, *raised: object) -> None:
        """Let it leave, and wait until it has."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    def tell(self, line: str) -> None:
        """Have it do ``line``."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    def kill(self) -> None:
        """End it by ``kill -9``."""
        assert self._process is not None
        self._process.kill()

    async def says(self, **wanted: object) -> Mapping[str, Any]:
        """The next thing it says in which all that is ``wanted`` is so."""
        assert self._process is not None
        assert self._process.stdout is not None
        heard: list[object] = []
        try:
            async with asyncio.timeout(PATIENCE):
                while line := await self._process.stdout.readline():
                    said: Mapping[str, Any] = json.loads(line)
                    heard.append(said)
                    if wanted.items() <= said.items():
                        return said
        except TimeoutError:
            pass
        raise AssertionError(f"said {heard}, not {wanted}")


def _say(**what: object) -> None:
    print(json.dumps(what), flush=True)


def _seen(network: Lan, game: str) -> None:
    """Say what there is now."""
    tables = [table for table in network.tables if table.game == game]
    first = tables[0] if tables else None
    _say(
        tables=len(tables),
        problem=network.problem,
        at="" if first is None else first.invitation.host,
        taken=0 if first is None else first.taken,
    )


async def _lines() -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


async def _host(network: Lan, game: str, stack: AsyncExitStack) -> None:
    """A broker, a room and its announcement."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    engine = await stack.enter_async_context(Engine(folder, host="0.0.0.0"))
    host = Newcomer.fresh(Identity.fresh("Lou"))
    invitation = invite(host.key, "0.0.0.0", engine.port)
    room = _room(invitation, host, "127.0.0.1", Offer(rules.load(GAME), SEATS))
    await room.open()
    stack.callback(asyncio.create_task(room.wait()).cancel)
    table = Announced(invitation, game, SEATS, 1, "Lou", True)
    await network.announce(table)
    _say(hosts=invitation.room, problem=network.problem)
    lines = await _lines()
    while line := (await lines.readline()).decode().strip():
        if line == "withdraw":
            await network.withdraw()
        else:
            await network.update(replace(table, taken=int(line)))


async def _guest(network: Lan, game: str) -> None:
    """Say what is there, and join the first table when told to."""
    network.listen(lambda: _seen(network, game))
    _seen(network, game)
    lines = await _lines()
    while (await lines.readline()).decode().strip() == "join":
        found = network.tables[0].invitation
        room = _room(found, Newcomer.fresh(Identity.fresh("Mel")), found.host)
        news = asyncio.Event()
        room.listen(news.set)
        await room.open()
        sitting = asyncio.create_task(room.wait())
        while not any(guest.mine for guest in room.guests):
            await news.wait()
            news.clear()
        _say(joined=room.guests[0].name)
        sitting.cancel()


def _room(invitation: Invitation, who: Newcomer, at: str, offer: Offer | None = None) -> Room:
    way = MqttTransport(Broker(at, invitation.port))
    return Room(way, invitation, who, None, offer)


async def _main(role: str, settings: Mapping[str, Any]) -> None:
    announcement.TTL = settings.get("ttl", announcement.TTL)  # type: ignore[misc]
    lan.RESCAN = settings.get("rescan", lan.RESCAN)  # type: ignore[misc]
    async with AsyncExitStack() as stack:
        network = await stack.enter_async_context(Lan(settings.get("interfaces")))
        game = settings.get("game", GAME)
        await (_host(network, game, stack) if role == "host" else _guest(network, game))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], json.loads(sys.argv[2])))
