"""The signed votes of all steps: who has voted what, and with which messages that can be shown."""

from __future__ import annotations

from typing import TypeAlias

from net.play.ballots import Ballots, well_formed
from net.play.roster import Roster
from net.play.transcript import Ruling
from net.play.wire import Message, Refusal
from rules.game import Seat

VOTE = "vote"
"""The kind of a message that is a history of votes on who is absent in its step."""


class Contradiction(Exception):
    """A member has signed two histories of which neither begins with the other."""

    def __init__(self, evidence: tuple[bytes, bytes]) -> None:
        super().__init__()
        self.evidence = evidence


Place: TypeAlias = tuple[int, bytes]
"""A step, and what came before it: going through other steps leads to other places."""


class Votes:
    """One replica's record of votes; ``me`` votes here (``None``: only follows).

    What we have voted at a place holds whenever we come to it again: after a crash, or when steps
    before it are gone through again.
    """

    def __init__(self, roster: Roster, me: Seat | None) -> None:
        self._keys = roster.keys
        self._me = me
        self._ballots: dict[Place, Ballots] = {}
        self._signed: dict[Place, dict[Seat, bytes]] = {}
        self._remembered: dict[Place, Message] = {}

    def remember(self, message: Message) -> None:
        """We have voted this before a crash, at a place that is still to be reached."""
        place = message.step, message.prev
        known = self._remembered.get(place)
        if known is None or known.seq < message.seq:
            self._remembered[place] = message

    def at(self, place: Place, present: frozenset[Seat]) -> Ballots | None:
        """The ballots of ``place``, where those ``present`` can vote, if anybody has."""
        if place in self._remembered:
            return self.box(place, present)
        return self._ballots.get(place)

    def box(self, place: Place, present: frozenset[Seat]) -> Ballots:
        """The ballots of ``place``, in which those ``present`` can vote."""
        if place not in self._ballots:
            self._ballots[place] = Ballots(present, len(self._keys), self._me)
        ours = self._remembered.pop(place, None)
        if ours is not None:
            self.keep(ours, tuple(ours.body()))
        return self._ballots[place]

    def signed(self, place: Place) -> dict[Seat, bytes]:
        """The newest vote of each voter at ``place``."""
        return self._signed.get(place, {})

    def keep(self, message: Message, history: tuple[int, ...]) -> None:
        """Record our own vote, or another's that has been checked; its box is there."""
        place = message.step, message.prev
        self._ballots[place].take(message.seat, history)
        self._signed.setdefault(place, {})[message.seat] = message.data

    def take(self, message: Message, present: frozenset[Seat]) -> Ballots:
        """Record another's vote; raises ``Refusal`` if it is none or is known."""
        seat, place = message.seat, (message.step, message.prev)
        ballots = self.at(place, present)
        known = self.signed(place).get(seat)
        if known == message.data:
            raise Refusal("known")
        if not message.signed_by(self._keys[seat]):
            raise Refusal("signature")
        history = message.body()
        if not well_formed(history, len(self._keys)) or message.seq != len(history) - 1:
            raise Refusal("vote")
        ballots = ballots or self.box(place, present)
        if not ballots.take(seat, history):
            assert known is not None
            raise Contradiction((known, message.data))
        if len(ballots.history(seat)) > len(history):
            raise Refusal("known")
        self.keep(message, tuple(history))
        return ballots

    def ruling(self, place: Place, ballot: int, absent: frozenset[Seat]) -> Ruling:
        """The ruling that has been found in the ballots of ``place``, with its proof."""
        voters = sorted(self._ballots[place].present - absent)
        return Ruling(ballot, absent, tuple(self._signed[place][voter] for voter in voters))
