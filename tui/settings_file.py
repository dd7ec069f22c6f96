"""The file of settings: read with care, changed without touching what else is in it.

It need not be there, and is made when something is changed first. What somebody has written into
it by hand stays as it is: comments, order, what we do not know. A file that cannot be read is never
written to.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from net.disk import replace
from tui.settings import KEYS, USUAL, BadSetting, Settings, Value, changed
from tui.text import safe

_FIRST_LINE: Final = "What can be set here, and to what: farfadet config list"


def load(path: Path) -> tuple[Settings, tuple[BadSetting, ...]]:
    """The settings in a file that need not be there, and what is wrong with it.

    What is wrong is as usual instead; nothing is written.
    """
    try:
        return _understood(tomllib.loads(_written(path)))
    except BadSetting as trouble:
        return USUAL, (trouble,)
    except (ValueError, RecursionError) as error:
        return USUAL, (_damaged(error),)


def save(path: Path, key: str, value: Value | None) -> None:
    """Put one value into the file as it is now, and leave all else there; ``None`` takes it out.

    Raises ``BadSetting``; the file is then as it was.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    before = _written(path)
    try:
        tomllib.loads(before)
        document: Any = tomlkit.parse(before)
        if not before:
            document.add(tomlkit.comment(_FIRST_LINE))
        _put(document, key, value)
        after = tomlkit.dumps(document)
    except (ValueError, RecursionError, TOMLKitError) as error:
        raise _damaged(error) from error
    try:
        # A link to a file elsewhere stays a link.
        place = path.resolve()
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace(place, after.encode())
    except OSError as error:
        raise BadSetting("settings-not-saved") from error


def _written(path: Path) -> str:
    """What is in the file; nothing if there is none."""
    try:
        # Some editors put a mark in front that TOML does not know.
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(error) from error


def _put(document: Any, key: str, value: Value | None) -> None:
    """Set or drop ``key``, or one entry of the table of keys."""
    import tomlkit

    table, _, action = key.partition(".")
    if not action and value is None:
        document.pop(table, None)
        return
    if not action:
        document[table] = value
        return
    _drop(document.get(table), action)
    if value is not None:
        if not isinstance(document.get(table), dict):
            document[table] = tomlkit.table()
        document[table][action] = value


def _drop(table: Any, entry: str) -> None:
    """Take ``entry`` out of a table, however it is written there: "game.undo" or game.undo."""
    if not isinstance(table, dict):
        return
    table.pop(entry, None)
    first, _, rest = entry.partition(".")
    if rest:
        _drop(table.get(first), rest)


def _understood(table: Mapping[str, object]) -> tuple[Settings, tuple[BadSetting, ...]]:
    """The settings in a file, and what is wrong there."""
    settings, troubles = USUAL, list[BadSetting]()
    for key, raw in table.items():
        for name, value in _entries(raw, f"{key}.") if key == KEYS else ((key, raw),):
            try:
                settings = changed(settings, name, value)
            except BadSetting as trouble:
                troubles.append(trouble)
    return settings, tuple(troubles)


def _entries(raw: object, before: str) -> Iterator[tuple[str, object]]:
    """What is in a table of keys: ``"game.undo" = "u"`` and ``game.undo = "u"`` are the same."""
    if not isinstance(raw, dict):
        yield before.removesuffix("."), raw
        return
    for name, value in raw.items():
        yield from _entries(value, f"{before}{name}.")


def _damaged(error: Exception) -> BadSetting:
    return BadSetting("settings-damaged", why=safe(str(error) or type(error).__name__, 60))
