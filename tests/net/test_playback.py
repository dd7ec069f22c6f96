"""A file played back is the game that was played: every position, every view, whatever the file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

import pytest

import rules
from net.play.charter import read_charter
from net.play.notices import DealtAnew, Happened, Notice, Past, Returned, Rewound, Ruled
from net.play.playback import Playback
from net.play.replica import replica
from net.play.transcript import MAGIC, records
from net.play.wire import Refusal
from rules.form import fingerprint
from rules.game import Chosen, Opened, Over, RuleError, Seat, Sight
from tests.sim.cheats import altered, flipped
from tests.sim.nodes import small_numbers
from tests.sim.world import LIMIT, World

SEED = int(os.environ.get("FARFADET_SEED", "20261130"))
MANGLED = 120
"""Files made from one, for each game."""

GAMES = pytest.mark.parametrize("game", rules.names())


@pytest.fixture(autouse=True)
def in_small_numbers() -> Iterator[None]:
    """No test here needs cards that nobody can read."""
    with small_numbers():
        yield


class Witness:
    """What the player in one seat has been told, and what was in sight then."""

    def __init__(self, world: World, seat: Seat) -> None:
        self.table = world.nodes[seat].table
        self.told: list[tuple[Notice, int, Sight]] = []
        patience = world.nodes[seat].patience
        self._listen = patience.told
        patience.told = self._hear  # type: ignore[method-assign]

    def _hear(self, notice: Notice) -> None:
        if isinstance(notice, Past | Rewound):
            self.told.append((notice, self.table.step, dict(self.table.sight)))
        self._listen(notice)

    @property
    def past(self) -> list[Notice]:
        """What has happened."""
        return [notice for notice, _, _ in self.told]

    def sights(self) -> Iterator[tuple[int, Sight]]:
        """By position, what was in sight: where several things happened at once, after the last."""
        for at, (_, step, sight) in enumerate(self.told, 1):
            if at == len(self.told) or self.told[at][1] != step:
                yield at, sight


def witnessed(world: World) -> list[Witness]:
    """Somebody to witness in each seat, from the beginning on."""
    return [Witness(world, seat) for seat in range(len(world.charter.chairs))]


def read(data: bytes) -> Playback:
    """A file, read to its end."""
    playback = Playback(data)
    playback.read()
    return playback


def told(playback: Playback) -> list[Past]:
    """What has happened in it."""
    return [position.notice for position in playback.positions if position.notice is not None]


def alike(notices: Sequence[Notice]) -> list[Notice]:
    """The same, as somebody hears it who is none of the players."""
    return [replace(n, me=False) if isinstance(n, Ruled) else n for n in notices]


def opened_within(playback: Playback, at: int) -> set[int]:
    """The slots that are open by the time the cards of position ``at`` are dealt anew."""
    slots, deal = set[int](), playback.positions[at].looks.deal
    for position in playback.positions[1:]:
        if isinstance(position.notice, DealtAnew) and position.looks.deal > deal:
            return slots | set(playback.sight(playback.positions.index(position), None))
        if isinstance(position.notice, Happened) and isinstance(position.notice.event, Opened):
            slots |= {slot for slot, _ in position.notice.event.faces}
    return slots


def check_sights(playback: Playback, witness: Witness, seat: Seat) -> None:
    """A view shows what its seat saw, but for what the file never opens."""
    for at, sight in witness.sights():
        if seat not in playback.positions[at].absent:
            known = opened_within(playback, at)
            seen = {slot: face for slot, face in sight.items() if slot in known}
            assert playback.sight(at, seat) == seen, at


@lru_cache(maxsize=8)
def played(game: str, seats: int) -> tuple[World, list[Witness]]:
    """A game in which nothing goes wrong."""
    world = World(SEED, seats, game=game, levels=("steady", "random"))
    witnesses = witnessed(world)
    world.run()
    return world, witnesses


@lru_cache(maxsize=8)
def file(game: str) -> bytes:
    """Its file, for as few as can play."""
    world, _ = played(game, rules.load(game).seats.start)
    return world.nodes[0].table.transcript.data()


@GAMES
@pytest.mark.parametrize("most", [False, True])
def test_every_position_is_one_of_the_game_that_was_played(game: str, most: bool) -> None:
    possible = rules.load(game).seats
    seats = possible.stop - 1 if most else possible.start
    world, witnesses = played(game, seats)
    table = world.nodes[0].table
    playback = read(table.transcript.data())
    assert told(playback) == witnesses[0].past
    assert playback.verdict is not None
    assert playback.verdict.good
    assert playback.verdict.result == table.result
    assert playback.positions[-1].state == table.state
    assert isinstance(playback.positions[-1].request, Over)
    assert playback.progress == 1.0
    for before, after in zip(playback.positions, playback.positions[1:], strict=False):
        assert isinstance(after.notice, Happened)
        assert after.notice.before == before.state
        assert before.request == playback.game.request(before.state)
        assert before.heard <= after.heard <= playback.verdict.messages
    for seat, witness in enumerate(witnesses):
        check_sights(playback, witness, seat)


@GAMES
def test_what_everybody_sees_is_what_an_onlooker_saw(game: str) -> None:
    playback = read(file(game))
    last = {position.heard: at for at, position in enumerate(playback.positions)}
    charter, *messages = records(file(game))
    onlooker = replica(read_charter(charter), None)
    for heard, message in enumerate(messages, 1):
        onlooker.take(message)
        onlooker.work()
        if heard in last:
            assert playback.sight(last[heard], None) == onlooker.sight
            assert playback.positions[last[heard]].state == onlooker.state


@GAMES
@pytest.mark.parametrize("escrow", [False, True])
def test_absences_and_deals_anew_are_played_back(game: str, escrow: bool) -> None:
    kinds, private = set[type[Notice]](), 0
    for seed in range(SEED, SEED + 2):
        print(f"seed {seed}")
        world = World(seed, 4, game=game, limit=LIMIT, escrow=escrow, levels=("steady",))
        witnesses = witnessed(world)
        world.run(2.0 + seed - SEED)
        world.sides = {1}
        while not world.nodes[0].table.roster.absent and not world.done:
            world.run(world.now + 0.5)
        world.sides = set()
        world.run(world.now + 3000.0)
        table = world.nodes[0].table
        assert table.over
        playback = read(table.transcript.data())
        assert playback.verdict is not None
        assert playback.verdict.good
        assert alike(told(playback)) == alike(witnesses[0].past)
        assert playback.positions[-1].absent == table.roster.absent
        assert playback.members == table.roster.members
        for seat in (0, 2, 3):
            check_sights(playback, witnesses[seat], seat)
        if 1 not in table.roster.absent:
            known = opened_within(playback, playback.last)
            last = {s: f for s, f in world.nodes[1].table.sight.items() if s in known}
            assert playback.sight(playback.last, 1) == last
        kinds |= {type(notice) for notice in told(playback)}
        private += sum(
            len(playback.sight(at, seat)) > len(playback.sight(at, None))
            for at in range(playback.last)
            for seat in range(4)
        )
    assert Ruled in kinds
    assert Returned in kinds
    assert escrow or DealtAnew in kinds
    assert bool(private) is (game != "taverne")


# Files that are not what they should be.


def mangled(source: Random, data: bytes) -> tuple[str, bytes]:
    """The file with something wrong in it, and what."""
    charter, *messages = records(data)
    at, number = source.randrange(len(data)), source.randrange(len(messages))
    match source.randrange(8):
        case 0 | 1 | 2:
            bit = 1 << source.randrange(8)
            return f"bit at {at}", data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]
        case 3:
            return f"cut at {at}", data[:at]
        case 4:
            del messages[number]
        case 5:
            messages.insert(number, messages[source.randrange(len(messages))])
        case 6:
            messages[number] = source.randbytes(source.randrange(200))
        case _:
            return f"noise at {at}", data[:at] + source.randbytes(40) + data[at:]
    said = (charter, *messages)
    return f"messages at {number}", MAGIC + b"".join(len(r).to_bytes(4, "big") + r for r in said)


@GAMES
def test_a_file_with_a_fault_is_played_back_up_to_it_or_has_a_code(game: str) -> None:
    print(f"seed {SEED}")
    source, good = Random(f"{SEED} {game}"), told(read(file(game)))
    partly, codes = 0, set[str]()
    for _ in range(MANGLED):
        how, data = mangled(source, file(game))
        try:
            playback = Playback(data)
        except (Refusal, RuleError) as error:
            codes.add(error.code)
            continue
        playback.read()
        assert playback.verdict is not None, how
        assert not playback.verdict.good, how
        assert playback.verdict.fault, how
        happened = told(playback)
        assert happened == good[: len(happened)], how
        partly += 0 < len(happened) < len(good)
    assert partly > MANGLED // 4
    assert all(codes)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"game": "../os"}, "unknown-game"),
        ({"rules": 99}, "other-rules"),
        ({"deck": "x"}, "fixed-deck"),
        ({"chairs": ()}, "seats"),
    ],
)
def test_what_cannot_be_followed_here_says_why(change: dict[str, Any], code: str) -> None:
    charter = replace(read_charter(next(records(file("taverne")))), **change).data()
    with pytest.raises((Refusal, RuleError), match=code):
        Playback(MAGIC + len(charter).to_bytes(4, "big") + charter)
    for nothing in (b"", b"farfadet", bytes(100), MAGIC, MAGIC + bytes(4)):
        with pytest.raises(Refusal):
            Playback(nothing)


def test_a_game_that_somebody_spoiled_ends_with_who_it_was() -> None:
    world = World(SEED, 3, tampers={1: altered("share", flipped)})
    world.run()
    playback = read(world.nodes[0].table.transcript.data())
    assert playback.verdict is not None
    assert playback.verdict.seat == 1
    assert playback.verdict.fault == "share-proof"
    assert playback.positions[-1].state == world.nodes[0].table.state


# Going through it.


@GAMES
def test_events_worth_a_stop_are_choices_and_what_is_told(game: str) -> None:
    playback = read(file(game))
    stops = [playback.event(number) for number in range(1, playback.events() + 1)]
    assert stops == sorted(set(stops))
    for at, position in enumerate(playback.positions[1:], 1):
        happened = position.notice
        assert isinstance(happened, Happened)
        tales = playback.game.tell(happened.before, happened.event)
        assert (at in stops) is (bool(tales) or isinstance(happened.event, Chosen))
    assert playback.event(0) == playback.event(-1) == 0
    assert playback.event(10**6) == playback.last
    for at in range(len(playback.positions)):
        number = playback.events(at)
        assert playback.event(number) <= at
        assert at == playback.last or at < playback.event(number + 1)


@GAMES
def test_a_round_starts_where_the_game_first_counts_it(game: str) -> None:
    playback = read(file(game))
    assert playback.rounds == playback.game.round(playback.positions[-1].state) > 0
    for number in range(1, playback.rounds + 1):
        start = playback.round_start(number)
        assert playback.positions[start].round == number
        assert playback.positions[start - 1].round == number - 1
    assert playback.round_start(-5) == 0
    assert playback.round_start(10**9) == playback.round_start(playback.rounds)


def test_reading_can_be_watched_and_stopped_and_states_stay_what_they_were() -> None:
    playback = Playback(file("gnomia"))
    marks: list[tuple[float, int]] = []
    prints: dict[int, bytes] = {}

    def watch() -> None:
        marks.append((playback.progress, playback.last))
        prints[playback.last] = fingerprint(playback.positions[-1].state)

    playback.read(watch)
    assert marks == sorted(marks)
    assert len(set(marks)) > 30
    assert all(fingerprint(playback.positions[at].state) == mark for at, mark in prints.items())
    stopped = Playback(file("gnomia"))

    def stop() -> None:
        stopped.stopped = stopped.last >= 5

    stopped.read(stop)
    assert stopped.verdict is None
    assert 5 <= stopped.last < playback.last


def test_a_past_that_is_taken_back_is_replaced() -> None:
    playback = read(file("gnomia"))
    past = tuple(told(playback)[:9])
    playback._hearing.table.notices.append(Rewound(past))
    playback._take()
    assert tuple(told(playback)) == past
    assert playback.last == 9
    assert playback.event(10**6) == playback.last
    assert playback.sight(9, None) == read(file("gnomia")).sight(9, None)
