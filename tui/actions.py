"""Everything a key can do, once: what binds the keys, labels the foot and fills the help.

An action's id says where it works and what runs: ``game.undo`` is ``action_undo`` of the game
screen; ``any.…`` works everywhere. What a board adds for its own game lies with that board, and is
looked up by the board itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tui.words import N_

if TYPE_CHECKING:
    from textual.binding import Binding, BindingType


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. ``keys`` are Textual's names, ``shown`` is what people call them."""

    id: str
    keys: tuple[str, ...]
    shown: str
    label: str
    help: str
    foot: bool = True
    row: int = 0
    """If it stands for so many things side by side: their keys in order, as many for each."""

    @property
    def place(self) -> str:
        """Where it works."""
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        """The action as Textual calls it."""
        return self.id.partition(".")[2]

    @property
    def command(self) -> bool:
        """Whether one may look for it by name: for what moves about, nobody does."""
        return self.keys[0] not in MOVING

    @property
    def each(self) -> tuple[tuple[str, ...], ...]:
        """The keys of each thing in the row; of an action that is no row, all its keys."""
        count = len(self.keys) // (self.row or 1)
        return tuple(self.keys[at : at + count] for at in range(0, len(self.keys), count))


ARROWS: Final = ("up", "down", "left", "right")
MOVING: Final = frozenset((*ARROWS, "enter", "pageup", "pagedown"))
"""The keys, as they come, of what is done to what one sees before one."""

DIGITS: Final = (
    ("1", "ampersand"),
    ("2", "é"),
    ("3", "quotation_mark"),
    ("4", "apostrophe"),
    ("5", "left_parenthesis"),
    ("6", "minus"),
    ("7", "è"),
    ("8", "underscore"),
    ("9", "ç"),
    ("0", "à"),
)
"""The row of digits, each with the name of its unshifted key on a French keyboard."""

