"""The player's own keys: what the table ``keys`` of the settings makes of the registry of actions.

``keys`` names actions by id and gives each its keys, ``"table.copy" = "y,f5"``. What cannot be is
left as it was, and said: nobody is locked out by a slip of the pen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from unicodedata import name as name_of

import rules
from tui.actions import ACTIONS, Action
from tui.words import N_, Words

SCREENS: Final = (
    frozenset({"table", "talk"}),
    frozenset({"game", "talk"}),
    frozenset({"result", "talk"}),
)
"""Places whose keys work side by side. A game's own keys work with those of ``game``."""

WRITING: Final = frozenset({"join", "palette", "welcome"})
"""Places where a letter is written, so that it can be no key."""

MODIFIERS: Final = frozenset({"ctrl", "alt", "shift"})

CAPS: Final = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "enter": "↵",
    "escape": "Esc",
    "tab": "Tab",
    "space": N_("Space"),
    "backspace": "Bksp",
    "delete": "Del",
    "insert": "Ins",
    "home": N_("Home"),
    "end": N_("End"),
    "pageup": N_("PgUp"),
    "pagedown": N_("PgDn"),
    **{f"f{number}": f"F{number}" for number in range(1, 25)},
}
"""What stands on the keys that write nothing, by Textual's names, to translate."""

_OTHERWISE: Final = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Textual's names of keys that are not the names of their characters."""

SLIPS: Final = {
    "unknown-action": N_("Keys: there is nothing called {id}."),
    "unknown-key": N_("Keys: {id} stays as it was, there is no key {key}."),
    "no-key": N_("Keys: {id} stays as it was, it needs a key."),
    "row": N_("Keys: {id} stays as it was, it takes {n} keys in order."),
    "written": N_("Keys: {id} stays as it was, {key} is needed to write there."),
    "clash": N_("Keys: {id} stays as it was, {key} is the key of {other}."),
}
"""What is wrong with the player's keys, by code."""


@dataclass(frozen=True, slots=True)
class Slip:
    """Something in the table that is not done; ``code`` says why (``SLIPS``)."""

    id: str
    code: str
    blanks: Mapping[str, str] = field(default_factory=dict)

    def said(self, words: Words) -> str:
        """As a sentence."""
        return words.say(SLIPS[self.code], id=self.id, **self.blanks)


@dataclass(frozen=True, slots=True)
class Keymap:
    """The keys of all actions: the player's ``own``, by id, and else those of the registry."""

    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    slips: tuple[Slip, ...] = ()

    def keys(self, wanted: str) -> tuple[str, ...]:
        """The keys of the action with this id, which is that of a screen."""
        own = self.own.get(wanted)
        return own or next(action.keys for action in ACTIONS if action.id == wanted)

    def spoken(self, wanted: str, words: Words) -> str:
        """The first key of the action with this id, which is that of a screen, in a sentence."""
        key = self.keys(wanted)[0]
        return words.say(N_("Enter") if key == "enter" else cap(key))

    def action(self, action: Action) -> Action:
        """The action as this player has it: with their keys, and what people call those."""
        keys = self.own.get(action.id)
        if keys is None:
            return action
        shown = " ".join(map(cap, keys)) if action.row else cap(keys[0])
        return replace(action, keys=keys, shown=shown)

    def textual(self) -> dict[str, str]:
        """What Textual calls a keymap: by the ids of bindings, of which each arrow has its own."""
        bound: dict[str, str] = {}
        for action in ACTIONS:
            keys = self.own.get(action.id, ())
            if action.row and keys:
                ids = [f"{action.id}.{key}" for key in action.keys]
                bound |= dict(zip(ids, keys, strict=True))
            elif keys:
                bound[action.id] = ",".join(keys)
        return bound

    # A board knows its targets by the usual keys: only what is pressed and shown is changed.

    def pressed(self, actions: tuple[Action, ...], key: str) -> str:
        """Which usual key of ``actions`` is meant by ``key``; ``""`` if none is any more."""
        own = [action for action in actions if action.id in self.own]
        for action in own:
            usual = [each[0] for each in action.each]
            for at, mine in enumerate(self.own[action.id]):
                if key in (mine, mine.upper()):
                    return usual[at if action.row else 0]
        moved = any(key in action.keys or key.lower() in action.keys for action in own)
        return "" if moved else key

    def shown(self, actions: tuple[Action, ...], key: str) -> str:
        """What stands on the key that the usual ``key`` of ``actions`` has become."""
        for action in actions:
            if action.id in self.own:
                for at, each in enumerate(action.each):
                    if key in each:
                        return cap(self.own[action.id][at])
        return key


