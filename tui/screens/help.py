"""Help: what the keys do on the screen one comes from, how to play, what the signs mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from textual.widget import Widget

from tui import boards
from tui.actions import Action, bindings, of
from tui.flow import beside, cells, wrap
from tui.screens.frame import COLUMNS, Overlay
from tui.widgets.line import Line
from tui.widgets.reading import Reading
from tui.words import N_, Pieces

MARGIN: Final = 2
KEYS: Final = 48
"""Cells of the column of keys, where there are two, with the gap after it."""
WIDEST: Final = 76
"""Cells of a line of the rules, at most."""


class HelpScreen(Overlay):
    """Over any other screen, in its language."""

    PLACE = "help"
    BINDINGS: ClassVar = bindings("help")

    @property
    def reading(self) -> Reading:
        """The text."""
        return self.query_one(Reading)

    def parts(self) -> Iterator[Widget]:
        """A title and the text."""
        yield Line(id="top")
        yield Line(id="banner")
        yield Reading(self._lay_out)

    def relabel(self) -> None:
        """Everything again."""
        super().relabel()
        say = self.words.say
        self.query_one("#top", Line).show(((say(N_("Help")), "title"),))
        self.reading.refill()

    def on_reading_moved(self) -> None:
        """Show where we are."""
        self.query_one("#banner", Line).show((), ((f" {self.reading.where} ", "dim"),), "─")

    def _lay_out(self, width: int) -> list[Pieces]:
        """Keys and rules beside each other where there is room; else the keys here come first."""
        room = width - 2 * MARGIN
        if width >= COLUMNS:
            left = [*self._here(KEYS - 3), *self._others(KEYS - 3), *self._anywhere(KEYS - 3)]
            lines = beside(left, self._game(min(room - KEYS, WIDEST)), KEYS)
        else:
            keys = [*self._others(room), *self._anywhere(room)]
            lines = [*self._here(room), *self._game(room), *keys]
        return [((" " * MARGIN, ""), *line) for line in lines]

    def _here(self, width: int) -> list[Pieces]:
        """The keys of the screen one comes from."""
        actions = self.over.actions()
        if self.over.PLACE == "game":
            actions = (*boards.load(self.game).ACTIONS, *actions)
        own = [action for action in actions if action.place != "any"]
        return self._keys(N_("Keys"), own, width)

    def _others(self, width: int) -> list[Pieces]:
        """The keys of the game, for whoever is not in it yet."""
        if self.over.PLACE == "game":
            return []
        actions = (*boards.load(self.game).ACTIONS, *of("game"), *of("talk"))
        return self._keys(N_("Keys in the game"), actions, width)

    def _anywhere(self, width: int) -> list[Pieces]:
        """The keys that work on all screens."""
        return self._keys(N_("Everywhere"), of("any"), width)

    def _keys(self, title: str, actions: Iterable[Action], width: int) -> list[Pieces]:
        say = self.words.say
        own = [self.farfadet.keymap.action(action) for action in actions]
        shown = [self.words.say(action.shown) for action in own]
        column = max(5, *map(len, shown)) + 2
        lines = [self._title(say(title))]
        for keys, action in zip(shown, own, strict=True):
            first = ((f"{keys:<{column}}", "key"),)
            lines += wrap(((say(action.help), ""),), width, first, column)
        return [*lines, ()]

    def _game(self, width: int) -> list[Pieces]:
        """How to play, and what stands on the board."""
        words, voice = self.words, boards.voice(self.game)
        lines = [self._title(words.say(voice.TITLE))]
        for paragraph in voice.RULES:
            bullet = ((words.fold("• "), "key"),)
            lines += wrap(((words.say(paragraph), ""),), width, bullet, 2)
        more = words.tell(N_("{key}: all of the rules"), key=((self._spoken("help.rules"), "key"),))
        lines += [(), more, (), self._title(words.say(N_("On the board")))]
        signs = [(sign.drawn(words), words.say(sign.meaning)) for sign in voice.SIGNS]
        column = max(cells(drawn) for drawn, _ in signs) + 2
        for drawn, meaning in signs:
            first = (*drawn, (" " * (column - cells(drawn)), ""))
            lines += wrap(((meaning, ""),), width, first, column)
        return [*lines, ()]

    def _title(self, title: str) -> Pieces:
        return ((title, "title"),)

    def _spoken(self, wanted: str) -> str:
        return self.farfadet.keymap.spoken(wanted, self.words)

    def action_rules(self) -> None:
        """All of the rules; back to them, if we come from there."""
        from tui.screens.rules import RulesScreen

        self.app.pop_screen()
        if not isinstance(self.over, RulesScreen):
            self.app.push_screen(RulesScreen(self.game))

    def action_close(self) -> None:
        """Back."""
        self.app.pop_screen()

    def action_up(self) -> None:
        """Towards the top."""
        self.reading.page(-1)

    def action_down(self) -> None:
        """Towards the end."""
        self.reading.page(1)
