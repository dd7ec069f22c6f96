"""A finished game again: its board and its history, step by step, round by round, or by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import ClassVar, Final

from textual import on
from textual.containers import Container, Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from rules.game import Choose
from tui import boards
from tui.actions import Action, bindings
from tui.boards.base import Board
from tui.replayed import Replayed
from tui.screens.frame import Frame
from tui.story.judged import judged, reading, stamp
from tui.story.reveal import SECONDS
from tui.story.seen import Seen
from tui.story.situation import Situation, phase
from tui.story.told import Story
from tui.widgets.field import Field
from tui.widgets.foot import Foot
from tui.widgets.history import History
from tui.widgets.line import Line
from tui.widgets.track import Track
from tui.words import N_, Pieces

PAUSE: Final = 2.0
"""Seconds between two events, at the usual speed."""
SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
LINES: Final = 60
"""Most lines of history at a time, so that steps are swift: for older ones one steps back."""
LOOK: Final = 0.1
"""Seconds between two looks at how far the file has been read."""


class ReplayScreen(Frame):
    """One finished game, from the beginning; its file is checked meanwhile, in a thread."""

    PLACE = "replay"
    BINDINGS: ClassVar = bindings("replay")
    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    ReplayScreen #middle { height: 1fr; layout: vertical; }
    ReplayScreen Board { width: 1fr; height: auto; }
    ReplayScreen #side { width: 1fr; height: 1fr; }
    ReplayScreen History { width: 1fr; height: 1fr; }
    ReplayScreen #round { display: none; }
    ReplayScreen.-jumping #round { display: block; }
    ReplayScreen.-jumping Track { display: none; }
    ReplayScreen.-wide #middle { layout: horizontal; }
    ReplayScreen.-wide Board { width: 80; height: 1fr; }
    ReplayScreen.-wide #edge { display: none; }
    ReplayScreen.-wide #side { border-left: solid $foreground 25%; }
    """

    class Read(Message):
        """More of the file has been read, or all of it."""

    def __init__(self, sitting: Replayed) -> None:
        super().__init__()
        self.sitting = sitting
        self.seen = Seen(sitting)
        self.board: Board = boards.load(sitting.game.name)(self.seen.view())
        self.board.can_focus = False
        self.playing = False
        self.speed = 1.0
        self._due: Timer | None = None
        """When there is something to be shown next, without a key."""
        self._to_end = False
        """Whether we want to be at the end as soon as that has been read."""
        self._problem: Callable[[], str] | None = None

    @property
    def game(self) -> str:
        """The game that was played."""
        return self.sitting.game.name

    def parts(self) -> Iterator[Widget]:
        """From the headline to where we are."""
        yield Line(id="top")
        yield Line(id="banner")
        yield Container(self.board, Line(id="edge"), Vertical(History(), id="side"), id="middle")
        yield Track()
        yield Field(id="round", max_length=6)

    # Reading the file.

    def on_mount(self) -> None:
        """Begin to read."""
        self.run_worker(self._read, thread=True, exit_on_error=False)

    def on_unmount(self) -> None:
        """Nobody looks any more."""
        self.sitting.playback.stopped = True

    def _read(self) -> None:
        """In a thread: read, and say so now and then."""
        said = monotonic()

        def told() -> None:
            nonlocal said
            if monotonic() - said > LOOK:
                said = monotonic()
                self.post_message(self.Read())

        try:
            self.sitting.playback.read(told)
        except Exception as error:
            self._problem = self.farfadet.explain(error)
        self.post_message(self.Read())

    def on_replay_screen_read(self) -> None:
        """Show how far it is; at the end there is a verdict."""
        if self._to_end or self.sitting.at > self.sitting.playback.last:
            self.action_end()
        elif self.sitting.ended:
            self.show()
        else:
            self._around()

    # What is shown.

    def relabel(self) -> None:
        """Everything, in the present language."""
        super().relabel()
        hint = N_("The number of a round; Enter goes there, Esc closes")
        self.query_one("#round", Input).placeholder = self.words.say(hint)
        self.show()

    def on_resize(self) -> None:
        """The history may stand elsewhere."""
        self.show()

    def show(self) -> None:
        """The board, the history and the lines around them."""
        self.board.show(self.seen.view())
        lines = Story(self.seen, None).game(self.board.voice)
        verdict = self.sitting.playback.verdict
        if self.sitting.ended and verdict is not None and self.seen.reveal.now is None:
            lines.append((self.words.fold("◆"), judged(self.words, self._names, verdict)))
        self.query_one(History).show(lines[-LINES:])
        edge = self.query_one("#edge", Line)
        edge.show((), (), "─")
        self._around()

    @property
    def _names(self) -> tuple[str, ...]:
        return self.board.view.names

    def _around(self) -> None:
        """The lines above the board, and where we are."""
        voice = self.board.voice
        title = self.words.say(voice.TITLE)
        self.query_one("#top", Line).show(((title, "title"), *voice.headline()), self._phase())
        left, _ = self.seen.missing.banner(self.words, self._names)
        replay = self.words.say(N_("Replay"))
        said = left or ((f" {replay} ", "dim"),)
        self.query_one("#banner", Line).show(said, self._verdict(), "─")
        self._track()
        self.query_one(Foot).redraw()

    def _phase(self) -> Pieces:
        """Whose turn it is, or what the table does; nothing while all choose in secret."""
        voice, request = self.board.voice, self.board.view.request
        if isinstance(request, Choose) and request.secret:
            return ()
        now = Situation(
            sitting=self.sitting,
            voice=voice,
            missing=self.seen.missing,
            progress=None,
            problem=None,
            refused=None,
            leaving=False,
            aimed=None,
            ask=tuple,
        )
        return phase(now)

    def _verdict(self) -> Pieces:
        playback = self.sitting.playback
        if self._problem is not None:
            return ((f" {self._problem()} ", "error"),)
        if playback.verdict is None:
            said = reading(self.words, playback.progress)
        else:
            said = stamp(self.words, playback.verdict)
        return ((" ", ""), *said, (" ", ""))

    def _track(self) -> None:
        sitting, playback, say = self.sitting, self.sitting.playback, self.words.say
        here, events = playback.events(min(sitting.at, playback.last)), playback.events()
        round_ = say(N_("round {n} of {m}"), n=sitting.position.round, m=playback.rounds)
        if not sitting.position.round:
            round_ = say(N_("the beginning"))
        event = say(N_("event {n} of {m}"), n=here, m=events)
        pieces: Pieces = ((f"{round_} · {event} · ", ""), *self._whose())
        if self.playing or self.speed != 1.0:
            pieces = (*pieces, (" · ", ""), ("▶ " if self.playing else "", "key"))
            pieces = (*pieces, (f"{self.speed:g}x", "key" if self.playing else "dim"))
        self.query_one(Track).show(pieces, here / events if events else 0.0)

    def _whose(self) -> Pieces:
        seat = self.sitting.me
        if seat is None:
            return ((self.words.say(N_("everybody's view")), "name"),)
        return self.words.tell(N_("{who}'s view"), who=((self._names[seat], "name"),))

    # Going through the game.

    def jump(self, at: int) -> None:
        """Go to a position at once, without showing choices again."""
        self._to_end = False
        self.sitting.go(at)
        self.seen = Seen(self.sitting)
        self._wait()
        self.show()

    def step(self) -> None:
        """Show what is next: choices that were made together, then what came of them."""
        self._to_end, reveal = False, self.seen.reveal
        if reveal.now is not None:
            reveal.end()
        else:
            for notice in self.sitting.on():
                self.seen.take(notice, moving=self.app.animation_level != "none")
        self._wait()
        self.show()

    def _wait(self) -> None:
        """If something follows without a key, see to it."""
        if self._due is not None:
            self._due.stop()
            self._due = None
        if self.playing and self.sitting.ended and self.seen.reveal.now is None:
            self.playing = False
        if self.seen.reveal.now is not None:
            self._due = self.later(SECONDS / self.speed, self.step)
        elif self.playing:
            self._due = self.later(PAUSE / self.speed, self.step)

    def later(self, seconds: float, do: Callable[[], None]) -> Timer:
        """Have something done after a while."""
        return self.after(seconds, do)

    def on_board_skipped(self) -> None:
        """Somebody has seen enough of the choices."""
        if self.seen.reveal.now is not None:
            self.step()

    @on(Track.Reached)
    def _reached(self, event: Track.Reached) -> None:
        """Go to where the bar was clicked."""
        playback = self.sitting.playback
        self.jump(playback.event(round(event.share * playback.events())))

    # What the keys do.

    def label(self, action: Action) -> str:
        """One key plays and pauses."""
        paused = action.name == "play" and self.playing
        return N_("pause") if paused else super().label(action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is a score when there is a result."""
        if action == "result":
            return self.sitting.result is not None and self.seen.reveal.now is None
        return super().check_action(action, parameters)

    def action_on(self) -> None:
        """The next event."""
        self.step()

    def action_back(self) -> None:
        """The event before."""
        self.sitting.back()
        self.jump(self.sitting.at)

    def action_next(self) -> None:
        """The beginning of the next round, or the end."""
        playback, now = self.sitting.playback, self.sitting.position.round
        self.jump(playback.last if now >= playback.rounds else playback.round_start(now + 1))

    def action_before(self) -> None:
        """The beginning of this round, or of the one before."""
        playback, now = self.sitting.playback, self.sitting.position.round
        start = playback.round_start(now)
        self.jump(start if start < self.sitting.at else playback.round_start(now - 1))

    def action_start(self) -> None:
        """The beginning."""
        self.jump(0)

    def action_end(self) -> None:
        """The end, now and when more of the file has been read."""
        # Looked at first: the file may be read to its end while we jump to where it was.
        unread = self.sitting.playback.verdict is None
        self.jump(self.sitting.playback.last)
        self._to_end = unread

    def action_play(self) -> None:
        """Go on without a key, or stop that."""
        if not self.playing and self.sitting.ended:
            self.jump(0)
        self.playing = not self.playing
        self._wait()
        self._around()

    def action_faster(self) -> None:
        """Faster."""
        self._change_speed(1)

    def action_slower(self) -> None:
        """Slower."""
        self._change_speed(-1)

    def _change_speed(self, step: int) -> None:
        at = SPEEDS.index(self.speed) + step
        self.speed = SPEEDS[min(max(at, 0), len(SPEEDS) - 1)]
        self._wait()
        self._around()

    def action_view(self) -> None:
        """Look from the next seat, after the last one as everybody."""
        seats, me = len(self.sitting.names), self.sitting.me
        self.sitting.me = 0 if me is None else me + 1 if me + 1 < seats else None
        self.jump(self.sitting.at)

    def action_older(self) -> None:
        """Look back in the history."""
        self.query_one(History).scroll_page_up(animate=False)

    def action_newer(self) -> None:
        """Forward again."""
        self.query_one(History).scroll_page_down(animate=False)

    def action_result(self) -> None:
        """The score."""
        from tui.screens.result import ResultScreen

        self.app.push_screen(ResultScreen(self.sitting, self.board, review=True))

    def action_leave(self) -> None:
        """Close the line to type in; else back to where we came from."""
        if self.has_class("-jumping"):
            self._close()
        else:
            self.app.pop_screen()

    def action_jump(self) -> None:
        """Open the line for the number of a round."""
        self.add_class("-jumping")
        self.query_one("#round", Input).focus()

    @on(Input.Submitted, "#round")
    def _typed(self, event: Input.Submitted) -> None:
        """Go to that round; what is no number is left to be put right."""
        written = event.value.strip()
        if written.isdecimal():
            self.jump(self.sitting.playback.round_start(int(written)))
        elif written:
            self.app.bell()
            return
        self._close()

    def _close(self) -> None:
        self.query_one("#round", Input).clear()
        self.remove_class("-jumping")
        self.set_focus(None)

    def refocus(self) -> None:
        """Keys go to the line that is open, else to the screen."""
        if self.has_class("-jumping"):
            self.query_one("#round", Input).focus()
        else:
            self.set_focus(None)
