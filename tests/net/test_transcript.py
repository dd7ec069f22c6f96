"""The file of a game: its framing bit by bit, a broken disk, what an auditor is told."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.play import wire
from net.play.audit import audit
from net.play.charter import read_charter
from net.play.transcript import MAGIC, Transcript, records
from net.play.wire import LONGEST, Refusal
from tests.sim.world import World

SEED = 20261130


@pytest.fixture(scope="module")
def file() -> bytes:
    """The transcript of a game of three."""
    world = World(SEED, 3)
    world.run()
    return world.nodes[0].table.transcript.data()


def framing(file: bytes) -> list[int]:
    """Where the length of each record stands: the charter's, then the messages'."""
    at, found = len(MAGIC), []
    while at < len(file):
        found.append(at)
        at += 4 + int.from_bytes(file[at : at + 4], "big")
    return found


def joined(items: list[bytes]) -> bytes:
    """The file with these records."""
    return MAGIC + b"".join(len(item).to_bytes(4, "big") + item for item in items)


def test_every_byte_of_a_records_length_is_guarded(file: bytes) -> None:
    print(f"seed {SEED}")
    source, starts = Random(SEED), list(enumerate(framing(file)))
    for number, start in (*starts[:3], *source.sample(starts[3:], 25), starts[-1]):
        for at in range(start, start + 4):
            bit = 1 << source.randrange(8)
            verdict = audit(file[:at] + bytes([file[at] ^ bit]) + file[at + 1 :])
            assert not verdict.good
            # The record of a wrong length is the first thing wrong; the charter's has no number.
            assert verdict.message == (number or None), (number, at, verdict)


def test_whatever_is_cut_off_is_missed(file: bytes) -> None:
    print(f"seed {SEED}")
    starts = framing(file)
    source = Random(SEED)
    places = [*source.sample(starts, 20), *source.sample(range(len(file)), 30), len(file) - 1]
    for at in places:
        verdict = audit(file[:at])
        assert not verdict.good
        if at in starts[1:]:
            assert (verdict.fault, verdict.message) == ("unfinished", None)
        elif at > starts[1]:
            assert verdict.fault == "broken-record"
            assert verdict.message == max(n for n, start in enumerate(starts) if start <= at)


def test_messages_in_another_order_left_out_or_twice_are_found(file: bytes) -> None:
    print(f"seed {SEED}")
    source = Random(SEED)
    charter, *messages = records(file)
    for _ in range(12):
        one, other = sorted(source.sample(range(len(messages)), 2))
        swapped = list(messages)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        assert not audit(joined([charter, *swapped])).good
        without = [*messages[:one], *messages[one + 1 :]]
        assert not audit(joined([charter, *without])).good
        twice = [*messages[:other], messages[one], *messages[other:]]
        verdict = audit(joined([charter, *twice]))
        assert (verdict.fault, verdict.message) == ("known", other + 1)


def test_a_message_of_another_table_has_no_place_in_a_file(file: bytes) -> None:
    world = World(SEED + 1, 3)
    world.run(1.0)
    foreign = world.nodes[0].table.transcript.messages[0]
    charter, *messages = records(file)
    verdict = audit(joined([charter, *messages[:7], foreign, *messages[7:]]))
    assert (verdict.fault, verdict.message) == ("other-table", 8)


def test_another_charter_makes_every_message_another_tables(file: bytes) -> None:
    other = World(SEED + 1, 3).charter.data()
    _, *messages = records(file)
    verdict = audit(joined([other, *messages]))
    assert (verdict.fault, verdict.message, verdict.seat) == ("other-table", 1, None)


@given(st.binary(max_size=300), st.booleans())
def test_no_bytes_make_an_audit_fail(data: bytes, named: bool) -> None:
    verdict = audit(MAGIC + data if named else data)
    assert not verdict.good
    json.dumps(verdict.data())


@given(st.lists(st.binary(max_size=60), max_size=5))
def test_what_is_not_signed_is_no_message_of_the_game(items: list[bytes]) -> None:
    verdict = audit(joined([CHARTER, *items]))
    assert not verdict.good
    assert verdict.seat is None
    assert verdict.names == ("seat 0", "seat 1", "seat 2")


CHARTER = World(SEED, 3).charter.data()


def test_a_record_as_long_as_the_wire_allows_is_read_and_no_longer() -> None:
    assert list(records(joined([bytes(LONGEST)]))) == [bytes(LONGEST)]
    with pytest.raises(Refusal, match="broken-record"):
        list(records(joined([bytes(LONGEST + 1)])))


def test_a_file_is_the_same_however_often_it_is_saved(file: bytes, tmp_path: Path) -> None:
    charter, *messages = records(file)
    transcript = Transcript(charter, read_charter(charter).table)
    steps: dict[int, list[bytes]] = {}
    for message in messages:
        steps.setdefault(wire.parse(message).step, []).append(message)
    for said in steps.values():
        transcript.close(said)
    path = tmp_path / "game.farfadet"
    for _ in range(2):
        transcript.save(path)
        assert path.read_bytes() == file
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.farfadet"]


def test_a_disk_that_fills_up_while_saving_leaves_the_old_file(
    file: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    charter, *messages = records(file)
    transcript = Transcript(charter, read_charter(charter).table)
    path = tmp_path / "game.farfadet"
    transcript.save(path)
    before = path.read_bytes()
    transcript.close(messages[:3])

    def full(_: int) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        transcript.save(path)
    assert path.read_bytes() == before
