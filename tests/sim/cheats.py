"""Seats that break the protocol, each in one way: what they send in place of an honest message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from net.play import wire
from net.play.wire import Message, pack
from rules.game import Seat
from tests.sim.world import Tamper, World

Sent = dict[Seat, list[bytes]]


def forge(world: World, message: Message, **changes: Any) -> bytes:
    """``message`` with some fields changed, signed again by the cheat itself."""
    fields: dict[str, Any] = {
        "seq": message.seq,
        "step": message.step,
        "prev": message.prev,
        "kind": message.kind,
        "body": message.body(),
    }
    fields |= changes
    key = world.players[message.seat].key
    return wire.compose(key, message.table, message.seat, **fields).data


def to_all(world: World, seat: Seat, *payloads: bytes) -> Sent:
    """The same payloads for every other seat."""
    return {to: list(payloads) for to in range(len(world.nodes)) if to != seat}


def altered(kind: str, change: Callable[[World, Message], dict[str, Any]]) -> Tamper:
    """Sends every message of ``kind`` with changed fields."""

    def tamper(world: World, seat: Seat, message: Message) -> Sent | None:
        if message.kind != kind:
            return None
        return to_all(world, seat, forge(world, message, **change(world, message)))

    return tamper


def two_faced(kind: str, change: Callable[[World, Message], dict[str, Any]]) -> Tamper:
    """Shows its true message of ``kind`` to the even seats and a changed one to the odd ones."""

    def tamper(world: World, seat: Seat, message: Message) -> Sent | None:
        if message.kind != kind:
            return None
        other = forge(world, message, **change(world, message))
        return {
            to: [other if to % 2 else message.data] for to in range(len(world.nodes)) if to != seat
        }

    return tamper


def besides(kind: str, extra: Callable[[World, Message], list[bytes]]) -> Tamper:
    """Sends ``extra`` payloads to everybody before each true message of ``kind``."""

    def tamper(world: World, seat: Seat, message: Message) -> Sent | None:
        if message.kind != kind:
            return None
        return to_all(world, seat, *extra(world, message), message.data)

    return tamper


def silent_at(kind: str, times: int = 1) -> Tamper:
    """Says nothing any more, from its message of ``kind`` number ``times`` on."""
    seen: set[int] = set()

    def tamper(world: World, seat: Seat, message: Message) -> Sent | None:
        if message.kind == kind:
            seen.add(message.step)
        if len(seen) < times:
            return None
        world.cut.add(seat)
        return {}

    return tamper


def another_commitment(_: World, __: Message) -> dict[str, Any]:
    """Some other 32 bytes."""
    return {"body": bytes(32)}


def flipped(_: World, message: Message) -> dict[str, Any]:
    """The body with the last bit of its last byte string turned."""
    body = message.body()
    assert isinstance(body, bytes)
    return {"body": body[:-1] + bytes([body[-1] ^ 1])}


def swapped_move(_: World, message: Message) -> dict[str, Any]:
    """A reveal of another move than the one committed to."""
    nonce, move = message.body()
    return {"body": [nonce, [move[0], *(((field or 0) + 1) % 2 for field in move[1:])]]}


def garbage(world: World, message: Message) -> list[bytes]:
    """What a fuzzing seat throws at the table: all of it must fall off at the boundary."""
    raw = message.raw
    deep = b"\x91" * 5000 + b"\xc0"
    nested: Any = 0
    for _ in range(400):
        nested = [nested]
    return [
        b"",
        bytes(64),
        world.source.randbytes(200),
        bytes(10_000_000),
        raw,
        deep + bytes(64),
        pack(nested) + bytes(64),
        pack({"a": 1}) + bytes(64),
        pack(1.5) + bytes(64),
        pack([1, message.table, 63, 0, 0, bytes(32), "commit", b""]) + bytes(64),
        pack([1, message.table, -1, 0, 0, bytes(32), "commit", b""]) + bytes(64),
        pack([1, message.table, message.seat, 0, 10**9, bytes(32), "x", b""]) + bytes(64),
        message.data[:-1],
        message.data + b"\0",
    ]
