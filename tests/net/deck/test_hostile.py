"""Seats that lie to the sealed deck: every message refused, every time the right seat convicted."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from net.deck import shuffle
from net.deck.group import EDWARDS, POISONED, Cipher, Group
from net.deck.sealed import SealedDeck
from net.deck.verified import Verified
from net.play.digest import digest, number
from net.play.rounds import Fault, Here, Round, Script
from net.play.stream import Stream
from rules.game import Seat
from tests.net.deck.driver import Circle, Convicted, Said, secret_of
from tests.net.deck.groups import TOY, encrypt

BOTH = pytest.mark.parametrize("group", [EDWARDS, TOY], ids=["edwards", "toy"])
SEATS = 3
FACES = (1, 2, 3, 4, 5, 6, 7, 8, 8)
CODES = {
    "bad-body",
    "point",
    "scalar",
    "key-hash",
    "key-proof",
    "shuffle-proof",
    "share-proof",
    "reenc-same",
    "reenc-proof",
}


def game(deck: SealedDeck) -> Script[None]:
    """A short game with every kind of message in it, from every seat; jobs and no jobs."""
    slots = yield from deck.shuffle(FACES)
    yield from deck.open(slots[:1])
    for to in range(SEATS):
        yield from deck.deal(slots[1:3], to)
    for to in reversed(range(SEATS)):
        yield from deck.deal(slots[1:], to)
    yield from deck.open(slots)


def log_of(group: Group) -> list[Said]:
    """The contributions of an honest game."""
    circle = Circle(SEATS, group)
    circle.run(game)
    return circle.log


VERIFIED = Verified(4096)
"""Honest proofs are the same in every game here and need checking once."""

LOGS = {group.name: log_of(group) for group in (EDWARDS, TOY)}


def convicted(group: Group, at: int, body: Any) -> Convicted:
    """The verdict when the contribution number ``at`` is replaced by ``body``."""
    log = LOGS[group.name]
    circle = Circle(SEATS, group, known=log[: at + 1], verified=VERIFIED)
    circle.tamper = lambda said: body if len(circle.log) == at else said.body
    with pytest.raises(Convicted) as caught:
        circle.run(game)
    assert caught.value.seat == log[at].seat
    assert caught.value.code in CODES
    return caught.value


def kinds(group: Group) -> dict[str, int]:
    """The place in the game of one message of each kind, never the first seat's."""
    return {said.kind: at for at, said in enumerate(LOGS[group.name]) if said.seat == 1}


def test_the_game_has_every_kind_of_message_from_every_seat() -> None:
    for group in (EDWARDS, TOY):
        pairs = {(said.kind, said.seat) for said in LOGS[group.name]}
        every = ("keyhash", "key", "shuffled", "share", "reenc")
        assert {(kind, seat) for kind in every for seat in range(SEATS)} == pairs


@BOTH
def test_a_flip_in_any_field_of_any_message_convicts_its_seat(group: Group) -> None:
    random = Random(2024)
    size = 32 if group is EDWARDS else 8
    for at, said in enumerate(LOGS[group.name]):
        fields = range(0, len(said.body), size)
        if group is EDWARDS and len(fields) > 8:
            fields = range(0, len(said.body), size * 7)
        for field in fields:
            place, bit = field + random.randrange(size - 1), random.randrange(8)
            flipped = bytearray(said.body)
            flipped[place] ^= 1 << bit
            convicted(group, at, bytes(flipped))


@pytest.mark.parametrize("kind", ["keyhash", "key", "shuffled", "share", "reenc"])
def test_a_body_of_another_kind_or_length_convicts_its_seat(kind: str) -> None:
    at = kinds(TOY)[kind]
    good = LOGS[TOY.name][at].body
    bodies: list[Any] = [
        None,
        True,
        0,
        -1,
        2**63,
        "",
        "x" * min(len(good), 256),
        [],
        [good],
        [[[]]],
        b"",
        good[:-1],
        good + b"\0",
        good * 2,
    ]
    for body in bodies:
        assert convicted(TOY, at, body).code == "bad-body"


