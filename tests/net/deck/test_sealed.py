"""The sealed deck played honestly: who sees what, what is said for it, and that it repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest

from net.deck.group import EDWARDS, Cipher, Group, Point, total
from net.deck.pack import Unsound, cards
from net.deck.sealed import SealedDeck
from net.deck.verified import Verified
from net.play.digest import digest, number
from net.play.rounds import Script
from net.play.stream import Stream
from rules.game import Face, Seat, Slot
from tests.net.deck.driver import Circle, secret_of
from tests.net.deck.groups import TOY

BOTH = pytest.mark.parametrize("group", [EDWARDS, TOY], ids=["edwards", "toy"])


def shuffled(circle: Circle, faces: Sequence[Face]) -> tuple[Slot, ...]:
    """Shuffle at every replica."""
    return circle.run(lambda deck: deck.shuffle(tuple(faces)))


def opened(circle: Circle, *slots: Slot) -> tuple[tuple[Slot, Face], ...]:
    """Open at every replica."""
    return circle.run(lambda deck: deck.open(slots))


def dealt(circle: Circle, to: Seat, *slots: Slot) -> list[str]:
    """Deal at every replica; the rounds it took."""
    before = len(circle.log)
    circle.run(lambda deck: deck.deal(slots, to))
    return [f"{said.kind} {said.seat}" for said in circle.log[before:]]


def sights(circle: Circle) -> list[dict[Slot, Face]]:
    """What each replica sees, the onlooker last."""
    return [dict(deck.sight) for deck in circle.decks]


@BOTH
@pytest.mark.parametrize("seats", [1, 2, 3, 5])
def test_all_faces_come_out_and_no_others(group: Group, seats: int) -> None:
    circle = Circle(seats, group)
    faces = [1, 1, 1, 2, 3, 3, 9]
    slots = shuffled(circle, faces)
    assert slots == tuple(range(7))
    assert sights(circle) == [{}] * (seats + 1)
    found = opened(circle, *slots)
    assert [slot for slot, _ in found] == list(slots)
    assert Counter(face for _, face in found) == Counter(faces)
    assert sights(circle) == [dict(found)] * (seats + 1)


def test_slots_are_numbered_on_and_never_again() -> None:
    circle = Circle(2, TOY)
    assert shuffled(circle, [5, 6]) == (0, 1)
    assert shuffled(circle, []) == ()
    assert shuffled(circle, [7]) == (2,)
    assert shuffled(circle, [5, 6, 7]) == (3, 4, 5)
    assert opened(circle, 2) == ((2, 7),)
    assert {face for _, face in opened(circle, 4, 0, 3, 5)[1:]} <= {5, 6, 7}


def test_faces_come_in_the_order_asked_for_and_are_said_once() -> None:
    circle = Circle(3, TOY)
    shuffled(circle, range(10))
    first = opened(circle, 7, 2)
    assert [slot for slot, _ in first] == [7, 2]
    said = len(circle.log)
    assert opened(circle, 2, 7) == first[::-1]
    assert opened(circle) == ()
    assert len(circle.log) == said
    assert opened(circle, 7, 3)[0] == first[0]
    assert [len(said.body) for said in circle.log[said:]] == [8 + 16] * 3


@BOTH
def test_a_dealt_card_is_seen_by_its_seat_alone_and_can_be_shown_later(group: Group) -> None:
    circle = Circle(3, group)
    shuffled(circle, range(20, 26))
    assert dealt(circle, 1, 4, 0) == ["share 0", "share 2"]
    seen = dict(circle.decks[1].sight)
    assert seen.keys() == {0, 4}
    assert sights(circle) == [{}, seen, {}, {}]
    said = len(circle.log)
    assert opened(circle, 4) == ((4, seen[4]),)
    assert [(one.kind, one.seat) for one in circle.log[said:]] == [("share", 1)]
    assert sights(circle) == [{4: seen[4]}, seen, {4: seen[4]}, {4: seen[4]}]


def test_dealing_again_to_a_seat_that_has_seen_it_takes_nothing() -> None:
    circle = Circle(3, TOY)
    shuffled(circle, range(6))
    opened(circle, 5)
    dealt(circle, 1, 2, 3)
    before = sights(circle)
    assert dealt(circle, 1, 3, 2, 3) == []
    assert dealt(circle, 0, 5) == []
    assert dealt(circle, 0) == []
    assert sights(circle) == before


@BOTH
def test_a_card_one_seat_has_seen_moves_to_another_and_to_nobody_else(group: Group) -> None:
    circle = Circle(4, group)
    shuffled(circle, range(8))
    dealt(circle, 1, 6)
    assert dealt(circle, 2, 6, 7) == [
        "reenc 2",
        "share 0",
        "share 1",
        "share 3",
    ]
    face = circle.decks[1].sight[6]
    mine = dict(circle.decks[2].sight)
    assert mine.keys() == {6, 7}
    assert mine[6] == face
    assert sights(circle) == [{}, {6: face}, mine, {}, {}]
    assert dealt(circle, 1, 6) == []
    assert dealt(circle, 3, 6)[0] == "reenc 3"
    assert circle.decks[3].sight == {6: face}
    assert circle.decks[0].sight == circle.decks[4].sight == {}
    said = len(circle.log)
    assert opened(circle, 6) == ((6, face),)
    assert [one.seat for one in circle.log[said:]] == [3]
    assert opened(circle, 7) == ((7, mine[7]),)


def test_nobody_but_its_old_and_new_seat_can_read_a_moved_card_from_what_was_said() -> None:
    """All that seats 0 and 3 have, together with all public shares, yields no face."""
    circle = Circle(4, TOY)
    shuffled(circle, range(5))
    dealt(circle, 1, 2)
    first = circle.decks[0]._tokens[2].cipher
    old_shares = dict(circle.decks[0]._tokens[2].shares)
    dealt(circle, 2, 2)
    token = circle.decks[0]._tokens[2]
    faces = token.pack.faces
    assert token.cipher.a != first.a
    assert set(token.shares) == {0, 1, 3}
    assert set(old_shares) == {0, 2, 3}
    for cipher in (first, token.cipher):
        for point in (old_shares[2], *old_shares.values(), *token.shares.values()):
            tried = total(TOY, [point, *token.shares.values()])
            assert TOY.sub(cipher.b, tried) not in faces
    stale = {**token.shares, 2: old_shares[2]}
    assert TOY.sub(token.cipher.b, total(TOY, stale.values())) not in faces


def test_slots_of_several_shuffles_go_in_one_message() -> None:
    circle = Circle(3, TOY)
    shuffled(circle, [1, 2, 3])
    shuffled(circle, [4, 5, 6])
    dealt(circle, 0, 0, 4)
    dealt(circle, 1, 4, 2, 0)
    assert circle.decks[1].sight.keys() == {0, 2, 4}
    assert circle.decks[1].sight[4] in {4, 5, 6}
    found = dict(opened(circle, 5, 1, 4, 2, 0, 3))
    assert sorted(found[slot] for slot in (0, 1, 2)) == [1, 2, 3]
    assert sorted(found[slot] for slot in (3, 4, 5)) == [4, 5, 6]
    assert all(found[slot] == face for slot, face in circle.decks[1].sight.items())


def thief(deck: SealedDeck, seats: int) -> Script[list[tuple[Slot, Face]]]:
    """A tiny game: hands, a peek at the pile, a theft, a swap, a show, and a new shuffle."""
    slots = yield from deck.shuffle(tuple(range(12)))
    hands = {seat: slots[seat * 2 : seat * 2 + 2] for seat in range(seats)}
    for seat, hand in hands.items():
        yield from deck.deal(hand, seat)
    pile = slots[seats * 2 :]
    yield from deck.deal(pile[:2], 0)
    yield from deck.deal(pile[:1], 1)
    for seat, other in pairwise(range(seats)):
        yield from deck.deal(hands[other][:1], seat)
    yield from deck.deal(hands[0][:1], seats - 1)
    faces = list((yield from deck.open((hands[0][0], hands[1][0], pile[0], pile[-1]))))
    rest = tuple(face for face in range(12) if face not in [face for _, face in faces])
    again = yield from deck.shuffle(rest)
    yield from deck.deal(again[:6], 1)
    faces += yield from deck.open(again)
    return faces


@BOTH
@pytest.mark.parametrize("seats", [2, 4])
def test_a_tiny_game_with_thefts_and_a_new_shuffle_plays_to_its_end(
    group: Group, seats: int
) -> None:
    circle = Circle(seats, group)
    faces = circle.run(lambda deck: thief(deck, seats))
    assert sorted(face for _, face in faces) == list(range(12))
    truth = dict(faces)
    onlooker = dict(circle.decks[-1].sight)
    assert onlooker == truth
    for sight in sights(circle):
        assert all(truth.get(slot, face) == face for slot, face in sight.items())
        assert onlooker.items() <= sight.items()


def test_the_same_secrets_play_the_same_game_to_the_byte() -> None:
    logs = []
    for seed in ("a", "a", "b"):
        circle = Circle(3, TOY, seed)
        circle.run(lambda deck: thief(deck, 3))
        logs.append([(said.here, said.seat, said.body) for said in circle.log])
    assert logs[0] == logs[1] != logs[2]


def test_seats_killed_anywhere_come_back_and_say_the_very_same() -> None:
    """Replicas that have only secrets and a part of the transcript go on where it ends."""
    circle = Circle(3, TOY, "resume")
    circle.run(lambda deck: thief(deck, 3))
    verified = Verified()
    for stop in range(len(circle.log)):
        again = Circle(3, TOY, "resume", known=circle.log[:stop], verified=verified)
        again.run(lambda deck: thief(deck, 3))
        assert [said.body for said in again.log] == [said.body for said in circle.log]
        assert sights(again) == sights(circle)


def test_another_table_or_place_gets_other_randomness() -> None:
    """Nothing a seat makes at one table, or at one step, is ever made again at another."""
    pieces: Counter[bytes] = Counter()
    for table in (bytes(32), bytes([1]) * 32):
        circle = Circle(2, EDWARDS, table=table)
        circle.run(lambda deck: deck.shuffle((1, 2, 3)))
        circle.run(lambda deck: deck.shuffle((1, 2, 3)))
        for said in circle.log:
            pieces.update(said.body[at : at + 32] for at in range(0, len(said.body), 32))
    assert set(pieces.values()) == {1}


def test_revealed_secrets_explain_everything() -> None:
    """An oracle of few lines: with all secrets in hand, every slot's face is foretold."""
    seats, faces = 3, [10, 20, 30, 40, 50]
    circle = Circle(seats, TOY, "oracle")
    slots = shuffled(circle, faces)
    joint_x, joint = 0, TOY.identity
    for seat in range(seats):
        stream = Stream(secret_of(seat, "oracle"), b"deck key", circle.table, number(0))
        joint_x += 1 + stream.below(TOY.order - 1)
    joint = TOY.base(joint_x)
    points = cards(TOY, len(faces))
    deck: list[Point] = []
    for point in points:
        deck += [TOY.generator, TOY.add(point, joint)]
    places = list(range(len(faces)))
    for said in circle.log:
        if said.kind == "shuffled":
            context = digest(
                b"farfadet deck", said.here.context(said.seat), number(0), number(seats)
            )
            secret = secret_of(said.seat, "oracle")
            stream = Stream(secret, b"deck shuffle", context, joint, *deck)
            order = stream.permutation(len(faces))
            places = [places[old] for old in order]
            raw = said.body[: 2 * 8 * len(faces)]
            deck = [Point(raw[at : at + 8]) for at in range(0, len(raw), 8)]
    opened_points = [
        TOY.sub(deck[at + 1], TOY.mul(joint_x, deck[at])) for at in range(0, len(deck), 2)
    ]
    assert opened_points == [points[place] for place in places]
    assert opened(circle, *slots) == tuple(
        (slot, faces[place]) for slot, place in zip(slots, places, strict=True)
    )


