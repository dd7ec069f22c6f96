"""The last line of every screen: what keys do here and now. A click on a label does it too."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual import events

from tui.actions import Action
from tui.widgets.canvas import Canvas, Picture

GAP = 2


class Foot(Picture):
    """Keys and their labels, as many as fit; ``label`` names what an action does now."""

    DEFAULT_CSS = "Foot { dock: bottom; height: 1; background: $panel; color: $foreground; }"

    def __init__(self, actions: Iterable[Action], label: Callable[[Action], str]) -> None:
        super().__init__(id="foot")
        self._label = label
        self.actions = tuple(action for action in actions if action.foot)
        self._spans: list[tuple[int, int, str]] = []

    def paint(self, canvas: Canvas) -> None:
        """Draw the labels and remember where they are."""
        say = self.farfadet.words.say
        self._spans.clear()
        x = 1
        for action in map(self.farfadet.keymap.action, self.actions):
            label = say(self._label(action))
            start = x
            shown = say(action.shown)
            if not self._offered(action) or x + len(shown) + 1 + len(label) > canvas.width:
                continue
            x = canvas.put(x, 0, shown, "key")
            x = canvas.put(x + 1, 0, label)
            name = f"app.{action.name}" if action.place == "any" else action.name
            self._spans.append((start, x, name))
            x += GAP

    def _offered(self, action: Action) -> bool:
        """Whether it can be done at this moment."""
        return action.place == "any" or bool(self.screen.check_action(action.name, ()))

    async def on_click(self, event: events.Click) -> None:
        """Do what the label under the mouse says."""
        for start, end, name in self._spans:
            if start <= event.x < end:
                await self.screen.run_action(name)
