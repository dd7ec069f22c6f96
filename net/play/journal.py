"""What must survive a crash: a seat's secrets, its choices and what it has heard, in one file.

File: the line ``farfadet journal 1``, then records of a 4-byte big-endian length, the CRC-32 of the
record, and the record: a packed list that starts with its kind. The first is the ticket; then
``heard`` (a message), ``chosen`` (step and move) and ``checked`` (the key of a check that has
succeeded), in the order in which they came. Only choices, and the ticket, are waited for until they
are on disk: all else a seat says follows from its secret, and is asked of the others again if the
end of the file is lost. A torn record at the end is cut off.

The file holds all secrets of a seat at one table: it is for its owner's eyes only, and is removed
when the game has ended. A lock keeps two processes from playing the same seat.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any
from zlib import crc32

from filelock import FileLock, Timeout

from net.people.identity import KEY
from net.play.digest import SIZE
from net.play.rounds import Here
from net.play.wire import Refusal, pack, unpack
from rules.form import plain
from rules.game import Move, Seat

log = logging.getLogger(__name__)

MAGIC = b"farfadet journal 2\n"
HEAD = 8
LONGEST_RECORD = 1 << 20


class JournalError(Exception):
    """A journal that cannot be used; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Ticket:
    """A seat's right to its place: everything about a table that was known when the game began.

    ``charter`` as in the transcript; ``key`` is the private table key, ``secret`` what all the
    seat's secrets are derived from. ``invitation`` leads back to the room (empty for a table inside
    one process), ``port`` is that of the broker we run for it (0: none). ``bot`` is the level of a
    program that plays the seat (empty: a person). ``farewell`` are the room's payloads that others
    may still need from us to sit down. ``listed`` tables are ours to keep in the lobby.
    """

    charter: bytes
    seat: Seat
    key: bytes
    secret: bytes
    invitation: str = ""
    port: int = 0
    bot: str = ""
    farewell: tuple[bytes, ...] = ()
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Heard:
    """A message that was taken in."""

    message: bytes


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice of ours in ``step`` after what ``prev`` is the hash of; ``move`` in plain form."""

    step: int
    prev: bytes
    move: Any


@dataclass(frozen=True, slots=True)
class Checked:
    """The key of a check that has succeeded (``net/deck/verified.py``)."""

    key: bytes


Entry = Heard | Chosen | Checked


class Journal:
    """An open journal, to be written to: the ``Memory`` of a table. Safe to use from threads.

    If the disk fails, the game goes on but the file is removed: a journal that lacks a choice would
    let us contradict ourselves later.
    """

    def __init__(self, path: Path, descriptor: int, lock: FileLock) -> None:
        self.path = path
        self._descriptor: int | None = descriptor
        self._lock = lock
        self._guard = Lock()

    @classmethod
    def create(cls, path: Path, ticket: Ticket) -> Journal:
        """A new journal at ``path``; raises ``OSError``."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = _locked(path)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
        journal = cls(path, descriptor, lock)
        fields = (
            ticket.charter,
            ticket.seat,
            ticket.key,
            ticket.secret,
            ticket.invitation,
            ticket.port,
            ticket.bot,
            list(ticket.farewell),
            int(ticket.listed),
        )
        os.write(descriptor, MAGIC)
        journal._write(["ticket", *fields], sync=True)
        return journal

    @classmethod
    def reopen(cls, path: Path) -> tuple[Journal, Ticket, list[Entry]]:
        """The journal at ``path``, to be continued, and what is in it.

        Raises ``JournalError`` (``in-use``: another process plays this seat; ``no-journal``) or
        ``OSError``.
        """
        lock = _locked(path)
        try:
            data = path.read_bytes()
            ticket, entries, end = _parsed(data)
            descriptor = os.open(path, os.O_WRONLY | _BINARY)
            os.ftruncate(descriptor, end)
            os.lseek(descriptor, end, os.SEEK_SET)
        except BaseException:
            lock.release()
            raise
        return cls(path, descriptor, lock), ticket, entries

    def heard(self, message: bytes) -> None:
        """See ``net.play.machine.Memory``."""
        self._write(["heard", message])

    def chosen(self, here: Here, move: Move) -> None:
        """See ``net.play.machine.Memory``."""
        self._write(["chosen", here.step, here.prev, plain(move)], sync=True)

    def promised(self, message: bytes) -> None:
        """See ``net.play.machine.Memory``."""
        self._write(["heard", message], sync=True)

    def checked(self, key: bytes) -> None:
        """A check has succeeded and need not be run again after a restart."""
        self._write(["checked", key])

    def close(self) -> None:
        """Nothing more is to be noted, but the game may be resumed."""
        with self._guard:
            if self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None
                self._lock.release()

    def discard(self) -> None:
        """The game has ended: forget everything."""
        self.path.unlink(missing_ok=True)
        self.close()
        Path(self._lock.lock_file).unlink(missing_ok=True)
        try:
            self.path.parent.rmdir()
        except OSError:
            return

    def _write(self, record: list[Any], sync: bool = False) -> None:
        raw = pack(record)
        with self._guard:
            if self._descriptor is None:
                return
            try:
                _write_all(self._descriptor, _framed(raw))
                if sync:
                    os.fsync(self._descriptor)
                return
            except OSError as error:
                log.error("no journal any more, the game cannot be resumed: %s", error)
        self.discard()


