"""Escrow as the deck plays with it: masked pieces, complaints, and shares by stand-ins."""

from __future__ import annotations

import pytest
from nacl.signing import SigningKey

from net.deck import escrow, standing
from net.deck.group import EDWARDS, POISONED, Group
from net.deck.party import Party
from net.deck.sealed import SealedDeck
from net.deck.standing import Standing, make_deposit, own_piece, read_deposit
from net.deck.verified import Verified
from net.play.digest import digest, number
from net.play.rounds import Redealt
from tests.net.deck.driver import Circle
from tests.net.deck.groups import TOY
from tests.net.deck.trio import FACES, KEYS, REFEREE, VERIFIED, circle, game, of

BOTH = pytest.mark.parametrize("group", [EDWARDS, TOY], ids=["edwards", "toy"])
HERE = digest(b"test", b"here")


# Keys and pieces.


def test_the_scalar_of_a_table_key_is_the_logarithm_of_its_public_key() -> None:
    for seed in range(50):
        key = SigningKey(digest(b"test", number(seed)))
        alone = Standing((bytes(key.verify_key),), key)
        assert EDWARDS.base(alone.scalar) == bytes(key.verify_key)


def test_a_key_that_is_no_point_is_refused() -> None:
    for bad in (POISONED, bytes(EDWARDS.identity), bytes(32), bytes(31), b"\xff" * 32):
        with pytest.raises(ValueError, match="edwards25519"):
            Standing((*KEYS, bad), None)


def test_the_members_are_the_seats_and_perhaps_a_referee_with_their_own_keys() -> None:
    secret = bytes(32)

    def deck(seats: int, me: int | None, agreed: Standing) -> SealedDeck:
        return SealedDeck(bytes(32), seats, me, None if me is None else secret, standing=agreed)

    for seats in (3, 4):
        deck(seats, 3, of(3))
        deck(seats, 2, of(2))
        deck(seats, None, Standing(KEYS, None))
    for seats in (2, 5):
        with pytest.raises(ValueError, match="members"):
            deck(seats, 1, of(1))
    for seats, me, own in ((3, 1, of(2)), (3, 1, Standing(KEYS, None)), (4, 4, of(3))):
        with pytest.raises(ValueError, match="private key"):
            deck(seats, me, own)
    with pytest.raises(ValueError, match="referee"):
        SealedDeck(bytes(32), 3, 4, secret)


def test_nobody_holds_a_piece_alone() -> None:
    def party(members: int, seats: int) -> Party:
        keys = KEYS[:members]
        return Party(bytes(32), seats, None, None, TOY, Verified(), Standing(keys, None))

    assert party(4, 3).holders((0, 1, 2), 1) == (0, 2, 3)
    assert party(4, 3).holders((1, 2), 1) == (2, 3)
    assert party(4, 3).holders((1,), 1) == ()
    assert party(3, 3).holders((0, 1, 2), 2) == (0, 1)
    assert party(3, 3).holders((0, 1), 1) == ()
    assert party(3, 2).holders((0, 1), 0) == (1, 2)
    assert party(2, 2).holders((0, 1), 0) == ()
    nobody = Party(bytes(32), 3, None, None, TOY, Verified(), None)
    assert nobody.holders((0, 1, 2), 0) == nobody.referee == ()


@BOTH
def test_each_holder_reads_its_own_piece_and_no_other(group: Group) -> None:
    x, holders = 424242, (0, 2, 3)
    raw = make_deposit(group, of(1), HERE, x, holders, b"secret")
    assert len(raw) == standing.deposit_size(group, 3)
    deposit = read_deposit(group, HERE, group.base(x), holders, raw)
    pieces = {holder: own_piece(of(holder), deposit, holder) for holder in holders}
    for holder, piece in pieces.items():
        assert deposit.good(group, holder, piece)
        assert deposit.key(group, holder) == group.base(piece)
        for other in holders:
            if other != holder:
                shared = EDWARDS.mul(of(other).scalar, deposit.point)
                assert not deposit.good(group, holder, deposit.piece(holder, shared))
    a = group.hash(b"a slot")
    shares = {holder + 1: group.mul(piece, a) for holder, piece in pieces.items()}
    assert escrow.recover(group, shares, 3) == group.mul(x, a)


def test_a_deposit_is_made_again_as_it_was_and_is_another_anywhere_else() -> None:
    made = [
        make_deposit(TOY, of(0), context, x, (1, 2), secret)
        for context, x, secret in (
            (HERE, 77, b"s"),
            (HERE, 77, b"s"),
            (digest(b"test", b"there"), 77, b"s"),
            (HERE, 77, b"t"),
        )
    ]
    assert made[0] == made[1]
    parts = [raw[at : at + 8] for raw in made[1:] for at in range(0, len(raw), 8)]
    assert len(set(parts)) == len(parts)


# At the table.


