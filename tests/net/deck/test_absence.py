"""Seats that leave the sealed deck, wherever they do, and come back: the game goes on for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import combinations, product
from typing import Any

import pytest

from net.deck.group import EDWARDS, Group, total
from net.deck.sealed import SealedDeck
from net.deck.verified import Verified
from net.play.rounds import Present, Redealt, Void
from rules.game import Face, Seat, Slot
from tests.net.deck.driver import Circle, Convicted, Said
from tests.net.deck.groups import TOY
from tests.net.deck.small import GAME, Game

BOTH = pytest.mark.parametrize("group", [EDWARDS, TOY], ids=["edwards", "toy"])
MODES: dict[str, dict[str, Any]] = {
    "plain": {},
    "escrow": {"escrow": True},
    "referee": {"escrow": True, "referee": True},
}
SEATS = 3
VERIFIED = Verified(1 << 16)
"""Proofs made before somebody leaves are the same in every run and need checking once."""


def circle(mode: str = "plain", seats: int = SEATS, **more: Any) -> Circle:
    """A table of tests."""
    return Circle(seats, TOY, verified=VERIFIED, **MODES[mode], **more)


def steps(mode: str) -> int:
    """How many steps the game has when nobody leaves."""
    table = circle(mode)
    Game(table)
    return table.step


def said(table: Circle, since: int = 0) -> list[str]:
    """Kinds and seats of contributions."""
    return [f"{one.kind} {one.seat}" for one in table.log[since:]]


# Wherever somebody leaves.


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", MODES)
def test_the_game_goes_on_wherever_a_seat_leaves(mode: str) -> None:
    """Without escrow all is dealt anew once at most; with it, only while a shuffle is under way."""
    redealt = Counter[int]()
    for step in range(0, steps(mode), 2 if mode == "escrow" else 1):
        for seat in range(SEATS):
            game = Game(circle(mode, leaves={step: (seat,)}))
            redealt[game.redealt] += 1
    assert redealt.keys() == ({0, 1} if mode == "plain" else {0})


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", MODES)
def test_the_game_goes_on_wherever_two_seats_leave(mode: str) -> None:
    pairs = [
        pair
        for pair in product(combinations(range(0, steps("plain") + 8, 2), 2), range(SEATS))
        if (pair[0][0] + 2 * pair[0][1] + pair[1]) % 11 == 0
    ]
    for (first, second), stays in pairs:
        one, other = (seat for seat in range(SEATS) if seat != stays)
        Game(circle(mode, leaves={first: (one,), second: (other,)}))


@pytest.mark.parametrize("mode", MODES)
def test_the_game_goes_on_when_two_of_four_leave_at_once(mode: str) -> None:
    for step in range(0, 30, 3):
        Game(circle(mode, 4, leaves={step: (1, 2)}))


@pytest.mark.parametrize("mode", ["plain", "referee"])
def test_who_comes_back_shuffles_all_that_is_sealed_and_sees_its_cards(mode: str) -> None:
    """The eye of the game checks what the returned seat sees and who made what is sealed."""
    for step in range(0, steps(mode), 3):
        for seat in range(SEATS):
            back = 2 + (step + seat) % 9
            Game(circle(mode, leaves={step: (seat,)}), returns={back: (seat,)})


def test_the_referee_may_leave_anywhere_too() -> None:
    for step in range(0, steps("referee"), 2):
        game = Game(circle("referee", leaves={step: (SEATS,), step + 1: (1,)}))
        assert game.redealt <= 2


@pytest.mark.parametrize("mode", MODES)
def test_seats_killed_anywhere_say_the_very_same_although_one_is_absent(mode: str) -> None:
    leaves = {9: (1,)}
    first = circle(mode, leaves=leaves)
    Game(first)
    for stop in range(0, len(first.log), 3):
        again = circle(mode, leaves=leaves, known=first.log[:stop])
        Game(again)
        assert [one.body for one in again.log] == [one.body for one in first.log]


# Who makes a pack.


def test_a_pack_is_made_by_those_who_are_present() -> None:
    table = circle(seats=4, leaves={0: (2,)})
    slots = table.run(lambda deck: deck.shuffle((1, 2, 3)))
    assert slots == (0, 1, 2)
    assert said(table) == [
        *("keyhash 0", "keyhash 1", "keyhash 3"),
        *("keyhash 0", "keyhash 1", "keyhash 3"),
        *("key 0", "key 1", "key 3"),
        *("shuffled 0", "shuffled 1", "shuffled 3"),
    ]
    pack = table.decks[0]._tokens[0].pack
    assert tuple(pack.keys) == (0, 1, 3)
    assert pack.number == 1
    assert pack.joint == total(TOY, pack.keys.values())
    start = len(table.log)
    table.run(lambda deck: deck.deal(slots[:1], 3))
    found = dict(table.run(lambda deck: deck.open(slots)))
    assert sorted(found.values()) == [1, 2, 3]
    assert said(table, start) == ["share 0", "share 1", "share 0", "share 1", "share 3"]


def test_a_shuffle_that_starts_over_has_other_keys() -> None:
    table = circle(leaves={4: (2,)})
    table.run(lambda deck: deck.shuffle((1, 2, 3)))
    assert said(table)[3:] == [
        *("key 0", "key 1", "key 2", "shuffled 0", "shuffled 1"),
        *("keyhash 0", "keyhash 1", "key 0", "key 1", "shuffled 0", "shuffled 1"),
    ]
    keys = [one.body[:8] for one in table.log if one.kind == "key"]
    assert len(set(keys)) == 5


def test_who_is_left_alone_shuffles_alone() -> None:
    table = circle(leaves={2: (0, 2)})
    slots = table.run(lambda deck: deck.shuffle((1, 2, 3, 4)))
    table.run(lambda deck: deck.deal(slots[:2], 1))
    found = dict(table.run(lambda deck: deck.open(slots)))
    assert sorted(found.values()) == [1, 2, 3, 4]
    assert said(table)[-4:] == ["keyhash 1", "key 1", "shuffled 1", "share 1"]


def test_a_bad_proof_convicts_although_the_shuffle_it_was_for_starts_over() -> None:
    def tamper(one: Said) -> Any:
        if (one.kind, one.seat) == ("shuffled", 0):
            return one.body[:-8] + bytes(8)
        return one.body

    table = circle(leaves={3: (1,)}, tamper=tamper)
    with pytest.raises(Convicted, match="seat 0: shuffle-proof"):
        table.run(lambda deck: deck.shuffle((1, 2, 3)))


def test_with_nobody_present_the_game_is_void() -> None:
    script = SealedDeck(bytes(32), 2, None, None).shuffle((1, 2))
    assert isinstance(next(script), Present)
    with pytest.raises(Void, match="nobody-present"):
        script.send({})


# Dealing anew.


def hand(table: Circle, faces: Sequence[Face], deals: dict[Seat, tuple[Slot, ...]]) -> None:
    """Shuffle and deal."""
    table.run(lambda deck: deck.shuffle(tuple(faces)))
    for seat, slots in deals.items():
        table.run(lambda deck, slots=slots, seat=seat: deck.deal(slots, seat))  # type: ignore[misc]


def all_open(table: Circle, count: int) -> dict[Slot, Face]:
    """Open all there is, dealt anew or not."""
    while True:
        try:
            return dict(table.run(lambda deck: deck.open(tuple(range(count)))))
        except Redealt:
            continue


def gone(table: Circle, *seats: Seat) -> None:
    """These are ruled absent from here on."""
    table.silent.update(seats)
    table.absent.update(seats)


@BOTH
def test_what_is_not_open_is_sealed_anew_and_dealt_again_to_who_had_seen_it(group: Group) -> None:
    table = Circle(3, group, verified=VERIFIED)
    hand(table, (1, 2, 3, 4, 5, 5), {0: (0, 1), 1: (1, 2), 2: (3,)})
    hand(table, (6, 7), {2: (6,)})
    opened = dict(table.run(lambda deck: deck.open((5,))))
    gone(table, 2)
    start = len(table.log)
    with pytest.raises(Redealt):
        table.run(lambda deck: deck.open((4,)))
    assert said(table, start) == [
        *("keyhash 0", "keyhash 1", "key 0", "key 1", "shuffled 0", "shuffled 1"),
        *("keyhash 0", "keyhash 1", "key 0", "key 1", "shuffled 0", "shuffled 1"),
        *("share 1", "reenc 1", "share 0"),
    ]
    tokens = table.decks[0]._tokens
    seen = [token.seen for token in tokens.values()]
    assert seen == [{0}, {0, 1}, {1}, {2}, set(), set(), {2}, set()]
    sights = [set(deck.sight) for deck in table.decks]
    assert sights == [{0, 1, 5}, {1, 2, 5}, {5}, {5}]
    found = dict(table.run(lambda deck: deck.open(tuple(range(8)))))
    assert found[5] == opened[5]
    assert sorted(found[slot] for slot in range(6)) == [1, 2, 3, 4, 5, 5]
    assert sorted(found[slot] for slot in (6, 7)) == [6, 7]


def test_nothing_is_sealed_anew_as_long_as_only_others_are_needed() -> None:
    table = circle()
    hand(table, (1, 2, 3), {0: (0, 1)})
    gone(table, 2)
    start = len(table.log)
    table.run(lambda deck: deck.open((0, 1)))
    assert said(table, start) == ["share 0"]


def test_a_slot_that_is_open_by_accident_keeps_its_face() -> None:
    """Slot 0 needs only the share of seat 0; slot 1 that of a seat that leaves in the same step."""
    table = circle()
    hand(table, (1, 2, 3), {0: (0,)})
    table.leaves = {table.step: (2,)}
    before = table.decks[0].sight[0]
    with pytest.raises(Redealt):
        table.run(lambda deck: deck.open((0, 1)))
    assert all(deck.sight == {0: before} for deck in table.decks)
    start = len(table.log)
    table.run(lambda deck: deck.deal((0,), 1))
    assert start == len(table.log)
    found = dict(table.run(lambda deck: deck.open((0, 1, 2))))
    assert sorted(found.values()) == [1, 2, 3]
    assert found[0] == before


def test_the_two_who_are_left_leave_while_all_is_sealed_anew() -> None:
    """Sealing anew starts over with whoever is left, from every step of it."""
    for step, seat in product(range(12), (0, 1)):
        table = circle(seats=4)
        hand(table, (1, 2, 3, 4, 5, 6), {0: (0,), 1: (0, 1), 3: (1, 2)})
        gone(table, 2)
        table.leaves = {table.step + step: (seat,)}
        with pytest.raises(Redealt):
            table.run(lambda deck: deck.open((5,)))
        tokens = table.decks[0]._tokens.values()
        present = {0, 1, 3} - table.absent
        assert all(token.pack.keys.keys() == present for token in tokens)
        for at in present:
            wanted = {slot for slot, token in enumerate(tokens) if at in token.seen}
            assert table.decks[at].sight.keys() == wanted
        assert sorted(all_open(table, 6).values()) == [1, 2, 3, 4, 5, 6]


# Cards for who is absent.


def test_a_member_that_is_absent_is_dealt_to_and_can_look_when_it_is_back() -> None:
    table = circle()
    hand(table, (1, 2, 3), {})
    gone(table, 1)
    start = len(table.log)
    table.run(lambda deck: deck.deal((0,), 1))
    assert said(table, start) == ["share 0", "share 2"]
    assert [set(deck.sight) for deck in table.decks] == [set(), {0}, set(), set()]
    table.back((1,))
    table.run(lambda deck: deck.welcome((1,)))
    found = dict(table.run(lambda deck: deck.open((0,))))
    assert said(table, start)[2:] == ["share 1"]
    assert found == table.decks[1].sight


def test_who_did_not_help_to_seal_is_dealt_its_cards_when_it_is_back() -> None:
    table = circle()
    gone(table, 1)
    hand(table, (1, 2, 3), {})
    start = len(table.log)
    table.run(lambda deck: deck.deal((0, 2), 1))
    assert said(table, start) == []
    assert table.decks[1].sight == {}
    table.back((1,))
    with pytest.raises(Redealt):
        table.run(lambda deck: deck.welcome((1,)))
    assert table.decks[1].sight.keys() == {0, 2}
    table.run(lambda deck: deck.deal((0, 2), 1))
    assert said(table, start)[-2:] == ["share 0", "share 2"]
    found = dict(table.run(lambda deck: deck.open((0, 1, 2))))
    assert sorted(found.values()) == [1, 2, 3]
    assert found.items() >= table.decks[1].sight.items()


def test_a_card_for_a_seat_that_is_here_and_did_not_help_to_seal_it_is_sealed_anew() -> None:
    table = circle()
    gone(table, 1)
    hand(table, (1, 2, 3), {0: (1,)})
    table.back((1,))
    with pytest.raises(Redealt):
        table.run(lambda deck: deck.deal((0,), 1))
    assert table.decks[1].sight == {}
    table.run(lambda deck: deck.deal((0,), 1))
    assert table.decks[1].sight.keys() == {0}


def test_nothing_happens_when_all_that_is_sealed_has_been_shuffled_by_who_is_back() -> None:
    table = circle("referee")
    hand(table, (1, 2, 3), {0: (1,)})
    gone(table, 1, 3)
    table.run(lambda deck: deck.open((1,)))
    table.back((1, 3))
    start = len(table.log)
    table.run(lambda deck: deck.welcome((1, 3)))
    gone(table, 2)
    table.run(lambda deck: deck.shuffle((4,)))
    table.run(lambda deck: deck.open((3,)))
    table.back((2,))
    table.run(lambda deck: deck.welcome((2, 3)))
    assert said(table, start)[-2:] == ["share 0", "share 1"]


@BOTH
def test_a_card_that_moves_to_an_absent_seat_is_renewed_by_all_who_are_there(group: Group) -> None:
    """Together they move the ciphertext; the old share of the absent seat does not open it."""
    table = Circle(4, group, verified=VERIFIED)
    hand(table, (1, 2, 3, 4), {0: (2,)})
    before = table.decks[3]._tokens[2].cipher
    old = dict(table.decks[3]._tokens[2].shares)
    gone(table, 1)
    start = len(table.log)
    table.run(lambda deck: deck.deal((2,), 1))
    assert said(table, start) == [
        *("reenc 0", "reenc 2", "reenc 3"),
        *("share 0", "share 2", "share 3"),
    ]
    token = table.decks[3]._tokens[2]
    assert token.cipher.a != before.a
    bodies = [one.body[: 2 * group.point_size] for one in table.log[start : start + 3]]
    halves = [(raw[: group.point_size], raw[group.point_size :]) for raw in bodies]
    assert len({tuple(token.cipher), tuple(before), *halves}) == 5
    tried = total(group, {**token.shares, 1: old[1]}.values())
    assert group.sub(token.cipher.b, tried) not in token.pack.faces
    assert table.decks[1].sight == {2: table.decks[0].sight[2]}
    assert [set(table.decks[at].sight) for at in (2, 3, 4)] == [set()] * 3
    table.back((1,))
    found = table.run(lambda deck: deck.open((2,)))
    assert found == ((2, table.decks[0].sight[2]),)


def test_of_those_who_renew_a_card_any_may_leave_meanwhile() -> None:
    for leavers in ((1,), (1, 0), (1, 2), (1, 0, 2)):
        table = circle(seats=4)
        hand(table, (1, 2, 3), {0: (2,)})
        table.leaves = {table.step: leavers[:1], table.step + 1: leavers[1:]}
        start = len(table.log)
        with pytest.raises(Redealt) if len(leavers) > 1 else nullcontext():
            table.run(lambda deck: deck.deal((2,), 1))
        makers = [seat for seat in (0, 2, 3) if seat not in leavers]
        assert said(table, start)[: len(makers)] == [f"reenc {seat}" for seat in makers]
        assert sorted(all_open(table, 3).values()) == [1, 2, 3]


def test_each_who_renews_a_card_is_convicted_for_its_own_lie() -> None:
    honest = circle(seats=4)
    hand(honest, (1, 2, 3), {0: (2,)})
    gone(honest, 1)
    honest.run(lambda deck: deck.deal((2,), 1))
    bodies = {one.seat: one.body for one in honest.log if one.kind == "reenc"}
    assert bodies.keys() == {0, 2, 3}
    for seat, body in bodies.items():
        other = next(bodies[each] for each in bodies if each != seat)
        for lie in (other, other[:16] + body[16:], body[:16] + other[16:], body[:-8] + bytes(8)):
            table = circle(seats=4)
            hand(table, (1, 2, 3), {0: (2,)})
            gone(table, 1)
            table.tamper = lambda one, seat=seat, lie=lie: (
                lie if (one.kind, one.seat) == ("reenc", seat) else one.body
            )
            with pytest.raises(Convicted, match=f"seat {seat}: reenc-"):
                table.run(lambda deck: deck.deal((2,), 1))


def test_a_game_on_edwards25519_goes_on_without_a_seat_that_comes_back() -> None:
    for mode in MODES.values():
        table = Circle(3, EDWARDS, verified=Verified(), leaves={11: (1,)}, **mode)
        Game(table, GAME, returns={6: (1,)})
