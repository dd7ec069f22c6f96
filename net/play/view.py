"""What may be asked of a replica at any time, without changing anything."""

from __future__ import annotations

from collections import Counter, deque

from net.play.machine import Machine, Memory, Mind
from net.play.notices import Blamed, Notice
from net.play.roster import Roster
from net.play.rounds import Job
from net.play.transcript import Transcript
from rules.game import Game, Move, Request, Result, Seat, Sight, State


class View:
    """The outside of a machine and a mind; ``net/play/table.py`` moves them."""

    def __init__(self, game: Game, machine: Machine, mind: Mind) -> None:
        self.game = game
        self.blame: Blamed | None = None
        self._machine = machine
        self._mind = mind

    # What a player may look at.

    @property
    def me(self) -> Seat | None:
        """Our seat, or ``None`` if we only follow."""
        return self._mind.me

    @property
    def state(self) -> State:
        """The game's public state."""
        return self._machine.course.state

    @property
    def request(self) -> Request | None:
        """What the game needs now; ``None`` before it starts and when the table has stopped."""
        return None if self.blame is not None else self._machine.course.request

    @property
    def result(self) -> Result | None:
        """The result, when the game has ended (and ``over``, when all have signed it)."""
        return self._machine.course.result

    @property
    def over(self) -> bool:
        """Whether the game has ended and everybody who is there has signed the result."""
        return self._machine.over

    @property
    def void(self) -> str | None:
        """Why the game cannot go on although nobody is to blame."""
        return self._machine.void

    @property
    def chosen(self) -> Move | None:
        """The move we have made in the open choice."""
        return self._machine.chosen

    @property
    def transcript(self) -> Transcript:
        """All that has been said in complete steps."""
        return self._machine.transcript

    @property
    def roster(self) -> Roster:
        """Who is at the table."""
        return self._machine.roster

    @property
    def step(self) -> int:
        """The number of the open step: how many are complete."""
        return self._machine.step

    @property
    def sight(self) -> Sight:
        """The faces our seat has seen."""
        return self._machine.deck.sight

    @property
    def owing(self) -> frozenset[Seat]:
        """The members whose part of the open step is not here yet, and is waited for."""
        return self._machine.owing

    @property
    def asked(self) -> frozenset[Seat]:
        """The seats that are asked for a choice in the open step, and have not made it."""
        asking = self._machine.round
        return self.owing if asking is not None and asking.answer is not None else frozenset()

    def moves(self) -> tuple[Move, ...]:
        """What we may choose now; nothing if nothing is asked of us, or we have chosen."""
        if self.me is None or self.me not in self.asked:
            return ()
        return self.game.moves(self.state, self.me, self.sight)

    # What comes out.

    @property
    def outbox(self) -> deque[bytes]:
        """Messages for the others."""
        return self._mind.outbox

    @property
    def notices(self) -> deque[Notice]:
        """What there is to tell to whoever looks on."""
        return self._mind.notices

    @property
    def jobs(self) -> deque[Job]:
        """Long work that waits to be run."""
        return self._machine.works.waiting

    @property
    def refused(self) -> Counter[str]:
        """How much of what came had no effect, by code."""
        return self._mind.refused

    @property
    def memory(self) -> Memory | None:
        """Where we note down what must not be forgotten."""
        return self._mind.memory

    @memory.setter
    def memory(self, memory: Memory | None) -> None:
        self._mind.memory = memory
