"""What a table costs: messages, bytes and hops exactly; and time, beside a plain client's floor."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from broker.engine import Engine
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.meeting.room import Newcomer, Room, invite
from net.meeting.seating import Offer
from net.people.identity import Identity
from net.play import wire
from net.play.notices import Happened, Notice
from net.play.peer import Peer
from net.play.replica import replica
from net.play.stream import Stream
from net.play.table import Table
from rules import load
from rules.bots import bot
from rules.game import Chosen, Shuffled
from tests.bench import broker as plain
from tests.services import Mosquitto, Service, find
from tests.sim.nodes import agreed

SEATS = (3, 4, 6)


def ideal(seats: int, seed: int) -> tuple[Table, list[int]]:
    """A game on a network where every message takes one hop and all else takes no time.

    Returns a replica at its end, and after how many hops the last seat had closed each step.
    """
    game = load("taverne")
    charter, players = agreed(seed, seats, game)
    tables = [replica(charter, player) for player in players]
    choosers = [bot("random", Stream(b"bench", bytes([seat]))) for seat in range(seats)]
    closed: list[int] = []
    hop = 0
    while True:
        flying: list[tuple[Table, bytes]] = []
        for table, choose in zip(tables, choosers, strict=True):
            while table.jobs or table.moves():
                if table.jobs:
                    job = table.jobs.popleft()
                    table.finished(job, job.run())
                else:
                    assert table.me is not None
                    table.choose(choose(game, table.state, table.me, table.sight))
            flying += [(table, data) for data in table.outbox]
            table.outbox.clear()
        closed += [hop] * (min(table.step for table in tables) - len(closed))
        if not flying:
            return tables[0], closed
        hop += 1
        for sender, data in flying:
            for table in tables:
                if table is not sender:
                    table.take(data)


def counted(seats: int, seed: int = 1) -> dict[str, Any]:
    """What one whole game takes, counted: in all, and for each kind of step on the average.

    ``hops`` are message delays on the critical path: a secret round is a ``commit`` and a
    ``reveal``, whatever is opened or dealt a ``share``.
    """
    table, closed = ideal(seats, seed)
    kinds: dict[str, Counter[str]] = {}
    for messages, before, after in zip(table.transcript.steps, (0, *closed), closed, strict=False):
        found = kinds.setdefault(wire.parse(messages[0]).kind, Counter())
        found["steps"] += 1
        found["hops"] += after - before
        found["messages"] += len(messages)
        found["bytes"] += sum(map(len, messages))
    return {
        "game": {
            "steps": len(closed),
            "hops": closed[-1],
            "messages": len(table.transcript.messages),
            "file_bytes": len(table.transcript.data()),
        },
        "steps": {
            kind: {
                "steps": found["steps"],
                **{
                    name: round(found[name] / found["steps"], 2)
                    for name in ("hops", "messages", "bytes")
                },
            }
            for kind, found in kinds.items()
        },
    }


async def timed(service: Service, seats: int) -> dict[str, float]:
    """Milliseconds of one game of bots over ``service``, all peers in this process.

    ``seal_ms``: the bag, from the first key to the last proof. ``round_ms``: the median secret
    round, from the event before it to the last reveal, seen by the host (bots choose at once).
    """
    game = load("taverne")
    at = Broker.parse(service.url)
    host = Newcomer.fresh(Identity.fresh("0"))
    told = invite(host.key, at.host, at.port)
    newcomers = [host, *(Newcomer.fresh(Identity.fresh(str(n))) for n in range(1, seats))]
    rooms = [
        Room(
            MqttTransport(at),
            told,
            newcomer,
            None,
            Offer(game, seats) if newcomer is host else None,
        )
        for newcomer in newcomers
    ]
    marks: list[tuple[float, Notice]] = []

    async def sit(room: Room, number: int) -> None:
        await room.open()
        peer: Peer = await room.wait()
        if number == 0:
            peer.listen(lambda notice: marks.append((time.perf_counter(), notice)))
        peer.delegate(bot("random", Stream(b"bench", bytes([number]))))
        await peer.run()

    await asyncio.gather(*(sit(room, number) for number, room in enumerate(rooms)))
    happened = [(when, n.event) for when, n in marks if isinstance(n, Happened)]
    rounds, seals = [], []
    for (before, _), (when, event) in pairwise(happened):
        if isinstance(event, Chosen) and len(event.moves) == seats:
            rounds.append(1000 * (when - before))
        elif isinstance(event, Shuffled):
            seals.append(1000 * (when - before))
    return {"seal_ms": max(seals), "round_ms": median(rounds)}


async def _over(kinds: Sequence[type[Engine] | type[Mosquitto]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in kinds:
        name = "engine" if kind is Engine else "mosquitto"
        async with AsyncExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            service = kind(Path(folder))
            await service.start()
            stack.push_async_callback(service.stop)
            found[name] = {}
            for seats in SEATS:
                figures = await timed(service, seats)
                floor = 2 * await plain.all_to_all(service, seats, 200)
                found[name][str(seats)] = {
                    **figures,
                    "two_plain_hops_ms": floor,
                    "round_over_two_plain_hops": figures["round_ms"] / floor,
                }
    return found


def figures() -> dict[str, Any]:
    """All of it. The ratio compares a secret round with two hops of as many plain clients."""
    kinds: list[type[Engine] | type[Mosquitto]] = [Engine]
    if find("mosquitto") is not None:
        kinds.append(Mosquitto)
    return {
        "counted": {str(seats): counted(seats) for seats in range(3, 7)},
        "timed": asyncio.run(_over(kinds)),
    }