def test_messages_have_the_sizes_told_and_fit_the_wire() -> None:
    circle = Circle(2, EDWARDS)
    slots = shuffled(circle, range(60))
    opened(circle, *slots)
    sizes = {said.kind: len(said.body) for said in circle.log}
    assert sizes == {"keyhash": 32, "key": 96, "shuffled": 192 * 60 + 160, "share": 32 * 60 + 64}


def test_long_work_is_done_in_jobs_and_short_work_at_once() -> None:
    circle = Circle(3, TOY)
    slots = shuffled(circle, range(12))
    assert Counter(circle.jobs) == {"seal": 3, "points": 2 * 3 + 3, "proof": 2 * 3 + 3}
    circle.jobs.clear()
    opened(circle, *slots[:4])
    assert circle.jobs == []
    opened(circle, *slots[:9])
    assert Counter(circle.jobs) == {"share": 3, "check-share": 2 * 3 + 3}
    circle.jobs.clear()
    dealt(circle, 1, 9, 10, 11)
    assert circle.jobs == []


def test_who_has_no_seat_has_no_secret() -> None:
    with pytest.raises(ValueError, match="secret"):
        SealedDeck(bytes(32), 2, None, bytes(32))
    with pytest.raises(ValueError, match="secret"):
        SealedDeck(bytes(32), 2, 0, None)


def test_a_token_without_a_face_convicts_nobody() -> None:
    circle = Circle(2, TOY)
    shuffled(circle, [1, 2])
    for deck in circle.decks:
        token = deck._tokens[0]
        token.cipher = Cipher(token.cipher.a, TOY.add(token.cipher.b, TOY.generator))
    with pytest.raises(Unsound):
        opened(circle, 0)


def test_sight_cannot_be_written_to() -> None:
    deck = SealedDeck(bytes(32), 2, None, None)
    with pytest.raises(TypeError):
        deck.sight[0] = 1  # type: ignore[index]
