"""Who gathers in a room before the game, and on what terms they will play: the host's last word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import rules
from net.meeting.invitation import Invitation
from net.meeting.seating import Offer, Plan, Seating
from rules.game import Game


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who has taken a seat. ``name`` is text from the network.

    ``identity`` is the long-term key that has signed for this seat; whoever is not ``ready`` lets
    the others wait.
    """

    name: str
    bot: bool
    host: bool
    mine: bool
    identity: bytes
    ready: bool = True


class Gathering:
    """A room, seen from the inside or the outside, through what is heard of its ``seating``.

    ``told`` is the invitation that leads there. All but the guests are known once the host has been
    heard.
    """

    def __init__(self, seating: Seating, told: Invitation) -> None:
        self.spoken = ""
        """What leads here when it is said aloud; empty if nothing does."""
        self._seating = seating
        self._told = told
        self._listeners: list[Callable[[], None]] = []

    @property
    def invitation(self) -> str:
        """What led us here, and leads others."""
        return str(self._told)

    def listen(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` whenever somebody comes or goes, or the link does."""
        self._listeners.append(callback)

    def _tell(self) -> None:
        for callback in tuple(self._listeners):
            callback()

    @property
    def looking_on(self) -> bool:
        """Whether we will have no seat here."""
        return False

    @property
    def can_add_bot(self) -> bool:
        """Whether we may let a bot take a seat."""
        return False

    def add_bot(self) -> None:
        """Let a bot take an empty seat, if we may."""

    @property
    def ready(self) -> bool:
        """Whether the game may begin, as far as we are concerned: so it is, unless we say no."""
        return self._seating.ready

    def get_ready(self, ready: bool) -> None:
        """Be ready, or let the others wait for us; too late once everybody was."""
        self._seating.get_ready(ready)
        self._tell()

    @property
    def offer(self) -> Offer | None:
        """What we want to play, if we are the host and can still change it."""
        return self._seating.offer

    def amend(self, *, seats: int, limit: int) -> None:
        """Play with so many, and with this limit (see ``limit``): as the host, until it begins.

        Fewer seats than are taken, or a number that the game is not for, cannot be had.
        """
        offer = self.offer
        if offer is not None and seats in offer.game.seats:
            self._seating.amend(replace(offer, seats=seats, limit=limit))
            self._tell()

    @property
    def plan(self) -> Plan:
        """The host's last word."""
        assert self._seating.plan is not None
        return self._seating.plan

    @property
    def game(self) -> Game:
        """The game that will be played."""
        return rules.load(self.plan.game, self.plan.deck)

    @property
    def seats(self) -> int:
        """How many will play."""
        return self.plan.seats

    @property
    def limit(self) -> int:
        """How many seconds a step may take; 0: as long as it likes."""
        return self.plan.terms[0]

    @property
    def refereed(self) -> bool:
        """Whether the table will have a referee."""
        return self.plan.terms[1] != b""

    @property
    def escrow(self) -> bool:
        """Whether the others will be able to open cards in the place of somebody missing."""
        return self.plan.terms[2]

    @property
    def guests(self) -> tuple[Guest, ...]:
        """Who has a seat so far, the host first."""
        if self._seating.plan is None:
            return ()
        return tuple(
            Guest(
                hello.name,
                hello.bot,
                host=seat == 0,
                mine=seat == self._seating.me,
                identity=hello.identity,
                ready=hello.ready,
            )
            for seat, hello in enumerate(self.plan.hellos)
        )

    @property
    def chairs(self) -> list[tuple[bytes, str]]:
        """The table key and the name of each of them."""
        plan = self._seating.plan
        return [] if plan is None else [(hello.key, hello.name) for hello in plan.hellos]