@BOTH
@pytest.mark.parametrize("kind", ["key", "shuffled", "share", "reenc"])
def test_bad_points_convict_their_seat_wherever_they_stand(group: Group, kind: str) -> None:
    at = kinds(group)[kind]
    good = LOGS[group.name][at].body
    size = group.point_size
    for first in {0, size} if kind != "key" else {0}:
        for point in (group.identity, bytes(size), b"\xff" * size, POISONED[-size:]):
            body = good[:first] + point + good[first + size :]
            code = convicted(group, at, body).code
            assert code == ("key-hash" if kind == "key" else "point")


def test_a_hash_of_a_bad_key_does_not_help() -> None:
    """A seat that commits to a bad key and then opens it is convicted by the key itself."""
    for point in (EDWARDS.identity, POISONED, bytes(32)):

        def tamper(said: Said, point: bytes = point) -> Any:
            if said.seat != 1:
                return said.body
            context = digest(b"farfadet deck", said.here.context(1), number(0), number(SEATS))
            if said.kind == "keyhash":
                return digest(b"farfadet keyhash", context, point)
            return point + said.body[32:]

        circle = Circle(SEATS, EDWARDS, tamper=tamper)
        with pytest.raises(Convicted) as caught:
            circle.run(game)
        assert (caught.value.seat, caught.value.code) == (1, "point")


@BOTH
def test_swapped_duplicated_and_foreign_points_convict_their_seat(group: Group) -> None:
    size = group.point_size
    foreign = bytes(group.base(31337))
    for kind in ("shuffled", "share", "reenc"):
        at = kinds(group)[kind]
        good = LOGS[group.name][at].body
        one, two, rest = good[:size], good[size : 2 * size], good[2 * size :]
        for body in (two + one + rest, one + one + rest, foreign + two + rest):
            assert (
                convicted(group, at, body).code
                == {
                    "shuffled": "shuffle-proof",
                    "share": "share-proof",
                    "reenc": "reenc-proof",
                }[kind]
            )


def test_the_old_deck_passed_on_with_its_proof_convicts_its_seat() -> None:
    log = LOGS[TOY.name]
    first, second = (at for at, said in enumerate(log) if said.kind == "shuffled" and said.seat < 2)
    assert convicted(TOY, second, log[first].body).code == "shuffle-proof"


@BOTH
def test_what_another_seat_said_convicts_who_repeats_it(group: Group) -> None:
    for at, said in enumerate(LOGS[group.name]):
        for other in LOGS[group.name]:
            if (other.kind, len(other.body)) == (said.kind, len(said.body)) and other is not said:
                convicted(group, at, other.body)


@BOTH
def test_what_was_said_at_another_table_convicts_who_repeats_it(group: Group) -> None:
    """The same secrets at another table: nothing said there serves here."""
    there = Circle(SEATS, group, table=b"other table".ljust(32))
    there.run(game)
    for kind, at in kinds(group).items():
        body = there.log[at].body
        assert there.log[at].kind == kind
        convicted(group, at, body)


def test_what_was_said_of_another_pack_or_step_convicts_who_repeats_it() -> None:
    def twice(deck: SealedDeck) -> Script[None]:
        yield from game(deck)
        yield from game(deck)

    honest = Circle(SEATS, TOY)
    honest.run(twice)
    half = len(LOGS[TOY.name])
    assert [said.body for said in honest.log[:half]] == [said.body for said in LOGS[TOY.name]]
    for kind, at in kinds(TOY).items():
        circle = Circle(SEATS, TOY)
        body = honest.log[at].body

        def tamper(said: Said, circle: Circle = circle, body: Any = body, at: int = at) -> Any:
            return body if len(circle.log) == at + half else said.body

        circle.tamper = tamper
        with pytest.raises(Convicted) as caught:
            circle.run(twice)
        assert caught.value.seat == 1
        assert (
            caught.value.code.split("-")[0]
            == {
                "keyhash": "key",
                "key": "key",
                "shuffled": "shuffle",
                "share": "share",
                "reenc": "reenc",
            }[kind]
        )


def test_a_key_made_from_the_others_keys_convicts_its_maker() -> None:
    """The rogue key: the last seat answers with its key minus the others', so it holds the sum."""
    keys = [said.body for said in LOGS[EDWARDS.name] if said.kind == "key"]
    others = EDWARDS.add(EDWARDS.decode(keys[0][:32]), EDWARDS.decode(keys[1][:32]))
    rogue = EDWARDS.sub(EDWARDS.decode(keys[2][:32]), others)
    at = next(i for i, s in enumerate(LOGS[EDWARDS.name]) if (s.kind, s.seat) == ("key", 2))
    assert convicted(EDWARDS, at, bytes(rogue) + keys[2][32:]).code == "key-hash"


