"""The game: the board, what is asked, what has happened. All of it is drawn from the sitting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.containers import Container, Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import Worker

from net.notices import Ended, Happened, Notice, Rewound
from rules.game import Illegal, Over, RuleError
from tui import boards
from tui.actions import bindings
from tui.boards.base import Board, Direction
from tui.screens.frame import Frame
from tui.screens.missing import Remark, remark
from tui.screens.reveal import SECONDS, Entry
from tui.screens.seen import Seen
from tui.screens.situation import Situation, phase, prompt, time_left
from tui.sitting import Sitting
from tui.widgets.clock import Clock
from tui.widgets.foot import Foot
from tui.widgets.history import History
from tui.widgets.line import Line
from tui.words import N_, Pieces


class GameScreen(Frame):
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
    GameScreen Input { display: none; }
    GameScreen.-typing Input { display: block; }
    GameScreen.-wide #middle { layout: horizontal; }
    GameScreen.-wide Board { width: 80; height: 1fr; }
    GameScreen.-wide #edge { display: none; }
    GameScreen.-wide History { border-left: solid $foreground 25%; height: 1fr; }
    """

    @dataclass
    class Told(Message):
        """The table has told us something."""

        notice: Notice

    def __init__(self, sitting: Sitting, spoken: str | None = None) -> None:
        super().__init__()
        self.sitting = sitting
        self.spoken = spoken
        self.seen = Seen(sitting)
        self.refused: str | None = None
        self.problem: Callable[[], str] | None = None
        self.leaving = False
        self.board: Board = boards.load(sitting.game.name)(self.seen.view())
        self._rung = False
        self._worker: Worker[None] | None = None

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
            History(),
            id="middle",
        )
        yield Input(id="typed", max_length=40)
        yield Line(id="prompt")

    def on_mount(self) -> None:
        """Listen and start; the table goes on after we have left this screen for the result."""
        super().on_mount()
        self.sitting.listen(self._hear)
        self._tick()
        self._worker = self.app.run_worker(self._run(), group="sitting", exit_on_error=False)

    def on_unmount(self) -> None:
        """Leave the table, unless it is over and only says good-bye."""
        if self._worker is not None and self.sitting.result is None:
            self._worker.cancel()

    async def _run(self) -> None:
        try:
            await self.sitting.run()
        except Exception as error:
            self.problem = self.farfadet.explain(error)
        if self.is_attached:
            self.call_later(self._ended)

    def _ended(self) -> None:
        """Say how it ended: the file is written by now."""
        for screen in self.app.screen_stack:
            if isinstance(screen, Frame) and screen.is_mounted:
                screen.relabel()

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
            self.set_timer(SECONDS, self._unveil)
        if isinstance(notice, Rewound):
            self._take_back()
        if isinstance(notice, Happened | Remark):
            self._tell()
        self.update()
        if isinstance(notice, Ended):
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
            self.set_timer(SECONDS, self._unveil)
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
            words=self.words,
            sitting=self.sitting,
            board=self.board,
            missing=self.seen.missing,
            progress=self.seen.progress,
            problem=self.problem,
            refused=self.refused,
            leaving=self.leaving,
        )

    def relabel(self) -> None:
        """Everything, in the present language."""
        super().relabel()
        self.query_one("#typed", Input).placeholder = self.board.EXAMPLES
        self.query_one("#edge", Line).show((), (), "─")
        self._tell()
        self.update()

    def update(self) -> None:
        """The board and the lines around it."""
        board = self.board
        board.show(self.seen.view())
        self._head()
        left, right = self.seen.missing.banner(self.words, board.view.names)
        self.query_one("#banner", Line).show(left, right, "─")
        self.query_one("#prompt", Line).show(prompt(self._situation()))
        self.query_one(Foot).redraw()
        self._ring()

    def _head(self) -> None:
        """The first line, with the time that is left."""
        now, board = self._situation(), self.board
        title = self.words.say(board.TITLE)
        self.query_one("#top", Line).show(((title, "title"), *board.headline()), phase(now))
        self.query_one(Clock).show(time_left(now))

    def _tick(self) -> None:
        """Look at the time again whenever another second is gone."""
        self._head()
        patience = self.sitting.patience
        self.set_timer(patience % 1.0 + 0.01 if patience else 1.0, self._tick)

    def _tell(self) -> None:
        board = self.board
        board.view = self.seen.view()
        lines = [line for told in self.seen.reveal.told for line in self._lines(told)]
        if self.spoken is not None:
            said = self.words.say(N_("Four words to compare aloud: {words}"), words=self.spoken)
            lines.insert(0, ("", ((said, "dim"),)))
        self.query_one(History).show(lines)

    def _lines(self, told: Entry) -> list[tuple[str, Pieces]]:
        if isinstance(told, tuple):
            return [self.board.sentence(*told)]
        said = remark(self.board, self.words, self.board.view.names, told)
        return [(self.words.fold("·"), pieces) for pieces in said]

    def _ring(self) -> None:
        """Ring once when it is our turn and we look elsewhere."""
        mine = bool(self.board.view.moves)
        if mine and not self._rung and not self.app.app_focus:
            self.app.bell()
        self._rung = mine

    # What the player does.

    def on_key(self, event: events.Key) -> None:
        """Anything but a second q means staying."""
        if event.key != "q":
            self._calm()

    def _calm(self) -> None:
        if self.leaving or self.refused is not None:
            self.leaving, self.refused = False, None
            self.update()

    def on_board_move_chosen(self, message: Board.MoveChosen) -> None:
        """Seal it at the table, which then tells that we have contributed."""
        self.refused = None
        try:
            self.sitting.choose(message.move)
        except Illegal as illegal:
            self.refused = illegal.code
            self.update()

    def on_board_refused(self, message: Board.Refused) -> None:
        """Say why."""
        self.refused = message.code
        self.update()

    def on_board_aimed(self) -> None:
        """Ask for the seal."""
        self.refused, self.leaving = None, False
        self.query_one("#prompt", Line).show(prompt(self._situation()))

    def action_aim(self, direction: Direction) -> None:
        """The nearest target in a direction."""
        self.board.aim(direction)

    def action_seal(self) -> None:
        """Seal what is aimed at; after the end, the score."""
        if isinstance(self.board.view.request, Over):
            self._show_result()
        else:
            self._calm()
            self.board.seal()

    def action_undo(self) -> None:
        """Aim at nothing; close the line to type in."""
        if self.has_class("-typing"):
            self._close_input()
        else:
            self.board.undo()

    def action_type(self) -> None:
        """Open the line to type a move in."""
        self._calm()
        self.add_class("-typing")
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Seal what was typed, if it is a move; nothing typed closes the line."""
        written = event.value.strip()
        if written:
            try:
                move = self.sitting.game.read(written)
            except RuleError as error:
                self.refused = error.code
                self.update()
                return
            if not self.board.allowed(move):
                return
            self.board.post_message(Board.MoveChosen(move))
        self._close_input()

    def on_input_changed(self) -> None:
        """What was wrong is being put right."""
        self._calm()

    def _close_input(self) -> None:
        self.query_one(Input).clear()
        self.remove_class("-typing")
        self.board.focus()

    def action_older(self) -> None:
        """Look back."""
        self.query_one(History).scroll_page_up(animate=False)

    def action_newer(self) -> None:
        """Look forward again."""
        self.query_one(History).scroll_page_down(animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does something now."""
        match action:
            case "go_on":
                return self.seen.missing.can_go_on
            case "come_back":
                return self.seen.missing.can_come_back
        return super().check_action(action, parameters)

    def action_go_on(self) -> None:
        """Ask the others to go on without those who are away."""
        self.sitting.go_on()
        self.update()

    def action_come_back(self) -> None:
        """Be waited for again."""
        self.sitting.come_back()
        self.update()

    def action_leave(self) -> None:
        """Leave, when asked twice or when there is nothing to leave."""
        stopped = self.problem is not None or self.sitting.blame is not None
        if self.leaving or stopped or isinstance(self.sitting.request, Over):
            self.farfadet.home()
        else:
            self.leaving = True
            self.update()

    def refocus(self) -> None:
        """Keys go to the board."""
        self.board.focus()
