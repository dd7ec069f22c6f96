"""Updates of a part of the screen that begin where the change begins, for few bytes over ssh.

Textual writes each changed stretch of a line anew from where its widget starts, which for a board
is the left edge of the terminal. This leans on what Textual keeps to itself: it is pinned, and
``tests/tui/test_budgets.py`` fails if it no longer fits.
"""

from __future__ import annotations

from rich.console import Console
from rich.control import Control
from textual import _compositor


class Stretches(_compositor.ChopsUpdate):
    """What has changed and nothing else."""

    def render_segments(self, console: Console) -> str:
        """As bytes for the terminal."""
        parts: list[str] = []
        for y, left, right in self.spans:
            for (start, strip), end in zip(self.chops[y].items(), self.chop_ends[y], strict=True):
                first, last = max(start, left), min(end, right)
                if strip is not None and first < last:
                    parts.append(Control.move_to(first, y).segment.text)
                    parts.append(strip.crop(first - start, last - start).render(console))
        return "".join(parts)


class Compositor(_compositor.Compositor):
    """Textual's own, but for partial updates."""

    def render_partial_update(self) -> Stretches | None:
        """What has changed since the last update; ``None`` if nothing has."""
        update = super().render_partial_update()
        if update is None:
            return None
        return Stretches(update.chops, update.spans, update.chop_ends)
