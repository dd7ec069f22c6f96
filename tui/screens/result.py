"""The end of a game: ranks, every score taken apart, and what vouches for it."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.widget import Widget

from net.meeting.again import Reunion
from net.people.talk import Talk
from rules.game import Result, Score
from tui import boards
from tui.actions import bindings
from tui.boards.base import Board
from tui.screens.again import Again
from tui.screens.talk import Talking
from tui.sitting import Replay, Sitting
from tui.story.members import clean_names
from tui.story.outcome import SAVED, verified, victory
from tui.text import safe
from tui.widgets.canvas import Canvas, Picture
from tui.widgets.history import History
from tui.widgets.line import Line
from tui.words import N_, Pieces, text

AT_REST: Final = 0.7
"""Seconds the result stays whatever is pressed: the last key of the game may come late."""

AROUND: Final = 4
"""Lines above and below the ranks, and one that stays free."""
AGAIN: Final = 4
"""Lines of what could be played next."""
TALKING: Final = 6
"""Lines of the talk while our player talks, even if they cover some of the verdict."""

LEFT = 6
NAME = 10
TOTAL = 23
LINES = 29
SEPARATOR = " · "


class Ranks(Picture):
    """The seats from first to last."""

    DEFAULT_CSS = "Ranks { height: 1fr; }"

    def __init__(self, sitting: Sitting, result: Result, board: Board) -> None:
        super().__init__(id="ranks")
        self.sitting = sitting
        self.result = result
        self.board = board

    def paint(self, canvas: Canvas) -> None:
        """Who has won, then a line for each seat, then the verdict."""
        self._paint(canvas)

    def rows(self, width: int) -> int:
        """The rows it takes, set as close as can be."""
        return self._paint(Canvas(width, 0))

    def _paint(self, canvas: Canvas) -> int:
        """Draw it; how many rows it has taken."""
        sitting = self.sitting
        names = clean_names(sitting)
        canvas.pieces(LEFT, 1, victory(self.farfadet.words, sitting, self.result))
        y = 3
        step = 2 if canvas.height >= 16 + len(names) else 1
        for score in sorted(self.result.scores, key=lambda score: (score.rank, score.seat)):
            last = self._score(canvas, y, score, names)
            y = max(y + step, last + 1)
        y += 3 - step
        for line in self._verdict(canvas.width - LEFT - 2):
            canvas.put(LEFT, y, line, "dim")
            y += 1
        return y

    def _score(self, canvas: Canvas, y: int, score: Score, names: tuple[str, ...]) -> int:
        """A seat's score taken apart, on as many rows as it needs; the last of them."""
        mine = score.seat == self.sitting.me
        first = score.rank == 1
        canvas.put(LEFT, y, f"{score.rank}.", "event" if first else "dim")
        canvas.put(NAME, y, names[score.seat], "me" if mine else "name" if first else "")
        canvas.put(TOTAL, y, f"{score.total:>3}", "event")
        x = LINES
        for line in score.lines:
            if not line.count:
                continue
            worth = self.board.voice.worth(line)
            pieces: Pieces = (*worth, (f" {line.points}", "key"))
            if x > LINES and x + len(SEPARATOR) + cell_len(text(pieces)) > canvas.width:
                x, y = LINES, y + 1
            if x > LINES:
                x = canvas.put(x, y, SEPARATOR, "dim")
            x = canvas.pieces(x, y, pieces)
        return y

    def _verdict(self, width: int) -> list[str]:
        words, sitting = self.farfadet.words, self.sitting
        signed = verified(words, sitting, self.result)
        lines = [signed] if signed else []
        if sitting.saved is not None:
            lines.append(words.say(SAVED))
            path = safe(str(sitting.saved), 4096)
            lines += [path[start : start + width] for start in range(0, len(path), width)]
        return lines


class ResultScreen(Talking):
    """See the top of this file."""

    PLACE = "result"
    BINDINGS: ClassVar = bindings("result")
    DEFAULT_CSS = """
    ResultScreen #chat { height: auto; margin: 0 4; }
    """

    def __init__(self, sitting: Sitting, board: Board, review: bool = False) -> None:
        super().__init__()
        assert sitting.result is not None
        self.sitting = sitting
        self.review = review
        """Whether the game is one of long ago, and all one does is to look at it again."""
        self.board = board
        self._ranks = Ranks(sitting, sitting.result, board)
        self._again: Again | None = None
        self._shown = monotonic()

    @property
    def game(self) -> str:
        """The game that was played."""
        return self.sitting.game.name

    def parts(self) -> Iterator[Widget]:
        """The title and the ranks."""
        yield Line(id="top")
        yield Line(id="banner")
        yield self._ranks
        yield History("chat")
        yield from self.saying()
        if self.sitting.me is not None and not self.review:
            doors, names = self.farfadet.doors, clean_names(self.sitting)
            reunion = doors.reunion(self.sitting)
            self._again = Again(doors.wish(self.sitting), names, friends=reunion is not None)
            if reunion is not None:
                reunion.listen(lambda: self._offered(reunion))
            yield self._again

    @property
    def talk(self) -> Talk | None:
        """The talk at the table."""
        return self.sitting.talk

    def show_talk(self) -> None:
        """Below the ranks where they leave room, or over them; above them what is new."""
        self.query_one("#banner", Line).show(self.ticker(), self.around(), "─")
        width, height = self.app.size
        again = 0 if self._again is None else AGAIN
        free = height - AROUND - again - self._ranks.rows(width) - self.talking
        chat, lines = self.query_one("#chat", History), self.lines()
        chat.styles.max_height = max(free, TALKING if self.talking else 0)
        chat.display = bool(lines) and (self.talking or free > 0)
        chat.show(lines)

    def on_resize(self) -> None:
        """There may be room for the talk now."""
        self.show_talk()

    def _offered(self, reunion: Reunion) -> None:
        if self._again is not None and self.is_attached:
            self._again.offered = reunion.offered
            self._again.redraw()

    def relabel(self) -> None:
        """Everything again."""
        super().relabel()
        title = self.words.say(boards.voice(self.game).TITLE)
        result = self.words.say(N_("result"))
        self.query_one("#top", Line).show(((title, "title"),), ((result, "event"),))
        self.show_talk()
        self._ranks.redraw()
        if self._again is not None:
            self._again.redraw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only who has played can play again."""
        if action in ("again", "less", "more", "up", "down") and self._again is None:
            return False
        if action == "replay":
            return self.sitting.saved is not None and not self.review
        return super().check_action(action, parameters)

    def action_replay(self) -> None:
        """Go through the game again."""
        self.farfadet.go(Replay(self.sitting.saved))

    def action_again(self) -> None:
        """Play again, unless the key was still meant for the game."""
        if self._again is not None and monotonic() - self._shown > AT_REST:
            self.farfadet.again(self.sitting, self._again.wish)

    def action_less(self) -> None:
        """The value before."""
        if self._again is not None:
            self._again.change(-1)

    def action_more(self) -> None:
        """The next value."""
        if self._again is not None:
            self._again.change(1)

    def action_up(self) -> None:
        """The one before, to be changed."""
        if self._again is not None:
            self._again.move(-1)

    def action_down(self) -> None:
        """The next one, to be changed."""
        if self._again is not None:
            self._again.move(1)

    def action_home(self) -> None:
        """Back to the first screen, unless the key was still meant for the game."""
        if monotonic() - self._shown > AT_REST:
            self.farfadet.home()

    def action_board(self) -> None:
        """Back to the last position."""
        self.app.pop_screen()

    def action_quit(self) -> None:
        """Leave the app."""
        self.app.exit()
