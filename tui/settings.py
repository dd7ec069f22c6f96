"""What a player can set, said once: file, screen, commands and docs are made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from tui.text import safe
from tui.words import N_, Words, ascii_only, first_language

KEYS: Final = "keys"
"""The table of one's own keys; ``keys.game.undo`` names one entry of it."""

Value: TypeAlias = str | bool

_SWITCH: Final = {"on": N_("yes"), "off": N_("no")}
_WHEN: Final = {
    "away": N_("when I look elsewhere"),
    "always": N_("always"),
    "never": N_("never"),
}


class BadSetting(Exception):
    """Something cannot be set, read or written.

    ``code`` is ``"no-such-setting"``, ``"bad-setting"``, ``"bad-name"``, ``"settings-damaged"`` or
    ``"settings-not-saved"``; ``blanks`` are those of its sentence (``tui/troubles.py``).
    """

    def __init__(self, code: str, **blanks: str) -> None:
        super().__init__(f"{code} {blanks}")
        self.code = code
        self.blanks = blanks


@dataclass(frozen=True, slots=True)
class Settings:
    """All values at one moment; without arguments, the usual ones. What they mean: ``SETTINGS``."""

    name: str = ""
    language: str = ""
    theme: str = "farfadet"
    glyphs: str = "auto"
    animation: str = "on"
    bell: str = "away"
    notify: str = "away"
    confirm: bool = False
    mouse: bool = True
    hints: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)
    """One's own keys, with commas, by the id of the action (``tui/actions.py``)."""

    def words(self, environ: Mapping[str, str]) -> Words:
        """The language and the signs that are set; what is not, ``environ`` decides."""
        bare = ascii_only(environ) if self.glyphs == "auto" else self.glyphs == "ascii"
        return Words(self.language or first_language(environ), bare)


USUAL: Final = Settings()


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing to set. ``values`` are what it can be, each with a label; none: a text.

    ``check`` gives a text as it is kept, or raises ``BadSetting``. What is on or off may be written
    so, or as ``true`` or ``false``.
    """

    key: str
    label: str
    help: str
    values: Mapping[str, str] = field(default_factory=dict)
    check: Callable[[str], str] = str

    @property
    def usual(self) -> Value:
        """The value that is used if nothing is set."""
        value: Value = getattr(USUAL, self.key)
        return value

    def read(self, raw: object) -> Value:
        """The value that ``raw`` stands for, from a file or a command line; or ``BadSetting``."""
        written = ("off", "on")[raw] if isinstance(raw, bool) else raw
        if not isinstance(written, str) or (self.values and written not in self.values):
            possible = ", ".join(value or '""' for value in self.values) or '"…"'
            shown = safe(str(raw), 24)
            raise BadSetting("bad-setting", key=self.key, value=shown, possible=possible)
        if self.values:
            return written == "on" if isinstance(self.usual, bool) else written
        return self.check(written)


def text(value: Value) -> str:
    """A value as it is written on a command line."""
    return ("off", "on")[value] if isinstance(value, bool) else value


def _name(written: str) -> str:
    from net.play.charter import LONGEST_NAME

    name = safe(written, 4 * LONGEST_NAME)
    if len(name) > LONGEST_NAME or (written and not name):
        raise BadSetting("bad-name")
    return name


SETTINGS: Final = (
    Setting(
        "name",
        N_("Name"),
        N_("What the others call you. Empty: the name of your account on this machine."),
        check=_name,
    ),
    Setting(
        "language",
        N_("Language"),
        N_("The language of everything you read; the others read their own. F2 changes it too."),
        # Each in its own words, whatever is spoken now.
        {"": N_("as the system says"), "en": "in English", "fr": "en français"},
    ),
    Setting(
        "theme",
        N_("Colours"),
        N_("Letters say everything that colours say, in every theme and without any colour."),
        {
            "farfadet": N_("dusk"),
            "light": N_("morning"),
            "colour-blind": N_("safe for the colour-blind"),
            "high-contrast": N_("high contrast"),
            "terminal": N_("the terminal's own"),
        },
    ),
    Setting(
        "glyphs",
        N_("Signs"),
        N_("Unicode draws better; ASCII is for terminals that show boxes or question marks."),
        {"auto": N_("as the system says"), "unicode": N_("Unicode"), "ascii": N_("ASCII")},
    ),
    Setting(
        "animation",
        N_("Animation"),
        N_("Show for a moment what everybody has chosen, before it takes effect."),
        _SWITCH,
    ),
    Setting(
        "bell",
        N_("Bell"),
        N_("When it is your turn, ring the terminal's bell."),
        _WHEN,
    ),
    Setting(
        "notify",
        N_("Notification"),
        N_("When it is your turn, show a notification on the desktop, if the terminal can."),
        _WHEN,
    ),
    Setting(
        "confirm",
        N_("Enter alone seals"),
        N_("If not, the same key or a click, twice, seals a choice as well."),
        _SWITCH,
    ),
    Setting(
        "mouse",
        N_("Mouse"),
        N_("If not, the terminal keeps the mouse to itself, to select and copy text."),
        _SWITCH,
    ),
    Setting(
        "hints",
        N_("Hints"),
        N_("Say what to do now, in the first games."),
        _SWITCH,
    ),
)
"""All that can be set, in the order it is shown; one's own keys have a table of their own."""


def find(key: str) -> Setting:
    """The setting called ``key``; ``BadSetting`` if there is none."""
    for setting in SETTINGS:
        if setting.key == key:
            return setting
    raise BadSetting("no-such-setting", key=safe(key, 32))


def get(settings: Settings, key: str) -> Value:
    """The value of ``key``, also of one of the ``keys.…``; ``BadSetting`` if there is none."""
    table, _, action = key.partition(".")
    if table == KEYS and action in settings.keys:
        return settings.keys[action]
    value: Value = getattr(settings, find(key).key)
    return value


def changed(settings: Settings, key: str, raw: object) -> Settings:
    """``settings`` with ``key`` set to what ``raw`` stands for; ``None``: as usual again.

    Raises ``BadSetting``. An entry of the ``keys`` is called ``keys.`` and the id of an action.
    """
    table, _, action = key.partition(".")
    if table != KEYS:
        setting = find(key)
        value: Any = setting.usual if raw is None else setting.read(raw)
        return replace(settings, **{key: value})
    keys = {name: pressed for name, pressed in settings.keys.items() if action not in {"", name}}
    if action and raw is not None:
        keys[action] = _pressed(action, raw)
    elif raw is not None:
        raise _no_keys("", raw)
    return replace(settings, keys=keys)


def _pressed(action: str, raw: object) -> str:
    if isinstance(raw, str):
        return raw
    raise _no_keys(action, raw)


def _no_keys(action: str, raw: object) -> BadSetting:
    shown = safe(str(raw), 24)
    key = f"{KEYS}.{safe(action, 32)}" if action else KEYS
    return BadSetting("bad-setting", key=key, value=shown, possible='"u,U"')
