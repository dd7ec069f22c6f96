"""Writing what one would like to play: ``/game gnomia``, ``/players 4``, ``/limit 60``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import rules
from rules.bots import levels
from tui.plain.place import Command, Place, Way
from tui.wish import LABELS, LIMITS, Wish
from tui.words import N_


class Wishing(Place[Way | None]):
    """A place from which one goes on to a table of one's ``wish``."""

    COMMANDS: ClassVar[tuple[Command, ...]] = (
        Command(("game", "jeu"), N_("what is played"), N_("NAME")),
        Command(("players", "joueurs"), N_("how many play"), N_("NUMBER")),
        Command(("level", "niveau"), N_("how bots play"), N_("NAME")),
        Command(("bots", "robots"), N_("how many bots sit at my table"), N_("NUMBER")),
        Command(
            ("limit", "limite"), N_("seconds that each step may take; 0: no limit"), N_("NUMBER")
        ),
    )

    @property
    def wish(self) -> Wish:
        """What would be played."""
        raise NotImplementedError

    @property
    def game(self) -> str:
        """The game that would be played."""
        return self.wish.game

    def wished(self) -> str:
        """All of the wish."""
        words = self.client.words
        return "; ".join(
            words.say(
                N_("{what}: {value}"), what=words.say(label), value=self.wish.said(what, words)
            )
            for what, label in LABELS.items()
        )

    def do_game(self, written: str) -> None:
        """Another game."""
        self._wish("game", written)

    def do_players(self, written: str) -> None:
        """More or fewer."""
        self._wish("seats", written)

    def do_level(self, written: str) -> None:
        """Better bots, or worse."""
        self._wish("level", written)

    def do_bots(self, written: str) -> None:
        """Bots at my table."""
        self._wish("bots", written)

    def do_limit(self, written: str) -> None:
        """A time limit at my table."""
        self._wish("limit", written)

    def _wish(self, what: str, written: str) -> None:
        """Take ``written`` for one of the ``LABELS``, and say what is wished for then."""
        values, wish = self._possible(what), self.wish
        found = [at for at, value in enumerate(values) if str(value) == written.casefold()]
        if found:
            wish.change(what, found[0] - values.index(getattr(wish, what)))
            self.client.tell(self.wished())
        else:
            self.say(N_("It can be: {values}"), values=", ".join(map(str, values)))

    def _possible(self, what: str) -> Sequence[str | int]:
        values: Mapping[str, Sequence[str | int]] = {
            "game": rules.names(),
            "seats": rules.load(self.wish.game).seats,
            "level": levels(),
            "bots": range(self.wish.seats),
            "limit": LIMITS,
        }
        return values[what]
