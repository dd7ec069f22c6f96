"""Referees with one key at real tables, through deaths, cuts and stalls: never two voices."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from net.link import topics
from net.play.journal import Entry, Heard
from net.play.resume import restored
from net.play.votes import VOTE
from net.play.wire import parse
from net.referee.beats import DEAD_AFTER, DOUBTED
from net.referee.record import figures
from tests.net import virtual
from tests.net.referees import Party, Process, World
from tests.sim.nodes import small_numbers
from tests.sim.world import ABSENCES
from tests.sim.world import World as Table

SEED = int(os.environ.get("FARFADET_SEED", "20261130"))
TROUBLE = 150.0
"""Seconds in which processes and connections fail."""


@pytest.fixture(autouse=True)
def in_small_numbers() -> Iterator[None]:
    """No test here needs cards that nobody can read."""
    with small_numbers():
        yield


async def until(true: Callable[[], bool], within: float = 300.0) -> float:
    """Wait until it is so; how long that took."""
    loop = asyncio.get_running_loop()
    begin = loop.time()
    while not true():
        assert loop.time() - begin < within
        await asyncio.sleep(0.05)
    return loop.time() - begin


async def speaking(world: World, party: Party) -> tuple[Process, Process]:
    """Two processes and a table at work: who speaks there, and who does not."""
    for one in world.processes:
        await one.start()
    party.begin()
    await until(lambda: world.speaker(party) is not None)
    await until(lambda: party.peers[0].step > 20)
    first = world.speaker(party)
    assert first is not None
    return first, next(one for one in world.processes if one is not first)


async def finish(world: World, party: Party, *seats: int) -> None:
    """Play to the end, which nobody is to blame for."""
    await until(lambda: all(map(party.over, seats)), 900.0)
    await asyncio.sleep(8.0)
    assert all(party.peers[at].blame is None for at in seats)
    assert_no_contradiction(party)
    await world.close()


def assert_no_contradiction(party: Party) -> None:
    """Of all votes of the referee at one place, each begins with the other."""
    for histories in party.votes().values():
        longest = max(histories, key=len)
        assert all(longest[: len(history)] == history for history in histories)


@pytest.mark.parametrize("way", ["kill", "terminate"])
def test_the_table_of_who_goes_is_taken_over_once_and_played_to_the_end(
    way: str, tmp_path: Path
) -> None:
    async def main() -> None:
        world = World(SEED, tmp_path, processes=2, seats=2)
        (party,) = world.tables
        first, second = await speaking(world, party)
        party.running[1].cancel()
        party.wires[1].die()
        await (first.kill() if way == "kill" else first.terminate())
        took = await until(lambda: second.speaks(party.table))
        print(f"{way}: speaks for the other after {took:.1f} s")
        # Killed, it is missed by the broker at once; gone in peace, it has said so.
        assert took < (DOUBTED + 3.0 if way == "kill" else 3.0)
        await finish(world, party, 0)
        assert len(second.told("taken over")) == 1
        assert len(second.told("result")) == 1
        assert any("absent=1" in line for line in second.told("ruling"))
        assert figures(second.path).tallies["taken"] == 1

    virtual.run(main())


def test_who_was_cut_off_for_long_hands_over_before_it_says_a_word(tmp_path: Path) -> None:
    async def main() -> None:
        world = World(SEED, tmp_path, processes=2)
        (party,) = world.tables
        watching = world.watch()
        first, second = await speaking(world, party)
        first.wire.lose()
        await asyncio.sleep(DEAD_AFTER + 5.0)
        assert world.speaker(party) is second
        first.wire.regain()
        await until(lambda: bool(first.told("handed over")))
        assert first.referee.peers == {}
        await finish(world, party, 0, 1, 2)
        assert not watching.done()
        watching.cancel()
        found = figures(first.path)
        assert (found.tables["handed-over"], found.tables["open"]) == (1, 0)
        assert figures(second.path).tables["finished"] == 1

    virtual.run(main())


def test_who_was_cut_off_for_a_moment_keeps_its_table(tmp_path: Path) -> None:
    async def main() -> None:
        world = World(SEED, tmp_path, processes=2)
        (party,) = world.tables
        first, second = await speaking(world, party)
        first.wire.lose()
        await asyncio.sleep(1.0)
        first.wire.regain()
        await until(lambda: first.speaks(party.table))
        await finish(world, party, 0, 1, 2)
        assert second.told("taken over") == []
        assert first.told("handed over") == []

    virtual.run(main())


def test_who_starts_again_with_its_record_goes_back_only_to_what_nobody_has(
    tmp_path: Path,
) -> None:
    async def main() -> None:
        world = World(SEED, tmp_path, processes=2, tables=2)
        first, second = await speaking(world, world.tables[0])
        world.tables[1].begin()
        await until(lambda: world.speaker(world.tables[1]) is not None)
        await second.kill()
        await until(lambda: all(first.speaks(party.table) for party in world.tables))
        await second.start()
        await until(lambda: bool(second.told("serving")))
        await asyncio.sleep(2.0)
        assert second.referee.peers == {}
        await first.kill()
        await first.start()
        await until(lambda: all(world.speaker(party) is not None for party in world.tables))
        steps = [party.peers[0].step for party in world.tables]
        await asyncio.sleep(10.0)
        for step, party in zip(steps, world.tables, strict=True):
            assert party.peers[0].step > step
            assert party.peers[0].blame is None
            assert_no_contradiction(party)
        await world.close()

    virtual.run(main())


def test_the_tables_of_many_are_shared(tmp_path: Path) -> None:
    async def main() -> None:
        world = World(SEED, tmp_path, processes=3, tables=9, seats=2)
        for one in world.processes:
            await one.start()
        await asyncio.sleep(2.0)
        for party in world.tables:
            party.begin()
        await until(lambda: all(world.speaker(party) is not None for party in world.tables))
        shares = [figures(one.path).tallies["claimed"] for one in world.processes]
        assert sum(shares) == 9
        assert min(shares) >= 1
        assert all(figures(one.path).others == 2 for one in world.processes)
        await world.close()

    virtual.run(main())


def test_a_referee_is_announced_while_any_of_its_processes_is_there(tmp_path: Path) -> None:
    async def main() -> None:
        world = World(SEED, tmp_path, processes=2)
        lobby = topics.lobby(world.processes[0].room)
        for one in world.processes:
            await one.start()
        await asyncio.sleep(3.0)
        await world.processes[0].kill()
        await asyncio.sleep(2.0)
        assert world.hub.retained[lobby]
        await world.processes[0].start()
        await asyncio.sleep(3.0)
        await world.processes[0].terminate()
        await asyncio.sleep(2.0)
        assert world.hub.retained[lobby]
        await world.processes[1].terminate()
        await asyncio.sleep(2.0)
        assert lobby not in world.hub.retained
        await world.close()

    virtual.run(main())


def test_a_table_whose_referee_is_silent_calls_for_another(tmp_path: Path) -> None:
    async def main() -> None:
        world = World(SEED, tmp_path, processes=2, seats=2)
        (party,) = world.tables
        await world.processes[0].start()
        party.begin()
        await until(lambda: party.peers[0].step > 20)
        await world.processes[0].kill()
        # Nobody remembers the claim, but the seats miss somebody.
        world.hub.retained.clear()
        party.running[1].cancel()
        party.wires[1].die()
        await world.processes[1].start()
        await finish(world, party, 0)
        assert len(world.processes[1].told("table opened")) == 1
        assert world.processes[1].told("result")

    virtual.run(main())


def test_what_a_referee_contributes_is_the_same_bytes_from_every_process() -> None:
    table = Table(SEED + 1, 3, ABSENCES, "gobelin", limit=10, referee=True, escrow=True)
    table.run(3000.0)
    node = table.nodes[3]
    transcript = table.nodes[0].table.transcript
    said = [parse(data) for data in transcript.messages]
    assert {message.kind for message in said if message.seat == 3} >= {"held", "stead"}
    # Another process, that has heard all the others, and of its own voice only votes.
    others: list[Entry] = [
        Heard(message.data) for message in said if message.seat != 3 or message.kind == VOTE
    ]
    again = restored(node.ticket, others)
    assert again.over
    assert again.transcript.head == transcript.head


# Whatever may happen.


async def trouble(world: World, source: Random) -> None:
    """Processes, players and the broker fail, each in its own way, for a while."""
    loop = asyncio.get_running_loop()

    async def processes() -> None:
        while loop.time() < TROUBLE:
            await asyncio.sleep(source.uniform(1.0, 12.0))
            victim = source.choice(world.processes)
            match source.choice(("kill", "kill", "terminate", "stall", "cut", "start")):
                case "kill":
                    await victim.kill()
                case "terminate":
                    await victim.terminate()
                case "stall" if victim.alive:
                    victim.wire.stall(source.uniform(1.0, 12.0))
                case "cut" if victim.alive:
                    victim.wire.lose()
                    await asyncio.sleep(source.uniform(0.5, 15.0))
                    victim.wire.regain()
                case "start":
                    for one in world.processes:
                        await one.start()

    async def players(party: Party) -> None:
        while loop.time() < TROUBLE:
            await asyncio.sleep(source.uniform(2.0, 10.0))
            way = source.choice(party.wires)
            way.lose()
            await asyncio.sleep(source.uniform(1.0, 30.0))
            way.regain()

    async def broker() -> None:
        while loop.time() < TROUBLE:
            await asyncio.sleep(source.uniform(40.0, 90.0))
            world.hub.forget()
            await asyncio.sleep(source.uniform(0.1, 2.0))
            world.regain()

    await asyncio.gather(processes(), broker(), *map(players, world.tables))
    for one in world.processes:
        await one.start()
    world.regain()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(SEED, SEED + 2))
def test_whatever_fails_the_referee_never_contradicts_itself(seed: int, tmp_path: Path) -> None:
    print(f"seed {seed}")

    async def main() -> None:
        source = Random(seed)
        world = World(seed, tmp_path, processes=source.choice((2, 3)), tables=2)
        watching = world.watch()
        for one in world.processes:
            await one.start()
        for party in world.tables:
            party.begin()
        await trouble(world, source)
        for party in world.tables:
            await until(lambda party=party: all(map(party.over, range(3))), 1500.0)  # type: ignore[misc]
        await asyncio.sleep(8.0)
        for party in world.tables:
            assert all(peer.blame is None for peer in party.peers)
            assert_no_contradiction(party)
        assert any(party.votes() for party in world.tables)
        assert not watching.done()
        watching.cancel()
        await world.close()

    virtual.run(main())
