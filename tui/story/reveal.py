"""What a player still has to be shown: choices laid open, and the sentences that go with them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from net.play.notices import Happened
from rules.game import Chosen, Game, Move, Seat, State, Tale
from tui.story.missing import Remark

SECONDS: Final = 2.2
"""How long choices are shown."""

WAITING: Final = 2
"""Moments that may wait to be shown, the present one included."""


Entry: TypeAlias = tuple[State, Tale] | Remark
"""A tale with the state in which it happened, or what has happened to the table."""


@dataclass(slots=True)
class Moment:
    """Choices on the ``state`` in which they were made, and what is told once they were shown."""

    state: State
    moves: tuple[tuple[Seat, Move], ...]
    tales: list[Entry]


@dataclass(slots=True)
class Reveal:
    """Moments one after the other; ``told`` is the history as far as it may be known yet."""

    game: Game
    told: list[Entry] = field(default_factory=list)
    _moments: deque[Moment] = field(default_factory=deque)

    @property
    def now(self) -> Moment | None:
        """What is being shown."""
        return self._moments[0] if self._moments else None

    def take(self, notice: Happened, moving: bool) -> None:
        """Take in what happened; with ``moving``, a joint choice becomes a moment of its own."""
        tales: list[Entry] = [
            (notice.before, tale) for tale in self.game.tell(notice.before, notice.event)
        ]
        if moving and isinstance(notice.event, Chosen) and len(notice.event.moves) > 1:
            # Who catches up after an absence is not made to watch all of it.
            while len(self._moments) >= WAITING:
                self.end()
            self._moments.append(Moment(notice.before, notice.event.moves, tales))
        else:
            self._tell(tales)

    def note(self, remark: Remark) -> None:
        """Take in what happened to the table."""
        self._tell([remark])

    def _tell(self, tales: list[Entry]) -> None:
        """Once the moments before it are over."""
        told = self._moments[-1].tales if self._moments else self.told
        told += tales

    def end(self) -> None:
        """The moment is over: its tales are told."""
        self.told += self._moments.popleft().tales
