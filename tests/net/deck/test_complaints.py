"""Lies about escrow: bad pieces, false complaints, wrong shares; each convicts whose it is."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from net.deck import escrow, sigma
from net.deck.group import EDWARDS, POISONED, Group
from net.play.digest import digest, number
from net.play.stream import Source
from rules.game import Seat
from tests.net.deck.driver import Circle, Convicted, Said, secret_of
from tests.net.deck.groups import TOY
from tests.net.deck.trio import REFEREE, SEATS, circle, game, of

BOTH = pytest.mark.parametrize("group", [EDWARDS, TOY], ids=["edwards", "toy"])


def log_of(group: Group) -> list[Said]:
    """The contributions of an honest game in which seat 1 is missed."""
    table = circle(group)
    table.run(game)
    return table.log


LOGS = {group.name: log_of(group) for group in (EDWARDS, TOY)}


def convicted(group: Group, at: int, lie: Any) -> str:
    """The code for which the right seat is convicted when contribution ``at`` is ``lie``."""
    log = LOGS[group.name]
    table = circle(group, known=log[: at + 1])
    table.tamper = lambda said: lie if len(table.log) == at else said.body
    with pytest.raises(Convicted) as caught:
        table.run(game)
    assert caught.value.seat == log[at].seat
    return caught.value.code


def places(group: Group, kind: str, count: int = 99) -> list[int]:
    """Where contributions of a kind are."""
    return [at for at, said in enumerate(LOGS[group.name]) if said.kind == kind][:count]


@BOTH
def test_a_flip_in_any_field_of_a_key_with_a_deposit_convicts_its_owner(group: Group) -> None:
    random = Random(511)
    codes = {"point", "scalar", "key-hash", "key-proof", "escrow-piece"}
    size = min(group.point_size, group.scalar_size)
    found = set()
    for at in places(group, "key"):
        good = LOGS[group.name][at].body
        for field in range(0, len(good), size):
            place, bit = field + random.randrange(size - 1), random.randrange(8)
            flipped = bytearray(good)
            flipped[place] ^= 1 << bit
            code = convicted(group, at, bytes(flipped))
            assert code in codes
            found.add(code)
    assert "escrow-piece" in found


def test_who_masks_with_anothers_point_is_convicted() -> None:
    """Else a complaint about its pieces would unmask the other's."""
    first, second, _, *later = places(TOY, "key")
    bodies = {at: LOGS[TOY.name][at].body for at in (first, second, later[0])}
    start, end = 8 + 16 + 16, 8 + 16 + 16 + 32
    for other in (first, later[0]):
        point = bodies[other][start:end]
        double = bytes(EDWARDS.mul(2, EDWARDS.decode(point)))
        good = bodies[second]
        for proof in (good[end : end + 64], bodies[other][end : end + 64]):
            for copied in (point, double):
                lie = good[:start] + copied + proof + good[end + 64 :]
                assert convicted(TOY, second, lie) == "key-proof"


@pytest.mark.sampled(2)
@BOTH
def test_a_flip_in_any_field_of_what_a_stand_in_says_convicts_the_stand_in(group: Group) -> None:
    random = Random(512)
    size = group.point_size
    for at in places(group, "stead"):
        good = LOGS[group.name][at].body
        for field in range(0, len(good), size):
            place, bit = field + random.randrange(size - 1), random.randrange(8)
            flipped = bytearray(good)
            flipped[place] ^= 1 << bit
            assert convicted(group, at, bytes(flipped)) in {"point", "scalar", "share-proof"}


@BOTH
def test_a_stand_in_that_repeats_another_or_itself_is_convicted(group: Group) -> None:
    log = LOGS[group.name]
    for at in places(group, "stead"):
        for other in (*places(group, "stead"), *places(group, "share")):
            if other != at and len(log[other].body) == len(log[at].body):
                assert convicted(group, at, log[other].body) == "share-proof"


@pytest.mark.parametrize("kind", ["key", "stead"])
def test_a_body_of_another_kind_or_length_convicts_its_seat(kind: str) -> None:
    at = places(TOY, kind)[1]
    good = LOGS[TOY.name][at].body
    for lie in (None, 0, "", [], [good], b"", good[:-1], good + b"\0", good[:24], good * 2):
        assert convicted(TOY, at, lie) == "bad-body"