@BOTH
def test_all_others_stand_in_for_who_is_absent(group: Group) -> None:
    """Nothing is sealed anew, and each holder sends one message a request, of the size told."""
    table = circle(group)
    table.run(game)
    kinds = [f"{said.kind} {said.seat}" for said in table.log]
    confirmed = ["held 0", "held 1", "held 2", "held 3"]
    assert kinds[6:10] == confirmed
    assert all(said.body is None for said in table.log if said.kind == "held")
    stead = ["stead 0", "stead 2", "stead 3"]
    shuffles = 2 * (3 + 3 + 4 + 3)
    assert kinds[shuffles:] == [
        *("share 0", "share 2"),
        *("share 2", *stead),
        *("share 0", "share 2", *stead),
        *("reenc 2", "share 0", *stead),
        *("share 0", "share 2", *stead),
    ]
    point, scalar = group.point_size, group.scalar_size
    keys = {len(said.body) for said in table.log if said.kind == "key"}
    assert keys == {point + 2 * scalar + 2 * point + 32 + 64 + 3 * scalar}
    sizes = [len(said.body) for said in table.log if said.kind == "stead" and said.seat == 3]
    assert sizes == [
        count * point + proofs * 2 * scalar for count, proofs in ((2, 1), (2, 2), (1, 1), (6, 2))
    ]
    for deck in table.decks:
        assert sorted(deck.sight.values()) == sorted((*FACES, 8, 9, 9))


def test_what_stand_ins_say_is_what_the_owner_would_have_said() -> None:
    absent, here = circle(), circle(missed=None)
    for table in (absent, here):
        table.run(game)
    tokens = zip(absent.decks[0]._tokens.values(), here.decks[0]._tokens.values(), strict=True)
    same = 0
    for one, other in tokens:
        assert one.face(TOY) == other.face(TOY)
        if one.cipher == other.cipher:
            assert one.shares == other.shares
            same += 1
    assert same == len(FACES) + 3 - 1


def test_without_enough_members_there_is_no_escrow() -> None:
    two = Circle(2, TOY, escrow=True, verified=VERIFIED)
    plain = Circle(2, TOY, verified=VERIFIED)
    for table in (two, plain):
        table.run(lambda deck: deck.shuffle(FACES))
    assert [said.body for said in two.log] == [said.body for said in plain.log]
    left = Circle(3, TOY, escrow=True, verified=VERIFIED, leaves={0: (1,)})
    left.run(lambda deck: deck.shuffle(FACES))
    assert all(said.kind != "held" for said in left.log)


def test_two_seats_and_a_referee_have_escrow() -> None:
    table = Circle(2, TOY, escrow=True, referee=True, verified=VERIFIED)
    slots = table.run(lambda deck: deck.shuffle(FACES))
    table.leaves = {table.step: (0,)}
    table.run(lambda deck: deck.deal(slots[:1], 1))
    found = dict(table.run(lambda deck: deck.open(slots)))
    assert sorted(found.values()) == sorted(FACES)
    assert found.items() >= table.decks[1].sight.items()


def test_the_referee_never_sees_a_card_and_is_asked_for_nothing_but_its_pieces() -> None:
    table = circle(missed=None)
    slots = table.run(lambda deck: deck.shuffle(FACES))
    table.leaves = {table.step: (1,)}
    table.run(lambda deck: deck.deal(slots[:3], 0))
    table.run(lambda deck: deck.deal(slots[:3], 2))
    assert table.decks[REFEREE].sight == table.decks[-1].sight == {}
    assert {said.kind for said in table.log if said.seat == REFEREE} == {"held", "stead"}


@pytest.mark.parametrize("later", [0, 1])
@pytest.mark.parametrize("leaver", [0, 2, REFEREE])
def test_if_another_holder_is_missed_all_is_sealed_anew(leaver: int, later: int) -> None:
    """Before the stand-ins are asked, or when they are."""
    table = circle(missed=None)
    slots = table.run(lambda deck: deck.shuffle(FACES))
    table.leaves = {table.step: (1,), table.step + later: (1, leaver)}
    with pytest.raises(Redealt):
        table.run(lambda deck: deck.open(slots))
    present = {0, 1, 2} - table.absent
    assert set(table.decks[0]._tokens[0].pack.keys) == present
    found = dict(table.run(lambda deck: deck.open(slots)))
    assert sorted(found.values()) == sorted(FACES)


def test_a_pack_whose_pieces_the_referee_has_not_confirmed_has_no_escrow() -> None:
    table = circle(missed=None)
    table.silent.add(REFEREE)
    slots = table.run(lambda deck: deck.shuffle(FACES))
    table.back((REFEREE,))
    table.leaves = {table.step: (1,)}
    with pytest.raises(Redealt):
        table.run(lambda deck: deck.open(slots))
    assert all(said.kind != "stead" for said in table.log)
    table.leaves = {table.step: (0,)}
    found = dict(table.run(lambda deck: deck.open(slots)))
    assert sorted(found.values()) == sorted(FACES)
    assert {said.seat for said in table.log if said.kind == "stead"} == {2, REFEREE}


def test_long_work_of_stand_ins_is_done_in_jobs() -> None:
    table = circle(missed=None)
    slots = table.run(lambda deck: deck.shuffle(FACES))
    table.leaves = {table.step: (1,)}
    table.jobs.clear()
    table.run(lambda deck: deck.open(slots[:2]))
    assert table.jobs == []
    table.run(lambda deck: deck.deal(slots[2:], 2))
    assert set(table.jobs) == {"share", "check-share"}
