"""The verdict on a file: good for a good game, and for any other, bad and where."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import rules
from net.play.audit import audit
from net.play.charter import read_charter
from net.play.transcript import MAGIC, Transcript, records
from net.play.wire import Refusal
from tests.sim.cheats import altered, flipped
from tests.sim.nodes import agreed
from tests.sim.world import World

SEED = int(os.environ.get("FARFADET_SEED", "20261130"))
FLIPS = 60


@pytest.fixture(scope="module")
def world() -> World:
    """A game of three that was played to its end."""
    world = World(SEED, 3)
    world.run()
    return world


@pytest.fixture(scope="module")
def file(world: World) -> bytes:
    """Its transcript."""
    return world.nodes[0].table.transcript.data()


def starts(file: bytes) -> list[int]:
    """Where each record begins: the charter, then the messages."""
    at, found = len(MAGIC), []
    while at < len(file):
        found.append(at)
        at += 4 + int.from_bytes(file[at : at + 4], "big")
    return found


def test_a_good_game_is_good_and_its_verdict_has_all_there_is_to_say(
    world: World, file: bytes
) -> None:
    verdict = audit(file)
    table = world.nodes[0].table
    assert verdict.good
    assert verdict.result == table.result
    assert verdict.names == ("seat 0", "seat 1", "seat 2")
    assert (verdict.steps, verdict.messages) == (table.step, len(table.transcript.messages))
    assert verdict.data()["verdict"] == "good"


def test_a_flipped_byte_in_any_message_is_found_at_that_message(file: bytes) -> None:
    print(f"seed {SEED}")
    source, places = Random(SEED), starts(file)
    # A charter that was altered makes all messages another table's, from the first one on.
    for _ in range(FLIPS):
        at = source.randrange(places[1], len(file))
        number = max(n for n, start in enumerate(places) if start <= at)
        broken = file[:at] + bytes([file[at] ^ 1 << source.randrange(8)]) + file[at + 1 :]
        verdict = audit(broken)
        assert not verdict.good
        assert verdict.message == number, (at, verdict)
        assert verdict.seat is None


def test_every_flipped_byte_before_the_first_message_is_found(file: bytes) -> None:
    for at in range(starts(file)[1]):
        broken = file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :]
        verdict = audit(broken)
        assert not verdict.good, at
        assert verdict.message in (None, 1)


def test_a_file_that_was_cut_is_unfinished_or_broken(file: bytes) -> None:
    places = starts(file)
    assert audit(file[: places[40]]).fault == "unfinished"
    cut = audit(file[: places[40] + 9])
    assert (cut.fault, cut.message) == ("broken-record", 40)
    assert audit(file[: places[0]]).fault is not None
    assert audit(b"").fault == "no-transcript"


def test_messages_that_were_swapped_doubled_or_added_are_found(file: bytes) -> None:
    everything = list(records(file))
    charter, *messages = everything

    def verdict_of(changed: list[bytes]) -> str | None:
        body = b"".join(len(r).to_bytes(4, "big") + r for r in (charter, *changed))
        return audit(MAGIC + body).fault

    assert verdict_of(messages) is None
    swapped = [messages[1], messages[0], *messages[2:]]
    assert verdict_of(swapped) == "out-of-order"
    assert verdict_of([messages[0], *messages]) == "known"
    assert verdict_of([*messages, messages[-1]]) == "known"
    assert verdict_of([*messages[:9], *messages[10:]]) is not None
    assert verdict_of([*messages, b"x"]) == "size"


def test_a_game_that_somebody_spoiled_names_the_seat_and_the_message() -> None:
    world = World(SEED, 3, tampers={1: altered("share", flipped)})
    world.run()
    transcript = world.nodes[0].table.transcript
    verdict = audit(transcript.data())
    assert verdict.seat == 1
    assert verdict.message is not None
    assert verdict.message <= len(transcript.messages) + len(transcript.evidence)
    assert world.nodes[0].table.blame is not None
    assert verdict.fault == world.nodes[0].table.blame.code


def test_a_transcript_is_saved_whole_or_not_at_all(file: bytes, tmp_path: Path) -> None:
    charter, *messages = records(file)
    transcript = Transcript(charter, read_charter(charter).table)
    path = tmp_path / "new" / "game.farfadet"
    transcript.save(path)
    before = path.read_bytes()
    transcript.close(messages[:3])
    (tmp_path / "new" / "game.farfadet.part").mkdir()
    with pytest.raises(OSError, match="game"):
        transcript.save(path)
    assert path.read_bytes() == before


def test_a_file_that_claims_more_than_it_holds_is_broken() -> None:
    with pytest.raises(Refusal, match="broken-record"):
        list(records(MAGIC + b"\xff\xff\xff\xff" + b"x" * 10))
    with pytest.raises(Refusal, match="broken-record"):
        list(records(MAGIC + b"\0\0"))


@pytest.mark.parametrize("key", [bytes(32), b"\1" + bytes(31), b"\1" * 32, b"\7" * 32])
def test_a_charter_with_a_bad_key_is_bad_with_escrow_too(key: bytes) -> None:
    charter, _ = agreed(SEED, 3, rules.load("gnomia"), referee=True, escrow=True)
    first, *others = charter.chairs
    for false in (
        replace(charter, referee=key),
        replace(charter, chairs=(replace(first, key=key), *others)),
    ):
        data = false.data()
        assert audit(MAGIC + len(data).to_bytes(4, "big") + data).fault == "bad-key"
