"""The attackers of the protocol page: each row is a test on a whole simulated table."""

from __future__ import annotations

from typing import Any

import pytest

from net.play import wire
from net.play.audit import audit
from net.play.wire import Message, parse
from tests.sim import cheats
from tests.sim.world import CALM, HOSTILE, STORM, Tamper, Weather, World

SEED = 20261130


def played(
    weather: Weather = CALM, seats: int = 4, limit: float = 300.0, cheat: Tamper | None = None
) -> World:
    """A world that has run to its end, seat 1 being the cheat, if there is one."""
    world = World(SEED, seats, weather, tampers={1: cheat} if cheat else None)
    world.run(limit)
    return world


def assert_finished_alike(world: World) -> None:
    """Every honest replica is over, all transcripts are the same, and the audit says good."""
    files = {node.table.transcript.data() for node in world.honest}
    assert [node.table.over for node in world.honest] == [True] * len(world.honest)
    assert len(files) == 1
    assert audit(files.pop()).good


def assert_convicted(world: World, *codes: str) -> None:
    """Every honest replica blames seat 1 for one of ``codes``, and so does the audit."""
    for node in world.honest:
        assert node.table.blame is not None, (node.table.step, node.table.refused)
        assert node.table.blame.seat == 1
        assert node.table.blame.code in codes
        verdict = audit(node.table.transcript.data())
        assert (verdict.good, verdict.seat) == (False, 1)
        assert verdict.fault in codes


@pytest.mark.parametrize("weather", [STORM, HOSTILE], ids=["storm", "hostile"])
@pytest.mark.parametrize("seats", [3, 6])
def test_a_broker_that_drops_alters_and_replays_changes_nothing(
    weather: Weather, seats: int
) -> None:
    world = played(weather, seats)
    assert_finished_alike(world)
    assert sum(world.faults.values()) > 100


def test_messages_of_another_table_are_refused() -> None:
    foreign = World(SEED + 1, 4)
    foreign.run()
    world = World(SEED, 4)
    payloads = foreign.nodes[0].table.transcript.messages
    for seat in range(4):
        for payload in payloads[:50]:
            world.send("log", payload, seat)
    world.run()
    assert_finished_alike(world)
    assert all(node.table.refused["other-table"] == 50 for node in world.nodes)


def test_another_seats_message_cannot_be_signed_for_it() -> None:
    def as_seat_two(world: World, message: Message) -> list[bytes]:
        assert message.seat == 1
        forged = Message(
            message.table, 2, 0, message.step, message.prev, "commit", b"", message.data
        )
        key = world.players[1].key
        fields = (message.table, 2, message.seq, message.step, message.prev, "commit", bytes(32))
        assert forged.seat == 2
        return [wire.compose(key, *fields).data]

    world = played(cheat=cheats.besides("commit", as_seat_two))
    assert all(node.table.refused["signature"] > 0 for node in world.honest)
    assert_finished_alike(world)


def test_two_commitments_shown_to_two_halves_convict() -> None:
    cheat = cheats.two_faced("commit", cheats.another_commitment)
    assert_convicted(played(cheat=cheat), "two-messages", "reveal-mismatch")


def test_two_shuffles_shown_to_two_halves_convict() -> None:
    world = played(cheat=cheats.two_faced("shuffled", cheats.flipped))
    for node in world.honest:
        assert node.table.blame is not None
        assert node.table.blame.seat == 1


def test_a_reveal_that_does_not_match_convicts() -> None:
    world = played(cheat=cheats.altered("reveal", cheats.swapped_move))
    assert_convicted(world, "reveal-mismatch")


def test_an_illegal_move_convicts_when_it_is_revealed() -> None:
    moves: dict[int, Any] = {}

    def illegal(world: World, message: Message) -> dict[str, Any]:
        from net.play.commitment import commitment
        from net.play.rounds import Here

        move, nonce = ["Mushroom", 99], bytes(32)
        here = Here(message.table, message.step, message.prev)
        moves[message.step] = [nonce, move]
        return {"body": commitment(here, 1, nonce, wire.pack(move))}

    commit = cheats.altered("commit", illegal)

    def tamper(world: World, seat: int, message: Message) -> cheats.Sent | None:
        if message.kind == "reveal":
            # Its own replica saw the honest commitment: only the true chain convinces the others.
            honest = world.nodes[0].table.transcript.head
            body = moves[message.step - 1]
            forged = cheats.forge(world, message, prev=honest, body=body)
            return cheats.to_all(world, seat, forged)
        return commit(world, seat, message)

    assert_convicted(played(cheat=tamper), "illegal-move", "two-messages")


def test_a_copied_commitment_cannot_be_opened() -> None:
    copied: dict[int, Any] = {}

    def tamper(world: World, seat: int, message: Message) -> cheats.Sent | None:
        table = world.nodes[0].table
        if message.kind == "commit":
            theirs = [parse(data) for data in table.mine()]
            body = next((m.body() for m in theirs if m.kind == "commit"), None)
            if body is None:
                return {}
            copied[message.step] = body
            return cheats.to_all(world, seat, cheats.forge(world, message, body=body))
        return None

    world = played(cheat=tamper)
    for node in world.honest:
        assert not node.table.over
        assert node.table.blame is None or node.table.blame.code in (
            "reveal-mismatch",
            "two-messages",
        )


@pytest.mark.parametrize("kind", ["key", "shuffled", "share"])
def test_a_bad_proof_convicts(kind: str) -> None:
    world = played(cheat=cheats.altered(kind, cheats.flipped))
    for node in world.honest:
        assert node.table.blame is not None
        assert node.table.blame.seat == 1
        verdict = audit(node.table.transcript.data())
        assert (verdict.good, verdict.seat) == (False, 1)


def test_a_message_out_of_turn_is_never_applied() -> None:
    def early_shuffle(world: World, message: Message) -> list[bytes]:
        # A well-signed message for steps in which seat 1 owes nothing, or that are not open yet.
        return [
            cheats.forge(world, message, step=message.step + ahead, kind="shuffled", body=b"")
            for ahead in (40, 100)
        ]

    world = played(cheat=cheats.besides("key", early_shuffle))
    assert_finished_alike(world)
    assert all(node.table.refused["far-ahead"] > 0 for node in world.honest)


def test_a_future_message_after_a_past_that_never_was_has_no_effect() -> None:
    def future(world: World, message: Message) -> list[bytes]:
        return [cheats.forge(world, message, step=message.step + 2, prev=bytes(32))]

    assert_finished_alike(played(cheat=cheats.besides("commit", future)))


def test_garbage_falls_off_at_the_boundary() -> None:
    world = played(cheat=cheats.besides("commit", cheats.garbage))
    assert_finished_alike(world)
    for node in world.honest:
        assert {"size", "encoding", "envelope"} <= node.table.refused.keys()


def test_a_flood_of_signed_messages_takes_no_memory() -> None:
    def flood(world: World, message: Message) -> list[bytes]:
        if world.nodes[0].table.step > 30:
            return []
        return [
            cheats.forge(world, message, step=message.step + 40 + ahead, body=bytes(1000))
            for ahead in range(300)
        ]

    world = played(cheat=cheats.besides("commit", flood), seats=3)
    assert_finished_alike(world)
    assert all(node.table.refused["far-ahead"] > 300 for node in world.honest)


def test_the_same_seed_is_the_same_world() -> None:
    one, two = played(STORM), played(STORM)
    assert one.delivered == two.delivered
    assert one.nodes[0].table.transcript.data() == two.nodes[0].table.transcript.data()
