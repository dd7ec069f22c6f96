"""Everything a key can do, once: what binds the keys, labels the foot and fills the help.

An action's id says where it works and what runs: ``game.undo`` is ``action_undo`` of the game
screen; ``any.…`` works everywhere. What a board adds for its own game lies with that board, and is
looked up by the board itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from textual.binding import Binding, BindingType

from tui.words import N_


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. ``keys`` are Textual's names, ``shown`` is what people call them."""

    id: str
    keys: tuple[str, ...]
    shown: str
    label: str
    help: str
    foot: bool = True

    @property
    def place(self) -> str:
        """Where it works."""
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        """The action as Textual calls it."""
        return self.id.partition(".")[2]


ARROWS: Final = ("up", "down", "left", "right")

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
    Action("table.leave", ("q", "escape"), "q", N_("leave"), N_("leave the table")),
    Action(
        "game.aim",
        ARROWS,
        "↑↓←→",
        N_("aim"),
        N_("go from one target to the next"),
    ),
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
    Action("result.home", ("h",), "h", N_("home"), N_("back to the first screen")),
    Action("result.board", ("b", "escape"), "b", N_("board"), N_("look at the board again")),
    Action("result.quit", ("q",), "q", N_("quit"), N_("leave farfadet")),
    Action("trust.up", ("up", "k"), "↑", N_("up"), N_("one line up")),
    Action("trust.down", ("down", "j"), "↓", N_("down"), N_("one line down")),
    Action("trust.enter", ("enter",), "↵", N_("answer"), N_("take the answer that is lit")),
    Action("help.close", ("escape", "q", "enter"), "Esc", N_("close"), N_("close the help")),
    Action("help.up", ("up", "pageup"), "↑", N_("up"), N_("towards the top")),
    Action("help.down", ("down", "pagedown", "space"), "↓", N_("down"), N_("towards the end")),
    Action("any.help", ("f1", "question_mark"), "F1", N_("help"), N_("keys, and how to play")),
    Action(
        "any.language",
        ("f2",),
        "F2",
        N_("français"),
        N_("change between English and French"),
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
    if action.keys != ARROWS:
        keys = ",".join(action.keys)
        return [Binding(keys, action.name, action.label, show=False, id=action.id)]
    return [
        Binding(key, f"{action.name}('{key}')", action.label, show=False, id=f"{action.id}.{key}")
        for key in ARROWS
    ]
