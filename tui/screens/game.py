"""The game: the board, what is asked, what has happened. All of it is drawn from the sitting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual.containers import Container, Horizontal, Vertical
from textual.message import Message
from textual.widget import Widget
from textual.worker import Worker

from net.people.talk import Talk
from net.play.notices import Ended, Happened, Notice, Rewound
from rules.game import Over
from tui import boards
from tui.actions import Action, bindings
from tui.boards.base import Board
from tui.company import Company
from tui.going import sit_through
from tui.screens.choosing import Choosing
from tui.sitting import Sitting
from tui.story.missing import Remark
from tui.story.reveal import SECONDS
from tui.story.seen import Seen
from tui.story.situation import Situation, above, phase, prompt, time_left
from tui.story.told import Story
from tui.widgets.clock import Clock
from tui.widgets.foot import Foot
from tui.widgets.history import History
from tui.widgets.line import Line
from tui.words import N_, Pieces, text


class GameScreen(Choosing):
    """One sitting, until it ends or its player leaves."""

    PLACE = "game"
    BINDINGS: ClassVar = bindings("game")
    AUTO_FOCUS = "Board"
    DEFAULT_CSS = """
    GameScreen #head { height: 1; }
    GameScreen #top { width: 1fr; }
    GameScreen #middle { height: 1fr; layout: vertical; }
    GameScreen Board { width: 1fr; height: auto; }
    GameScreen History { width: 1fr; height: 1fr; }
    GameScreen #prompt { background: $surface; }
    GameScreen.-talking #prompt, GameScreen.-noted #prompt { display: none; }
    GameScreen #side { width: 1fr; height: 1fr; }
    GameScreen #chat { height: auto; max-height: 50%; }
    GameScreen #chat, GameScreen #heading { display: none; }
    GameScreen.-wide #middle { layout: horizontal; }
    GameScreen.-wide Board { width: 80; height: 1fr; }
    GameScreen.-wide #edge { display: none; }
    GameScreen.-wide #side { border-left: solid $foreground 25%; }
    GameScreen.-wide .-said #chat, GameScreen.-wide .-around #heading { display: block; }
    """

    @dataclass
    class Told(Message):
        """The table has told us something."""

        notice: Notice

    def __init__(self, sitting: Sitting, company: Company | None = None) -> None:
        super().__init__()
        self.sitting = sitting
        self.company = company
        self.seen = Seen(sitting)
        self.story = Story(self.seen, company)
        self.problem: Callable[[], str] | None = None
        self.board: Board = boards.load(sitting.game.name)(self.seen.view())
        self._behind = False
        """Whether there is more of the story than is shown."""
        self._rung = ""
        """For what our player was called last."""
        self._worker: Worker[None] | None = None
        self._gone = asyncio.Event()

    @property
    def talk(self) -> Talk | None:
        """The talk at the table."""
        return self.sitting.talk

    @property
    def game(self) -> str:
        """The game that is played."""
        return self.sitting.game.name

    def parts(self) -> Iterator[Widget]:
        """From the headline to the question."""
        yield Horizontal(Line(id="top"), Clock(id="clock"), id="head")
        yield Line(id="banner")
        yield Container(
            self.board,
            Line(id="edge"),
            Vertical(History(), Line(id="heading"), History("chat"), id="side"),
            id="middle",
        )
        yield from self.typing()
        yield from self.saying()
        yield Line(id="prompt")

    def on_mount(self) -> None:
        """Listen and start; the table goes on after we have left this screen for the result."""
        self.sitting.listen(self._hear)
        self._tick()
        self._worker = self.app.run_worker(self._run(), group="sitting", exit_on_error=False)

    def on_unmount(self) -> None:
        """Leave the table, unless it is over and only says good-bye."""
        self._gone.set()
        if self._worker is not None and self.sitting.result is None:
            self._worker.cancel()

    async def _run(self) -> None:
        await sit_through(self.sitting, self._play, self._gone)

    async def _play(self) -> None:
        try:
            await self.sitting.run()
        except Exception as error:
            self.problem = self.farfadet.explain(error)
        if self.is_attached:
            self.call_later(self._ended)

    def _ended(self) -> None:
        """Say how it ended: the file is written by now."""
        self.farfadet.relabel()

    def _hear(self, notice: Notice) -> None:
        if self.is_attached:
            self.post_message(self.Told(notice))

    # What the table tells.

    def on_game_screen_told(self, message: Told) -> None:
        """Take a notice in and show what it changes."""
        notice, reveal = message.notice, self.seen.reveal
        idle = reveal.now is None
        self.seen.take(notice, moving=self.app.animation_level != "none")
        if idle and reveal.now is not None:
            self.after(SECONDS, self._unveil)
        if isinstance(notice, Rewound):
            self._take_back()
        if isinstance(notice, Happened | Remark) and not self._behind:
            # Once for all that is waiting: who comes late hears a whole game at once.
            self._behind = True
            self.call_later(self._tell)
        self.update()
        if isinstance(notice, Ended):
            if self.farfadet.hints is not None and self.sitting.me is not None:
                self.farfadet.hints.played(self.game)
            self._show_result()

    def _take_back(self) -> None:
        """If there was a result, there is none."""
        from tui.screens.result import ResultScreen

        if isinstance(self.app.screen, ResultScreen) and self.sitting.result is None:
            self.app.pop_screen()

    def _unveil(self) -> None:
        """The next moment, or the present."""
        if self.seen.reveal.now is None:
            return
        self.seen.reveal.end()
        if self.seen.reveal.now is not None:
            self.after(SECONDS, self._unveil)
        self._tell()
        self.update()
        self._show_result()

    def on_board_skipped(self) -> None:
        """Everything at once."""
        while self.seen.reveal.now is not None:
            self.seen.reveal.end()
        self._tell()
        self.update()
        self._show_result()

    def _show_result(self) -> None:
        from tui.screens.result import ResultScreen

        over = self.sitting.result is not None and self.seen.reveal.now is None
        if over and self.app.screen is self:
            self.app.push_screen(ResultScreen(self.sitting, self.board))

    # What the screen shows.

    def _situation(self) -> Situation:
        return Situation(
            sitting=self.sitting,
            voice=self.board.voice,
            missing=self.seen.missing,
            progress=self.seen.progress,
            problem=self.problem,
            refused=self.refused,
            leaving=self.leaving,
            aimed=self.board.aimed,
            ask=self.board.ask,
            keymap=self.farfadet.keymap,
        )

    def relabel(self) -> None:
        """Everything, in the present language."""
        super().relabel()
        self._tell()
        self.update()

    def update(self) -> None:
        """The board and the lines around it."""
        board = self.board
        board.show(self.seen.view())
        self._head()
        left, right = above(self._situation())
        left = left or self._hint()
        self.query_one("#banner", Line).show(left, right, "─")
        self.ask()
        self.query_one(Foot).redraw()
        self._ring()

    def _hint(self) -> Pieces:
        """What helps a newcomer now, where there is nothing else to say."""
        app, voice = self.farfadet, self.board.voice
        if app.hints is None or not app.settings.hints or self.sitting.delegated:
            return ()
        code = app.hints.pick(self.game, voice.hints())
        return () if code is None else ((f" {self.words.say(voice.HINTS[code])} ", "chat"),)

    def _head(self) -> None:
        """The first line, with the time that is left."""
        now, board = self._situation(), self.board
        title = self.words.say(board.voice.TITLE)
        self.query_one("#top", Line).show(((title, "title"), *board.voice.headline()), phase(now))
        self.query_one(Clock).show(time_left(now))

    def _tick(self) -> None:
        """Look at the time again whenever another second is gone."""
        patience = self.sitting.patience
        self.after(patience % 1.0 + 0.01 if patience else 1.0, self._tick)
        self._head()
        self._edges()

    def _tell(self) -> None:
        """The story, and what is said: beside it where there is room, else in between."""
        self._behind = False
        self.board.view = self.seen.view()
        tell = self.story.game if self.wide else self.story.whole
        self.query_one("#history", History).show(tell(self.board.voice))
        if self.wide:
            self.query_one("#chat", History).show(self.lines())
        self._edges()

    def ask(self) -> None:
        """What is asked, or should be known first."""
        self.query_one("#prompt", Line).show(prompt(self._situation()))

    def show_talk(self) -> None:
        """It stands with the story."""
        self._tell()

    def _edges(self) -> None:
        """The lines above the story and above the talk."""
        around, lines = self.around(), self.talk is not None and bool(self.talk.lines)
        side = self.query_one("#side")
        self.query_one("#edge", Line).show((), around, "─")
        self.query_one("#heading", Line).show((), self.around(side.size.width - 1), "─")
        side.set_class(lines, "-said")
        side.set_class(lines or bool(around), "-around")

    def on_resize(self) -> None:
        """What is said may change places."""
        self._tell()

    def state(self) -> str:
        """The game, and what it waits for."""
        game, over = self.words.say(self.board.voice.TITLE), self.sitting.result is not None
        said = self.words.say(N_("game over")) if over else text(phase(self._situation()))
        said = self.words.say(N_("your turn")) if self.board.view.moves else said
        return f"{said} · {game}" if said else game

    def _ring(self) -> None:
        """Call our player once when it is their turn, and once when the game is over."""
        attention, title = self.farfadet.attention, self.words.say(self.board.voice.TITLE)
        over, mine = self.sitting.result is not None, bool(self.board.view.moves)
        wanted = "over" if over else "turn" if mine else ""
        said = N_("{game}: the game is over.") if over else N_("{game}: it is your turn.")
        if wanted and wanted != self._rung:
            attention.call(self.words.say(said, game=title))
        self._rung = wanted
        attention.look()

    # What the player does.

    def label(self, action: Action) -> str:
        """When the game is over there is nothing to seal."""
        over = action.name == "seal" and isinstance(self.sitting.request, Over)
        return N_("score") if over else super().label(action)

    def action_seal(self) -> None:
        """Seal what is aimed at; after the end, the score."""
        if isinstance(self.board.view.request, Over):
            self._show_result()
        else:
            self.calm()
            self.board.seal()

    def action_older(self) -> None:
        """Look back."""
        self.query_one("#history", History).scroll_page_up(animate=False)

    def action_newer(self) -> None:
        """Look forward again."""
        self.query_one("#history", History).scroll_page_down(animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does something now."""
        over = isinstance(self.sitting.request, Over)
        match action:
            case "aim" | "undo" | "type":
                return self.sitting.me is not None
            case "seal":
                return self.sitting.me is not None or over
            case "go_on":
                return self.seen.missing.can_go_on
            case "come_back":
                return self.seen.missing.can_come_back
            case "delegate":
                return self.sitting.me is not None and not over
            case "compared":
                return self.company is not None and self.company.can_compare
        return super().check_action(action, parameters)

    def action_go_on(self) -> None:
        """Ask the others to go on without those who are away."""
        self.sitting.go_on()
        self.update()

    def action_come_back(self) -> None:
        """Be waited for again."""
        self.sitting.come_back()
        self.update()

    def action_delegate(self) -> None:
        """Let a program play for us, or play ourselves again."""
        stand_in = None if self.sitting.delegated else self.farfadet.doors.stand_in()
        self.sitting.delegate(stand_in)
        self.update()

    def action_compared(self) -> None:
        """The four words are the same for all, or are not after all."""
        assert self.company is not None
        self.company.compare()
        self._tell()

    def action_leave(self) -> None:
        """Leave, when asked twice or when there is nothing to leave."""
        stopped = self.problem is not None or self.sitting.blame is not None
        over = isinstance(self.sitting.request, Over)
        if self.leaving or stopped or over or self.sitting.me is None:
            self.farfadet.home()
        else:
            self.leaving = True
            self.update()
