"""A turn of Gobelin des bois: a card is played, its effect is done, the hand is filled up.

Each function takes a state and gives the state after one thing was done, adding to ``tales`` what
there is to tell. Where the printed rules are silent, a small function has our answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias, TypeVar

from rules.game import Face, Foul, RuleError, Seat, Slot, Tale
from rules.gobelin.pieces import (
    HAND,
    Card,
    Claim,
    Effect,
    Keep,
    Look,
    Phase,
    Pick,
    State,
)
from rules.gobelin.trail import covered, ends, fits, goes, plays

SPIED: Final = 2
"""How many cards an espion looks at; with fewer in the deck it does nothing (ours)."""

AIMED: Final = frozenset({Effect.VOL, Effect.TROC, Effect.SHERIF})
"""Effects for which an opponent's card is picked."""

Tales: TypeAlias = list[Tale]
Pairs: TypeAlias = Sequence[tuple[Slot, Face]]
"""Opened slots with their faces."""

Item = TypeVar("Item")


def mover(state: State) -> Seat:
    """Whose turn it is, in a phase in which it is somebody's."""
    if state.turn is None:
        raise RuleError("nobodys-turn")
    return state.turn


def others(state: State, seat: Seat) -> list[Seat]:
    """The opponents of ``seat`` who are still in the round, clockwise from it."""
    clockwise = [(seat + step) % state.seats for step in range(1, state.seats)]
    return [other for other in clockwise if state.playing[other]]


def targets(state: State) -> tuple[Pick, ...]:
    """What the effect being carried out can be aimed at, clockwise from the mover."""
    seat = mover(state)
    if state.effect is Effect.TROC and not state.hands[seat]:
        return ()
    rows = aim(state)
    return tuple(
        [Pick(other, index) for other in others(state, seat) for index in range(len(rows[other]))]
    )


def aim(state: State) -> tuple[tuple[Slot, ...], ...]:
    """The cards, by seat, among which the effect being carried out picks."""
    return state.hands if state.effect is Effect.TROC else state.treasures


# Playing a card.


def uncovered(cards: Sequence[Card], state: State, face: Face, tales: Tales) -> State:
    """The card being played has this ``face``: it covers its end, and its effect begins.

    Raises ``Foul("no-match")`` against the mover if the colours do not go together.
    """
    seat = mover(state)
    if state.played is None:
        raise RuleError("nothing-played")
    slot, play = state.played
    half = cards[face].squares[play.half]
    if not goes(half.colour, ends(cards, state.trail)[play.end]):
        raise Foul(seat, "no-match", (face, play))
    tales.append(Tale("play", (seat, face, play.half, play.end)))
    hand = tuple([other for other in state.hands[seat] if other != slot])
    return _begun(
        replace(
            state,
            played=None,
            hands=_put(state.hands, seat, hand),
            trail=covered(state.trail, face, play),
            effect=half.effect,
        ),
        tales,
    )


def _begun(state: State, tales: Tales) -> State:
    """Carry out the effect as far as nobody need be asked; skip it if it is impossible (rule)."""
    seat, effect = mover(state), state.effect
    if effect is Effect.NONE or effect is Effect.GALOP:
        return settled(state, tales)
    if effect in AIMED and targets(state):
        return replace(state, phase=Phase.TARGET)
    if effect is Effect.ESPION and len(state.deck) >= SPIED:
        return replace(state, phase=Phase.SPY)
    if effect is Effect.COFFRE and state.deck:
        tales.append(Tale("coffre", (seat,)))
        top = state.deck[0]
        chests = _put(state.treasures, seat, (*state.treasures[seat], top))
        done = replace(
            state,
            effect=Effect.NONE,
            deck=state.deck[1:],
            treasures=chests,
            looks=(*state.looks, Look(top, seat)),
        )
        return settled(done, tales)
    tales.append(Tale("skipped", (seat, int(effect))))
    return settled(replace(state, effect=Effect.NONE), tales)


def aimed(state: State, pick: Pick, tales: Tales) -> State:
    """The card that was picked is taken, exchanged, or put under the deck."""
    seat, victim = mover(state), pick.seat
    tales.append(Tale(state.effect.name.lower(), (seat, victim)))
    rows, deck = aim(state), state.deck
    slot = rows[victim][pick.index]
    looks: tuple[Look, ...] = ()
    hands, treasures = state.hands, state.treasures
    if state.effect is Effect.TROC:
        given, *rest = hands[seat]
        hands = _put(hands, victim, _put(rows[victim], pick.index, given))
        hands = _put(hands, seat, (slot, *rest))
        looks = (Look(slot, seat), Look(given, victim))
    elif state.effect is Effect.VOL:
        treasures = _put(treasures, victim, _without(rows[victim], pick.index))
        treasures = _put(treasures, seat, (*treasures[seat], slot))
        looks = (Look(slot, seat),)
    else:
        treasures = _put(treasures, victim, _without(rows[victim], pick.index))
        deck = (*deck, slot)
    done = replace(
        state, effect=Effect.NONE, deck=deck, hands=hands, treasures=treasures, looks=looks
    )
    return settled(done, tales)


def kept(state: State, keep: Keep, tales: Tales) -> State:
    """Of the cards spied, one is on top of the deck again, the other at its bottom."""
    tales.append(Tale("espion", (mover(state),)))
    top, bottom = state.deck[keep.index], state.deck[1 - keep.index]
    deck = (top, *state.deck[SPIED:], bottom)
    return settled(replace(state, effect=Effect.NONE, deck=deck), tales)