BODIES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.binary(max_size=40) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@given(body=BODIES, kind=st.sampled_from(["keyhash", "key", "shuffled", "share", "reenc"]))
@settings(max_examples=300, deadline=None)
def test_no_body_at_all_ends_in_anything_but_a_fault(body: Any, kind: str) -> None:
    """Every check is tried with arbitrary bodies; only the keyhash may be any 32 bytes."""
    here = Here(bytes(32), 1, bytes(32))
    for round_ in ROUNDS[kind]:
        for seat in round_.seats:
            if kind == "keyhash" and isinstance(body, bytes) and len(body) == 32:
                round_.check(here, seat, body)
            else:
                with pytest.raises(Fault, match=r"bad-body|point|scalar|key-hash|-proof"):
                    round_.check(here, seat, body)


def rounds_of() -> dict[str, list[Round]]:
    """Every round of a game, by kind, as an onlooker's replica asks for it."""
    found: dict[str, list[Round]] = {}
    circle = Circle(SEATS, TOY)
    onlooker = circle.decks[-1]

    def listening(deck: SealedDeck) -> Script[None]:
        script = game(deck)
        answer: Any = None
        while True:
            try:
                asked = script.send(answer)
            except StopIteration:
                return
            if deck is onlooker and isinstance(asked, Round):
                found.setdefault(asked.kind, []).append(asked)
            answer = yield asked

    circle.run(listening)
    return found


ROUNDS = rounds_of()


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_random_bytes_of_the_right_length_convict_their_seat(data: st.DataObject) -> None:
    at = data.draw(st.sampled_from(sorted(kinds(TOY).values())))
    good = LOGS[TOY.name][at].body
    body = data.draw(st.binary(min_size=len(good), max_size=len(good)))
    if body != good:
        convicted(TOY, at, body)


def test_a_cheating_shuffler_with_a_working_prover_is_convicted() -> None:
    """Not a flipped bit but a whole cheat: another deck, proved with all the shuffler's secrets."""
    honest = LOGS[TOY.name]
    keys = [TOY.decode(said.body[:8]) for said in honest if said.kind == "key"]
    joint = TOY.add(TOY.add(keys[0], keys[1]), keys[2])
    before_raw = next(s.body for s in honest if (s.kind, s.seat) == ("shuffled", 0))[
        : len(FACES) * 16
    ]
    points = [TOY.decode(before_raw[at : at + 8]) for at in range(0, len(FACES) * 16, 8)]
    before = list(zip(points[::2], points[1::2], strict=True))
    source = Stream(secret_of(1), b"cheat")

    def cheat(said: Said) -> Any:
        if (said.kind, said.seat) != ("shuffled", 1):
            return said.body
        ciphers = shuffle.reencrypt(
            TOY,
            joint,
            [Cipher(*pair) for pair in before],
            order := source.permutation(len(FACES)),
            exponents := [source.below(TOY.order) for _ in FACES],
        )
        marked = (encrypt(TOY, joint, [TOY.hash(b"card", number(0))], [77])[0], *ciphers[1:])
        context = digest(b"farfadet deck", said.here.context(1), number(0), number(SEATS))
        proof = shuffle.prove(
            TOY,
            context,
            joint,
            [Cipher(*pair) for pair in before],
            marked,
            order,
            exponents,
            secret_of(1),
        )
        return b"".join(point for cipher in marked for point in cipher) + proof.write(TOY)

    circle = Circle(SEATS, TOY, tamper=cheat)
    with pytest.raises(Convicted) as caught:
        circle.run(game)
    assert (caught.value.seat, caught.value.code) == (1, "shuffle-proof")


def test_every_seat_is_convicted_for_its_own_lie() -> None:
    seen: set[tuple[Seat, str]] = set()
    for at, said in enumerate(LOGS[TOY.name]):
        verdict = convicted(TOY, at, said.body[:-8] + bytes(8))
        seen.add((verdict.seat, said.kind))
    assert len(seen) == SEATS * 5
