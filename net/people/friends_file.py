"""Where the people one has met are kept: one JSON file, for its owner's eyes, that never leaves.

It may be edited by hand. What cannot be read of it is left out, and the file as it was is kept
beside it. Several processes may use it at once: what is changed is the file as it is at that
moment, under a lock, and whoever reads sees it before or after, whole.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

from filelock import FileLock

from net.disk import replace
from net.people.friends import NAMES, Friend, Friends, FriendsError
from net.people.identity import KEY
from net.play.charter import LONGEST_NAME

log = logging.getLogger(__name__)

VERSION = 1
NAME = "friends.json"
PATIENCE = 1.0
"""Seconds to wait for another process that is changing the file: it takes milliseconds."""

Change: TypeAlias = Callable[[Friends], Friends]
"""What becomes of the people one has met."""


class FriendsFile:
    """The people that the holder of the key ``me`` has met, in ``folder``, or only in memory.

    What could not be saved is remembered while this lives, and saved with the next change.
    """

    def __init__(self, folder: Path | None, me: bytes = b"") -> None:
        self.me = me
        self.trouble: str | None = None
        """Code of what was wrong at last: ``"friends-damaged"`` (what could be read of the file is
        in use, all of it is kept beside it), ``"friends-not-saved"``."""
        self._path = None if folder is None else folder / NAME
        self._unsaved: list[Change] = []
        self._seen: tuple[object, Friends] | None = None
        """What the file said when we read it last, and by what to tell whether it still does."""

    def read(self) -> Friends:
        """Everybody one has met, as far as it can be known; see ``trouble``."""
        friends = Friends()
        if self._path is not None:
            try:
                friends = self._read(self._path)
            except OSError as error:
                self._failed(error)
        for change in self._unsaved:
            friends = change(friends)
        return friends

    def change(self, change: Change) -> None:
        """Change the file; raises ``FriendsError("friends-not-saved")``, and then remembers it."""
        self._unsaved.append(change)
        if self._path is None:
            return
        try:
            with _lock(self._path):
                friends, sound = _read(self._path)
                if not sound:
                    self._set_aside(self._path)
                for unsaved in self._unsaved:
                    friends = unsaved(friends)
                replace(self._path, _text(friends))
        except OSError as error:
            self._failed(error)
            raise FriendsError("friends-not-saved", self._path) from error
        self._unsaved.clear()
        if self.trouble == "friends-not-saved":
            self.trouble = None

    def _read(self, path: Path) -> Friends:
        """What the file says; if that is not all of it, go on with that and keep the rest."""
        mark = _mark(path)
        if self._seen is not None and self._seen[0] == mark:
            return self._seen[1]
        friends, sound = _read(path)
        if sound:
            self._seen = mark, friends
            return friends
        try:
            self._mend(path)
        except OSError as error:
            self._failed(error)
        return friends

    def _mend(self, path: Path) -> None:
        with _lock(path):
            friends, sound = _read(path)
            if not sound:
                self._set_aside(path)
                replace(path, _text(friends))

    def _set_aside(self, path: Path) -> None:
        """A copy of the file as it is, under a name of its own; called with the lock."""
        self.trouble = "friends-damaged"
        data, number = path.read_bytes(), 1
        while (kept := path.with_name(f"friends-damaged-{number}.json")).exists():
            number += 1
        replace(kept, data)
        log.error("%s is damaged; kept as %s", path, kept)

    def _failed(self, error: Exception) -> None:
        log.error("friends: %s", error)
        self.trouble = "friends-not-saved"


def _lock(path: Path) -> FileLock:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    return FileLock(path.with_suffix(".lock"), timeout=PATIENCE, mode=0o600, thread_local=False)


def _mark(path: Path) -> object:
    """Something else after every change of the file; raises ``OSError``."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _read(path: Path) -> tuple[Friends, bool]:
    """What can be read, and whether that is everything; raises ``OSError``."""
    try:
        return parsed(path.read_bytes())
    except FileNotFoundError:
        return Friends(), True


def _text(friends: Friends) -> bytes:
    people = [
        {
            "name": friend.name,
            "called": list(friend.called),
            "keys": [{"key": key.hex(), "checked": key in friend.checked} for key in friend.keys],
            "first": friend.first.isoformat(),
            "last": friend.last.isoformat(),
            "games": friend.games,
        }
        for friend in friends.people
    ]
    text = json.dumps({"version": VERSION, "friends": people}, ensure_ascii=False, indent=1)
    return (text + "\n").encode()


def parsed(data: bytes) -> tuple[Friends, bool]:
    """The people in a file, and whether all of it could be read."""
    try:
        # A number of a million digits, and lists in lists without end, are errors of these kinds.
        match json.loads(data.decode("utf-8-sig")):
            case {"version": int(version), "friends": list(entries)} if version == VERSION:
                return _people(entries)
    except (ValueError, RecursionError):
        pass
    return Friends(), False


def _people(entries: list[Any]) -> tuple[Friends, bool]:
    people: list[Friend] = []
    seen = set[bytes]()
    for entry in entries:
        friend = _friend(entry)
        if friend is not None and not seen & set(friend.keys):
            people.append(friend)
            seen.update(friend.keys)
    return Friends(tuple(people)), len(people) == len(entries)


def _friend(entry: Any) -> Friend | None:
    match entry:
        case {
            "name": str(name), "called": list(called), "keys": list(keys),
            "first": str(first), "last": str(last), "games": int(games),
        } if (
            games >= 0
            and keys
            and len(called) <= NAMES
            and all(map(_sound, (name, *called)))
        ):  # fmt: skip
            try:
                pairs = [_key(item) for item in keys]
                days = date.fromisoformat(first), date.fromisoformat(last)
            except ValueError:
                return None
            own = tuple(key for key, _ in pairs)
            checked = frozenset(key for key, compared in pairs if compared)
            if len(set(own)) == len(own):
                return Friend(name, own, tuple(called), *days, games, checked)
    return None


def _key(item: Any) -> tuple[bytes, bool]:
    match item:
        case {"key": str(text), "checked": bool(checked)}:
            key = bytes.fromhex(text)
            if len(key) == KEY:
                return key, checked
    raise ValueError("no key")


def _sound(name: Any) -> bool:
    """Whether ``name`` is a name as it may come over the wire: no half characters, not too long."""
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        return False
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