ACTIONS: Final = (
    Action("home.up", ("up", "k"), "↑", N_("up"), N_("one line up"), foot=False),
    Action("home.down", ("down", "j"), "↓", N_("down"), N_("one line down"), foot=False),
    Action("home.less", ("left",), "←", N_("less"), N_("the value before"), foot=False),
    Action("home.more", ("right",), "→", N_("more"), N_("the next value"), foot=False),
    Action("home.enter", ("enter", "space"), "↵", N_("go"), N_("do what is lit")),
    Action(
        "home.forget",
        ("x", "delete"),
        "x",
        N_("forget"),
        N_("forget the table one could go back to"),
        foot=False,
    ),
    Action("home.quit", ("q",), "q", N_("quit"), N_("leave farfadet")),
    Action("near.up", ("up", "k"), "↑", N_("up"), N_("one table up"), foot=False),
    Action("near.down", ("down", "j"), "↓", N_("down"), N_("one table down"), foot=False),
    Action("near.enter", ("enter",), "↵", N_("join"), N_("sit down there, or look on")),
    Action("near.watch", ("w",), "w", N_("watch"), N_("look on there")),
    Action("near.quick", ("n",), "n", N_("next seat"), N_("sit down at the next free seat")),
    Action("near.game", ("g",), "g", N_("game"), N_("list one game only, or all")),
    Action("near.free", ("f",), "f", N_("free"), N_("list tables with a free seat only, or all")),
    Action("near.cancel", ("escape", "q"), "Esc", N_("back"), N_("back to the first screen")),
    Action("join.enter", ("enter",), "↵", N_("join"), N_("go to the table")),
    Action("join.cancel", ("escape",), "Esc", N_("back"), N_("back to the first screen")),
    Action("table.copy", ("c",), "c", N_("copy"), N_("copy the invitation")),
    Action("table.bot", ("b",), "b", N_("bot"), N_("a bot takes an empty seat")),
    Action(
        "table.ready",
        ("r", "space"),
        "r",
        N_("wait for me"),
        N_("let the others wait for you; once more: you are ready"),
    ),
    Action("table.fewer", ("left",), "←→", N_("players"), N_("one seat fewer, if it is free")),
    Action("table.more", ("right",), "→", N_("more"), N_("one seat more"), foot=False),
    Action("table.limit", ("t",), "t", N_("time"), N_("the next time limit")),
    Action("table.leave", ("q", "escape"), "q", N_("leave"), N_("leave the table")),
    Action("game.aim", ARROWS, "↑↓←→", N_("aim"), N_("go from one target to the next"), row=4),
    Action("game.seal", ("enter",), "↵", N_("seal"), N_("seal the choice: no way back")),
    Action(
        "game.undo",
        ("u", "backspace", "escape"),
        "u",
        N_("undo"),
        N_("drop the choice before the seal"),
    ),
    Action(
        "game.type",
        ("colon", "slash"),
        ":",
        N_("type"),
        N_("type the choice as text, Enter seals it"),
    ),
    Action(
        "game.older", ("pageup",), "PgUp", N_("older"), N_("look back in the history"), foot=False
    ),
    Action(
        "game.newer", ("pagedown",), "PgDn", N_("newer"), N_("forward in the history"), foot=False
    ),
    Action(
        "game.go_on",
        ("w",),
        "w",
        N_("go on"),
        N_("go on without those who are away, if the others agree"),
    ),
    Action(
        "game.come_back",
        ("r",),
        "r",
        N_("back at the table"),
        N_("be waited for again, after the table went on without you"),
    ),
    Action(
        "game.compared",
        ("v",),
        "v",
        N_("same words"),
        N_("the four words are the same for all; once more: they are not"),
        foot=False,
    ),
    Action(
        "game.delegate",
        ("z",),
        "z",
        N_("bot"),
        N_("let a bot play for you, or play yourself again"),
        foot=False,
    ),
    Action("game.leave", ("q",), "q", N_("leave"), N_("leave the table, after a second q")),
    Action(
        "talk.talk",
        ("tab",),
        "Tab",
        N_("talk"),
        N_("say something: Enter sends it, Esc closes; /mute NAME, /unmute NAME"),
    ),
    Action(
        "talk.hush",
        ("f3",),
        "F3",
        N_("mute"),
        N_("hear those who look on, or none of them; their names are in [brackets]"),
    ),
    Action(
        "result.again",
        ("enter",),
        "↵",
        N_("play again"),
        N_("play again, with the same people if they like"),
    ),
    Action("result.less", ("left",), "←→", N_("change"), N_("the value before")),
    Action("result.more", ("right",), "→", N_("more"), N_("the next value"), foot=False),
    Action("result.up", ("up",), "↑", N_("up"), N_("what to change: one before"), foot=False),
    Action("result.down", ("down",), "↓", N_("down"), N_("what to change: the next"), foot=False),
    Action("result.replay", ("r",), "r", N_("replay"), N_("go through this game again")),
    Action("result.home", ("h",), "h", N_("home"), N_("back to the first screen")),
    Action("result.board", ("b", "escape"), "b", N_("board"), N_("look at the board again")),
    Action("result.quit", ("q",), "q", N_("quit"), N_("leave farfadet")),
    Action("replays.up", ("up", "k"), "↑", N_("up"), N_("one game up"), foot=False),
    Action("replays.down", ("down", "j"), "↓", N_("down"), N_("one game down"), foot=False),
    Action("replays.page_up", ("pageup",), "PgUp", N_("up"), N_("one page up"), foot=False),
    Action("replays.page_down", ("pagedown",), "PgDn", N_("down"), N_("one page down"), foot=False),
    Action(
        "replays.enter", ("enter", "space"), "↵", N_("replay"), N_("go through this game again")
    ),
    Action("replays.delete", ("x", "delete"), "x", N_("delete"), N_("delete this game for good")),
    Action("replays.cancel", ("escape", "q"), "Esc", N_("back"), N_("back to where one was")),
    Action("replay.on", ("right", "l"), "→", N_("on"), N_("the next event")),
    Action("replay.back", ("left", "h"), "←", N_("back"), N_("the event before")),
    Action("replay.next", ("pagedown", "n"), "n", N_("next round"), N_("the next round")),
    Action(
        "replay.before",
        ("pageup", "p"),
        "p",
        N_("round before"),
        N_("the round before"),
        foot=False,
    ),
    Action("replay.start", ("home",), "Home", N_("beginning"), N_("the beginning"), foot=False),
    Action("replay.end", ("end",), "End", N_("end"), N_("the end"), foot=False),
    Action(
        "replay.play",
        ("space",),
        "Space",
        N_("autoplay"),
        N_("go on without a key, or stop that"),
    ),
    Action("replay.view", ("v",), "v", N_("view"), N_("look from the next seat, or as everybody")),
    Action(
        "replay.jump",
        ("colon", "slash"),
        ":",
        N_("go to a round"),
        N_("go to a round by its number"),
        foot=False,
    ),
    Action(
        "replay.older", ("up", "k"), "↑", N_("older"), N_("look back in the history"), foot=False
    ),
    Action(
        "replay.newer", ("down", "j"), "↓", N_("newer"), N_("forward in the history"), foot=False
    ),
    Action("replay.result", ("enter",), "↵", N_("score"), N_("the score, at the end")),
    Action("replay.leave", ("q", "escape"), "q", N_("leave"), N_("back to where one was")),
    Action("replay.faster", ("plus", "equals_sign"), "+", N_("faster"), N_("go on faster")),
    Action("replay.slower", ("minus",), "-", N_("slower"), N_("go on slower"), foot=False),
    Action("trust.up", ("up", "k"), "↑", N_("up"), N_("one line up")),
    Action("trust.down", ("down", "j"), "↓", N_("down"), N_("one line down")),
    Action("trust.enter", ("enter",), "↵", N_("answer"), N_("take the answer that is lit")),
    Action("settings.up", ("up", "k"), "↑", N_("up"), N_("one line up"), foot=False),
    Action("settings.down", ("down", "j"), "↓", N_("down"), N_("one line down"), foot=False),
    Action("settings.less", ("left",), "←→", N_("change"), N_("the value before")),
    Action("settings.more", ("right",), "→", N_("more"), N_("the next value"), foot=False),
    Action("settings.enter", ("enter", "space"), "↵", N_("write"), N_("change what is lit")),
    Action("settings.usual", ("x", "delete"), "x", N_("as usual"), N_("as if it was never set")),
    Action("settings.cancel", ("escape", "q"), "Esc", N_("back"), N_("back to where one was")),
    Action("welcome.language", ("up", "down"), "↑↓", N_("language"), N_("the other language")),
    Action("welcome.enter", ("enter",), "↵", N_("go"), N_("keep the name, and go on")),
    Action("help.close", ("escape", "q", "enter"), "Esc", N_("close"), N_("close the help")),
    Action("help.rules", ("r",), "r", N_("rules"), N_("read all of the rules")),
    Action("help.up", ("up", "pageup"), "↑", N_("up"), N_("towards the top")),
    Action("help.down", ("down", "pagedown", "space"), "↓", N_("down"), N_("towards the end")),
    Action("rules.close", ("escape", "q"), "Esc", N_("close"), N_("close the rules")),
    Action("rules.less", ("left",), "←→", N_("game"), N_("the game before")),
    Action("rules.more", ("right",), "→", N_("next game"), N_("the next game"), foot=False),
    Action("rules.after", ("n",), "n", N_("next section"), N_("the next section")),
    Action("rules.before", ("p",), "p", N_("section before"), N_("the section before")),
    Action("rules.on", ("pagedown", "space"), "PgDn", N_("page on"), N_("one page down")),
    Action("rules.back", ("pageup",), "PgUp", N_("page back"), N_("one page up"), foot=False),
    Action("rules.up", ("up", "k"), "↑", N_("up"), N_("one line up"), foot=False),
    Action("rules.down", ("down", "j"), "↓", N_("down"), N_("one line down"), foot=False),
    Action("palette.enter", ("enter",), "↵", N_("do it"), N_("do what is lit")),
    Action("palette.up", ("up",), "↑", N_("up"), N_("one line up")),
    Action("palette.down", ("down",), "↓", N_("down"), N_("one line down")),
    Action("palette.close", ("escape",), "Esc", N_("close"), N_("do nothing")),
    Action("any.help", ("f1", "question_mark"), "F1", N_("help"), N_("keys, and how to play")),
    Action(
        "any.palette",
        ("ctrl+p",),
        "^p",
        N_("commands"),
        N_("find by name what can be done now"),
        foot=False,
    ),
    Action("any.settings", ("f5",), "F5", N_("settings"), N_("everything one can set"), foot=False),
    Action("any.rules", ("f4",), "F4", N_("rules"), N_("read all of the rules"), foot=False),
    Action("any.language", ("f2",), "F2", N_("français"), N_("change between English and French")),
    Action(
        "any.redraw",
        ("ctrl+l",),
        "^l",
        N_("draw again"),
        N_("draw the screen anew, if something else has written on it"),
        foot=False,
    ),
    Action("any.quit", ("ctrl+q",), "^q", N_("quit"), N_("leave farfadet at once"), foot=False),
)


def of(place: str) -> tuple[Action, ...]:
    """The actions of one place, in the order they are shown."""
    return tuple(action for action in ACTIONS if action.place == place)


def bindings(place: str) -> list[BindingType]:
    """The keys of one place, for a screen's ``BINDINGS``; ids let them be changed later."""
    return [binding for action in of(place) for binding in _bound(action)]


def _bound(action: Action) -> list[Binding]:
    """One binding; of arrows, one each, which tells the action its direction."""
    # Whoever only reads the registry needs no screen.
    from textual.binding import Binding

    if action.keys != ARROWS:
        keys = ",".join(action.keys)
        return [Binding(keys, action.name, action.label, show=False, id=action.id)]
    return [
        Binding(key, f"{action.name}('{key}')", action.label, show=False, id=f"{action.id}.{key}")
        for key in ARROWS
    ]