USUAL: Final = Keymap()
"""The keys of somebody who has none of their own."""


def read(table: Mapping[str, str]) -> Keymap:
    """The player's keys, from ids and lists of keys with commas; ``slips`` says what was wrong."""
    slips: list[Slip] = []
    own: dict[str, tuple[str, ...]] = {}
    games = {place(wanted) for wanted in table} & set(rules.names())
    known = {action.id: action for action in (*ACTIONS, *_of_boards(games))}
    for wanted, said in table.items():
        keys = tuple(key_named(key) for key in said.split(",") if key.strip())
        slip = _slip(wanted, known.get(wanted), keys)
        if slip is None:
            own[wanted] = keys
        else:
            slips.append(slip)
    # What is given up has its old keys again, which another may have taken: so until all is well.
    while (clash := _clash(own)) is not None:
        slips.append(clash)
        del own[clash.id]
    return Keymap(own, tuple(slips))


def place(wanted: str) -> str:
    """Where the action with this id works: the name of a screen or of a game."""
    return wanted.partition(".")[0]


def _of_boards(games: set[str]) -> list[Action]:
    # A board is a widget, which takes a while to load: most players have no keys of their own.
    from tui import boards

    return [action for game in sorted(games) for action in boards.load(game).ACTIONS]


def _slip(wanted: str, action: Action | None, keys: tuple[str, ...]) -> Slip | None:
    """What is wrong with these keys, by themselves."""
    if action is None:
        return Slip(wanted, "unknown-action")
    if not keys:
        return Slip(wanted, "no-key")
    if strange := [key for key in keys if not _exists(key)]:
        return Slip(wanted, "unknown-key", {"key": strange[0]})
    if action.row and len(keys) != action.row:
        return Slip(wanted, "row", {"n": str(action.row)})
    if action.place in WRITING and (letters := [key for key in keys if _writes(key)]):
        return Slip(wanted, "written", {"key": cap(letters[0])})
    return None


def _clash(own: Mapping[str, tuple[str, ...]]) -> Slip | None:
    """The last of the player's wishes that takes a key from something else, if one does."""
    games, places = set(rules.names()), {place(wanted) for wanted in own}
    shared = bool(places & {"game", "talk", "any"})
    actions = (*ACTIONS, *_of_boards(games if shared else games & places))
    has = [(action.id, own.get(action.id, action.keys)) for action in actions]
    for wanted, keys in tuple(own.items())[::-1]:
        for key in keys:
            if keys.count(key) > 1:
                return Slip(wanted, "clash", {"key": cap(key), "other": wanted})
            for other, theirs in has:
                if other != wanted and key in theirs and meet(place(wanted), place(other)):
                    return Slip(wanted, "clash", {"key": cap(key), "other": other})
    return None


def meet(one: str, other: str) -> bool:
    """Whether the keys of two places work on one screen."""
    if one == other or "any" in (one, other):
        return True
    games = {one, other} & set(rules.names())
    if len(games) == 2:
        return False
    places = {one, other} - games | ({"game"} if games else set())
    return any(places <= screen for screen in SCREENS)


def key_named(said: str) -> str:
    """The key that is meant, by Textual's name: of ``?``, ``F5``, ``ctrl+x``, ``space``, ``é``."""
    *modifiers, key = said.strip().rsplit("+", 1) if len(said.strip()) > 1 else [said.strip()]
    if len(key) > 1 or modifiers:
        key = key.lower()
    elif key and not key.isalnum():
        key = _named(key)
    return "+".join([*(modifier.lower() for modifier in modifiers), key])


def _named(char: str) -> str:
    """Textual's name of the key that writes ``char``."""
    called = name_of(char, "").lower().replace("-", "_").replace(" ", "_")
    return _OTHERWISE.get(called, called)


_SIGNS: Final = {_named(char): char for char in map(chr, range(33, 127)) if not char.isalnum()}
"""Signs, by the names of their keys."""


def cap(key: str) -> str:
    """What people call a key, given Textual's name: ``F1``, ``^p``, ``?``."""
    *modifiers, last = key.rsplit("+", 1)
    last = CAPS.get(last, _SIGNS.get(last, last))
    if not modifiers:
        return last
    return f"^{last}" if modifiers == ["ctrl"] else f"{modifiers[0]}+{last}"


def _exists(key: str) -> bool:
    *modifiers, last = key.rsplit("+", 1)
    named = (len(last) == 1 and last.isprintable()) or last in CAPS or last in _SIGNS
    return named and all(part in MODIFIERS for both in modifiers for part in both.split("+"))


def _writes(key: str) -> bool:
    return len(key) == 1 or key in _SIGNS or key == "space"