def complaint_of(holder: int, owner: Seat, said: Said, deposit: bytes) -> list[Any]:
    """A complaint with a true point and a true proof, whatever the piece is."""
    point = EDWARDS.decode(deposit[8 + 16 + 16 :][:32])
    me = of(holder)
    context = digest(b"farfadet deck", said.here.context(holder), number(0), number(SEATS))
    (shared,), proof = sigma.make_shares(
        EDWARDS, context, me.scalar, me.key(holder), [point], secret_of(holder)
    )
    return [owner, bytes(shared), proof]


@pytest.mark.parametrize("holder", [0, 2, REFEREE])
def test_who_complains_of_a_good_piece_is_convicted(holder: int) -> None:
    at = next(at for at in places(TOY, "held") if LOGS[TOY.name][at].seat == holder)
    deposit = LOGS[TOY.name][places(TOY, "key")[1]].body
    good = complaint_of(holder, 1, LOGS[TOY.name][at], deposit)
    assert convicted(TOY, at, good) == "false-complaint"


def test_what_is_no_complaint_convicts_its_seat() -> None:
    at, _, other, _ = places(TOY, "held", 4)
    deposit = LOGS[TOY.name][places(TOY, "key")[1]].body
    good = complaint_of(0, 1, LOGS[TOY.name][at], deposit)
    stolen = complaint_of(2, 1, LOGS[TOY.name][other], deposit)
    owner, shared, proof = good
    lies: dict[str, list[Any]] = {
        "bad-body": [
            *(
                0,
                False,
                b"",
                "",
                [],
                [owner],
                [owner, shared],
                [*good, 0],
                [[owner], shared, proof],
            ),
            *([True, shared, proof], [0, shared, proof], [3, shared, proof], [-1, shared, proof]),
            *([owner, shared[:-1], proof], [owner, shared, proof + b"\0"], [owner, proof, shared]),
            *([owner, shared, None], [owner, 7, proof], [2**60, shared, proof]),
        ],
        "point": [[owner, raw, proof] for raw in (bytes(32), EDWARDS.identity, POISONED)],
        "scalar": [[owner, shared, b"\xff" * 64], [owner, shared, proof[:32] + b"\xff" * 32]],
        "share-proof": [
            stolen,
            [2, shared, proof],
            [owner, stolen[1], proof],
            [owner, bytes(EDWARDS.base(5)), proof],
            [owner, shared, bytes(64)],
        ],
    }
    for code, bodies in lies.items():
        for body in bodies:
            assert convicted(TOY, at, body) == code


def wrong_piece(split: Any, x: int, indices: Any, index: int, source: Source) -> escrow.Escrow:
    """The piece of one holder is another than the commitments say."""
    made: escrow.Escrow = split(TOY, x, indices, len(indices), source)
    return escrow.Escrow(made.commitments, {**made.pieces, index: made.pieces[index] + 1})


def zero_piece(split: Any, x: int, indices: Any, index: int, source: Source) -> escrow.Escrow:
    """The polynomial is zero at one holder, who would publish the identity; all else is right."""
    q, square = TOY.order, 1 + source.below(TOY.order - 1)
    slope = -(x + square * index**2) * pow(index, -1, q) % q
    pieces = {at: (x + slope * at + square * at**2) % q for at in indices}
    assert pieces[index] == 0
    return escrow.Escrow((TOY.base(x), TOY.base(slope), TOY.base(square)), pieces)


@pytest.mark.parametrize("crooked", [wrong_piece, zero_piece])
@pytest.mark.parametrize("holder", [0, 2, REFEREE])
def test_who_gives_a_bad_piece_is_convicted_by_its_holder(
    holder: int, crooked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    split, x = escrow.split, Circle(SEATS, TOY).decks[1]._party.key(0)

    def patched(group: Group, key: int, indices: Any, threshold: int, source: Source) -> Any:
        if key == x:
            return crooked(split, key, indices, holder + 1, source)
        return split(group, key, indices, threshold, source)

    monkeypatch.setattr(escrow, "split", patched)
    table = circle(missed=None)
    with pytest.raises(Convicted, match="seat 1: escrow-piece"):
        table.run(game)
    complaints = [said for said in table.log if said.body is not None and said.kind == "held"]
    assert [(said.seat, said.body[0]) for said in complaints] == [(holder, 1)]


def test_whose_piece_is_bad_is_convicted_although_it_has_left() -> None:
    at = places(TOY, "key")[1]
    good = LOGS[TOY.name][at].body

    def tamper(said: Said) -> Any:
        return good[:-1] + bytes([good[-1] ^ 1]) if len(table.log) == at else said.body

    table = circle(missed=2, tamper=tamper)
    with pytest.raises(Convicted, match="seat 1: escrow-piece"):
        table.run(game)