_BINARY: int = getattr(os, "O_BINARY", 0)


def read_ticket(path: Path) -> Ticket:
    """Only the ticket of the journal at ``path``; raises ``JournalError`` or ``OSError``."""
    return _ticket(next(_records(path.read_bytes()), b""))


def _locked(path: Path) -> FileLock:
    lock = FileLock(path.with_suffix(".lock"), mode=0o600, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise JournalError("in-use") from None
    return lock


def _framed(raw: bytes) -> bytes:
    return len(raw).to_bytes(4, "big") + crc32(raw).to_bytes(4, "big") + raw


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _parsed(data: bytes) -> tuple[Ticket, list[Entry], int]:
    """The ticket, the entries, and where the last whole record ends."""
    found = list(_records(data))
    end = len(MAGIC) + sum(HEAD + len(raw) for raw in found)
    return _ticket(found[0] if found else b""), [_entry(raw) for raw in found[1:]], end


def _records(data: bytes) -> Iterator[bytes]:
    if not data.startswith(MAGIC):
        return
    at = len(MAGIC)
    while at + HEAD <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        raw = data[at + HEAD : at + HEAD + size]
        if len(raw) != size or size > LONGEST_RECORD:
            return
        if crc32(raw) != int.from_bytes(data[at + 4 : at + HEAD], "big"):
            return
        yield raw
        at += HEAD + size


def _unpacked(raw: bytes) -> Any:
    try:
        return unpack(raw)
    except Refusal as refusal:
        raise JournalError("no-journal") from refusal


def _ticket(raw: bytes) -> Ticket:
    match _unpacked(raw):
        case [
            "ticket", bytes(charter), int(seat), bytes(key), bytes(secret), str(invitation),
            int(port), str(bot), list(farewell), int(listed),
        ] if len(key) == KEY and len(secret) == SIZE:  # fmt: skip
            payloads = tuple(item for item in farewell if isinstance(item, bytes))
            return Ticket(charter, seat, key, secret, invitation, port, bot, payloads, bool(listed))
    raise JournalError("no-journal")


def _entry(raw: bytes) -> Entry:
    match _unpacked(raw):
        case ["heard", bytes(message)]:
            return Heard(message)
        case ["chosen", int(step), bytes(prev), move]:
            return Chosen(step, prev, move)
        case ["checked", bytes(key)]:
            return Checked(key)
    raise JournalError("no-journal")