# What follows.


def settled(state: State, tales: Tales) -> State:
    """What is next in a turn whose effect has been carried out: the first of these that is due.

    The deck is renewed, new owners look, the round ends, a card is drawn, the next turn begins.
    """
    if not state.deck and not state.ending:
        if state.reshuffles and renewing(state):
            return replace(state, phase=Phase.SHUFFLE)
        tales.append(Tale("deck-out"))
        state = replace(state, ending=True)
    if state.looks:
        return replace(state, phase=Phase.LOOK)
    if state.ending:
        return _closed(state, tales)
    seat = mover(state)
    if len(state.hands[seat]) < HAND:
        top = state.deck[0]
        drawn = replace(
            state,
            deck=state.deck[1:],
            hands=_put(state.hands, seat, (*state.hands[seat], top)),
            looks=(Look(top, seat),),
        )
        return settled(drawn, tales)
    return _passed(state, tales)


def renewing(state: State) -> tuple[Face, ...]:
    """What becomes the new deck: the cards of the trail, but for the two that carry its ends.

    Ours. Cards set aside, treasures, and the cards of ambushed players do not come back.
    """
    return tuple([laid.face for laid in state.trail[1:-1]])


def renewed(state: State, slots: tuple[Slot, ...], tales: Tales) -> State:
    """The trail, but for its ends, has become the deck ``slots``; the turn goes on."""
    left = state.reshuffles - 1
    tales.append(Tale("reshuffle", (left,)))
    trail = (state.trail[0], state.trail[-1])
    return settled(replace(state, deck=slots, trail=trail, reshuffles=left), tales)


def group(looks: tuple[Look, ...]) -> tuple[tuple[Slot, ...], Seat]:
    """What the first seat that has something to look at may look at now."""
    seat = looks[0].seat
    slots = []
    for look in looks:
        if look.seat != seat:
            break
        slots.append(look.slot)
    return tuple(slots), seat


def _closed(state: State, tales: Tales) -> State:
    """The turn in which the deck ran out is finished, and with it the round.

    Ours: a galop that would follow is over too, since it is a turn of its own.
    """
    if state.effect is Effect.GALOP:
        tales.append(Tale("skipped", (mover(state), int(Effect.GALOP))))
    return replace(state, phase=Phase.COUNT, effect=Effect.NONE)


def _passed(state: State, tales: Tales) -> State:
    """Play again after a galop; otherwise the next seat clockwise that is still in plays."""
    seat = mover(state)
    if state.effect is Effect.GALOP:
        tales.append(Tale("galop", (seat,)))
        return replace(state, phase=Phase.PLAY, effect=Effect.NONE, galop=True)
    return replace(state, phase=Phase.PLAY, turn=others(state, seat)[0], galop=False)


# Not playing a card.


def stopped(cards: Sequence[Card], state: State, tales: Tales) -> State:
    """After a galop, the mover says that it cannot go on: believed until its cards are seen."""
    seat = mover(state)
    tales.append(Tale("stop", (seat,)))
    claim = Claim(seat, state.hands[seat], ends(cards, state.trail))
    return _passed(replace(state, claims=(*state.claims, claim)), tales)


def proven(cards: Sequence[Card], state: State, opened: Pairs) -> State:
    """The state without what was claimed of the ``opened`` cards, if it was true.

    Raises ``Foul("could-play")`` against a seat whose claim it was that such a card goes with
    neither end, when it does.
    """
    if not state.claims:
        return state
    faces, left = dict(opened), []
    for claim in state.claims:
        for slot in claim.slots:
            if slot in faces and fits(cards[faces[slot]], claim.ends):
                raise Foul(claim.seat, "could-play", (faces[slot], claim.ends))
        slots = tuple([slot for slot in claim.slots if slot not in faces])
        if slots:
            left.append(Claim(claim.seat, slots, claim.ends))
    return replace(state, claims=tuple(left))


def shown(cards: Sequence[Card], state: State, opened: Pairs, tales: Tales) -> State:
    """The mover's hand is ``opened``: the first play of the fixed order is made, if there is one.

    If there is none, the mover is ambushed; after a galop, its turn ends.
    """
    seat = mover(state)
    faces = tuple([face for _, face in opened])
    if found := plays(cards, faces, state.trail):
        tales.append(Tale("shown", (seat, faces)))
        slot, face = opened[found[0].card]
        return uncovered(cards, replace(state, played=(slot, found[0])), face, tales)
    if state.galop:
        tales.append(Tale("stop-shown", (seat, faces)))
        return _passed(state, tales)
    tales.append(Tale("ambush", (seat, faces)))
    return _ambushed(state, tales)


def _ambushed(state: State, tales: Tales) -> State:
    """The mover is out: its cards leave the round for good. The last seat that is in wins."""
    seat = mover(state)
    gone = replace(
        state,
        removed=(*state.removed, *state.hands[seat], *state.treasures[seat]),
        hands=_put(state.hands, seat, ()),
        treasures=_put(state.treasures, seat, ()),
        playing=_put(state.playing, seat, False),
    )
    if sum(gone.playing) == 1:
        tales.append(Tale("last-one", (gone.playing.index(True),)))
        return replace(gone, phase=Phase.COUNT)
    return _passed(gone, tales)


def _put(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """``items`` with another one at ``index``."""
    return (*items[:index], item, *items[index + 1 :])


def _without(items: tuple[Item, ...], index: int) -> tuple[Item, ...]:
    """``items`` but for the one at ``index``."""
    return items[:index] + items[index + 1 :]
