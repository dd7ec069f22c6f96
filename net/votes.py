"""The signed votes of all steps: who has voted what, and with which messages that can be shown."""

from __future__ import annotations

from net.ballots import Ballots, well_formed
from net.roster import Roster
from net.transcript import Ruling
from net.wire import Message, Refusal
from rules.game import Seat

VOTE = "vote"
"""The kind of a message that is a history of votes on who is absent in its step."""


class Contradiction(Exception):
    """A member has signed two histories of which neither begins with the other."""

    def __init__(self, evidence: tuple[bytes, bytes]) -> None:
        super().__init__()
        self.evidence = evidence


class Votes:
    """One replica's record of votes; ``me`` votes here (``None``: only follows)."""

    def __init__(self, roster: Roster, me: Seat | None) -> None:
        self._keys = roster.keys
        self._me = me
        self._ballots: dict[int, Ballots] = {}
        self._signed: dict[int, dict[Seat, bytes]] = {}

    def at(self, step: int) -> Ballots | None:
        """The ballots of ``step``, if anybody has voted in it."""
        return self._ballots.get(step)

    def box(self, step: int, present: frozenset[Seat]) -> Ballots:
        """The ballots of ``step``, in which those ``present`` can vote."""
        if step not in self._ballots:
            self._ballots[step] = Ballots(present, len(self._keys), self._me)
        return self._ballots[step]

    def signed(self, step: int) -> dict[Seat, bytes]:
        """The newest vote of each voter in ``step``."""
        return self._signed.get(step, {})

    def keep(self, message: Message, history: tuple[int, ...]) -> None:
        """Record our own vote, or another's that has been checked; its box is there."""
        self._ballots[message.step].take(message.seat, history)
        self._signed.setdefault(message.step, {})[message.seat] = message.data

    def take(self, message: Message, present: frozenset[Seat]) -> Ballots:
        """Record another's vote; raises ``Refusal`` if it is none or is known."""
        seat, step = message.seat, message.step
        known = self.signed(step).get(seat)
        if known == message.data:
            raise Refusal("known")
        if not message.signed_by(self._keys[seat]):
            raise Refusal("signature")
        history = message.body()
        if not well_formed(history, len(self._keys)) or message.seq != len(history) - 1:
            raise Refusal("vote")
        ballots = self.box(step, present)
        if not ballots.take(seat, history):
            assert known is not None
            raise Contradiction((known, message.data))
        if len(ballots.history(seat)) > len(history):
            raise Refusal("known")
        self.keep(message, tuple(history))
        return ballots

    def ruling(self, step: int, ballot: int, absent: frozenset[Seat]) -> Ruling:
        """The ruling that has been found in the ballots of ``step``, with its proof."""
        voters = sorted(self._ballots[step].present - absent)
        return Ruling(ballot, absent, tuple(self._signed[step][voter] for voter in voters))

    def forget_after(self, step: int) -> None:
        """Later steps are to be gone through again, after another past."""
        for book in (self._ballots, self._signed):
            for later in [number for number in book if number > step]:
                del book[later]
