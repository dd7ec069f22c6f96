"""Pages of docs/ that are made from the code: ``python -m tui.manual`` writes them anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import rules
from tui import boards
from tui.actions import Action, of
from tui.settings import SETTINGS, text

DOCS: Final = Path(__file__).parents[1] / "docs"
EMPTY: Final = '""'


def settings_page() -> str:
    """``docs/settings.md``: all that can be set, from the schema."""
    lines = [
        "# Settings",
        "",
        "F5 opens them on any screen; what is changed holds at once. `farfadet config` does the "
        "same without a screen:",
        "",
        "```",
        "farfadet config list            what there is, what it can be",
        "farfadet config get theme",
        "farfadet config set theme light",
        "farfadet config reset theme     as usual again",
        "farfadet config path            where the file is",
        "```",
        "",
        "The file is TOML and need not be there. What you write into it by hand, comments too, "
        "stays as it is. What cannot be read there is as usual, the first screen says so, and "
        "nothing is written to it until it is put right. A command line option wins over the "
        "environment (`FARFADET_NAME`, `TEXTUAL_ANIMATIONS`), the environment over the file.",
        "",
        "| setting | what it is for | values, the usual one first |",
        "|---|---|---|",
    ]
    for setting in SETTINGS:
        usual = text(setting.usual)
        values = sorted(setting.values, key=lambda value: value != usual)
        told = [_told(value, setting.values[value]) for value in values]
        lines.append(f"| `{setting.key}` | {setting.help} | {', '.join(told) or 'a text'} |")
    lines += [
        "",
        "In the file, what is on or off may be `true` or `false` as well. Your own keys are in a "
        "table, by the names in [keys.md](keys.md):",
        "",
        "```toml",
        'name = "Ana"',
        'theme = "light"',
        "mouse = false",
        "",
        "[keys]",
        '"game.undo" = "u,ctrl+z"',
        "```",
        "",
        "`NO_COLOR` takes all colours away, whatever the theme; nothing is lost with them.",
        "",
    ]
    return "\n".join(lines)


def _told(value: str, label: str) -> str:
    """A value, and what it means if that is not the same."""
    written = f"`{value or EMPTY}`"
    return written if label == value else f"{written} ({label})"


PLACES: Final = {
    "any": "Everywhere",
    "home": "The first screen",
    "near": "Tables near you",
    "join": "Join with an invitation",
    "table": "A table before the game",
    "game": "The game",
    "talk": "Talk, at a table and after the game",
    "result": "The result",
    "replays": "Replays",
    "replay": "A replay",
    "trust": "Somebody with a name you know and another key",
    "settings": "Settings",
    "welcome": "The first start",
    "help": "Help",
    "rules": "Rules",
    "palette": "Commands",
}
"""The places where actions work, as a page calls them."""


def keys_page() -> str:
    """``docs/keys.md``: all that keys do, from the registry and the boards."""
    lines = [
        "# Keys",
        "",
        "F1 or ? shows the keys of a screen, ctrl+p finds by name what can be done on it now. "
        "Every action has an id, by which you can give it keys of your own:",
        "",
        "```",
        'farfadet config set keys.table.copy "y,f6"',
        "farfadet config reset keys.table.copy",
        "```",
        "",
        "or in the file of settings (`farfadet config path`):",
        "",
        "```toml",
        "[keys]",
        '"table.copy" = "y,f6"',
        '"game.aim" = "k,j,h,l"',
        "```",
        "",
        "A key is a character or one of the names below, perhaps with `ctrl+`, `alt+` or `shift+` "
        "before it; a comma is called `comma`. An action in several parts takes one key for each, "
        "in the order given. Your keys replace the usual ones, also where the screen says which "
        "key to press. What cannot be, an unknown name or a key that does something else on the "
        "same screen already, is left as it was, and the first screen says so.",
        "",
        "Digits are their unshifted keys on a French keyboard as well: `&` is 1, `é` is 2, and so "
        "on to `à` for 0.",
        "",
    ]
    for place, title in PLACES.items():
        lines += _keys(title, of(place))
    for name in rules.names():
        lines += _keys(boards.voice(name).TITLE, boards.load(name).ACTIONS)
    return "\n".join(lines)


def _keys(title: str, actions: Sequence[Action]) -> list[str]:
    """One table, with the keys as one would write them in the settings."""
    lines = [f"## {title}", "", "| action | keys | what it does |", "|---|---|---|"]
    for action in actions:
        keys = [each[0] for each in action.each] if action.row else action.keys
        parts = f", {action.row} parts" if action.row else ""
        lines.append(f"| `{action.id}` | `{','.join(keys)}`{parts} | {action.help} |")
    return [*lines, ""]


PAGES: Final[dict[str, Callable[[], str]]] = {"keys.md": keys_page, "settings.md": settings_page}
"""What makes each page, by its name in docs/."""


def main() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
