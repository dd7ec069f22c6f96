"""The referee's record, in SQLite: the tables it watches, all that was said there, how they ended.

While a table is open its messages, in the order in which they came, are its journal: a referee that
is started again feeds them to a new replica. When it has ended they are replaced by its transcript,
the very bytes of the file that the players have. Messages are written in batches; what we could not
say again in the same words, a vote, is on disk when ``promised`` returns.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Literal, TypeAlias, get_args

from net.play.charter import Charter, read_charter
from net.play.journal import Checked, Entry, Heard
from net.play.rounds import Here
from net.play.table import Table
from net.play.transcript import records
from rules.game import Move

VERSION = 1

ENDINGS = ("finished", "blamed", "void", "abandoned", "refused", "failed", "handed-over")
"""What may become of an open table.

``finished``: the result is signed; ``blamed``: somebody was convicted; ``void``: nobody can go on;
``abandoned``: nobody came for a long time; ``refused``: it plays what this referee cannot;
``failed``: by a fault of ours, which is in the log; ``handed-over``: another process that has our
key watches it now (``net/referee/claims.py``), and will have its result.
"""

_SCHEMA = f"""
CREATE TABLE tables (
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    room TEXT NOT NULL,
    key BLOB NOT NULL,
    charter BLOB NOT NULL,
    game TEXT NOT NULL,
    opened REAL NOT NULL,
    ended REAL,
    state TEXT NOT NULL DEFAULT 'open',
    steps INTEGER NOT NULL DEFAULT 0,
    messages INTEGER NOT NULL DEFAULT 0,
    rulings INTEGER NOT NULL DEFAULT 0,
    blame TEXT,
    blamed INTEGER,
    transcript BLOB
);
CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    place INTEGER NOT NULL REFERENCES tables,
    kind TEXT NOT NULL,
    data BLOB NOT NULL
);
CREATE INDEX entries_of ON entries (place);
CREATE TABLE scores (
    place INTEGER NOT NULL REFERENCES tables,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    rank INTEGER NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (place, seat)
) WITHOUT ROWID;
CREATE TABLE process (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    pid INTEGER NOT NULL,
    since REAL NOT NULL,
    last REAL NOT NULL
);
PRAGMA user_version = {VERSION};
"""

_SHARING = """
CREATE TABLE IF NOT EXISTS sharing (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    instance BLOB,
    others INTEGER NOT NULL DEFAULT 0,
    claimed INTEGER NOT NULL DEFAULT 0,
    taken INTEGER NOT NULL DEFAULT 0,
    handed INTEGER NOT NULL DEFAULT 0
);
INSERT OR IGNORE INTO sharing (one) VALUES (1);
CREATE INDEX IF NOT EXISTS tables_by_room ON tables (room);
"""

Tally: TypeAlias = Literal["claimed", "taken", "handed"]
"""What is counted of tables that several processes share: those that were claimed when they called,
taken over from another process, and handed over to one."""


class RecordError(Exception):
    """A record that cannot be used; ``code`` says why.

    ``"no-record"``: there is none yet; ``"other-record"``: another version of farfadet wrote it;
    ``"referee-in-use"``: another process writes there; ``"referee-stopped"``: none does.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Kept:
    """A table: its ``number`` in the record, its id, the way into its room, its charter.

    ``open`` is whether it is being played, as far as we know.
    """

    number: int
    table: bytes
    room: str
    key: bytes
    charter: bytes
    open: bool

    @property
    def stamp(self) -> str:
        """What it is called in the log and in file names."""
        return self.table.hex()[:12]


@dataclass(frozen=True, slots=True)
class Figures:
    """All tables of a record, counted. ``last`` is when something was last written down.

    ``pid`` and ``since`` are those of the process that has it, or had it last (0: none ever).
    Times are in seconds since 1970.
    """

    pid: int
    since: float
    last: float
    tables: dict[str, int]
    """How many are ``open``, and how many have come to each of the ``ENDINGS``."""
    messages: int
    rulings: int
    others: int = 0
    """How many other processes share our key, as far as we know."""
    tallies: dict[str, int] = field(default_factory=dict)
    """How many tables were ``claimed``, ``taken`` and ``handed`` over, ever."""


class Record:
    """The record at ``path``, made if there is none; for one thread, but for ``Notes.checked``.

    Raises ``RecordError`` or ``sqlite3.Error``.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        self._base = sqlite3.connect(path, isolation_level=None)
        found = _version(self._base)
        if found not in (0, VERSION):
            self._base.close()
            raise RecordError("other-record")
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = FULL")
        if found == 0:
            self._base.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
        self._base.executescript(f"BEGIN; {_SHARING} COMMIT;")
        self._waiting: list[tuple[int, str, bytes]] = []
        self._guard = Lock()

    def begin(self, pid: int) -> None:
        """A process begins to write here; what may have been written too late is cleared away."""
        now = time.time()
        self._base.execute(
            "DELETE FROM entries WHERE place IN"
            " (SELECT number FROM tables WHERE state IN ('finished', 'blamed', 'void', 'refused'))"
        )
        self._base.execute("REPLACE INTO process VALUES (1, ?, ?, ?)", (pid, now, now))

    def rename(self, instance: bytes) -> bytes | None:
        """The process that writes here is called ``instance`` now; what it was called before."""
        (former,) = next(self._base.execute("SELECT instance FROM sharing"))
        self._base.execute("UPDATE sharing SET instance = ?, others = 0", (instance,))
        return None if former is None else bytes(former)

    def tally(self, what: Tally) -> None:
        """It has happened once more."""
        self._base.execute(f"UPDATE sharing SET {what} = {what} + 1")

    def share(self, others: int) -> None:
        """So many other processes have our key."""
        self._base.execute("UPDATE sharing SET others = ?", (others,))

    def find(self, table: bytes) -> tuple[str, Charter] | None:
        """``"open"``, or what has become of ``table``; and its charter, if it was ever here."""
        found = self._base.execute("SELECT state, charter FROM tables WHERE id = ?", (table,))
        row = next(found, None)
        return None if row is None else (str(row[0]), read_charter(row[1]))

    def remembers(self, room: str) -> bool:
        """Whether we know what has happened in ``room``, and nobody else does."""
        states = "state IN ('open', 'finished', 'blamed', 'abandoned')"
        found = self._base.execute(f"SELECT 1 FROM tables WHERE room = ? AND {states}", (room,))
        return next(found, None) is not None

    def add(self, charter: Charter, key: bytes) -> Kept | None:
        """Open a table, or open it again if it was abandoned or handed over.

        If it has ended, all there is to do is to tell its end; ``None`` if that cannot be told.
        """
        row = charter.table, charter.room, key, charter.data(), charter.game, time.time()
        self._base.execute(
            "INSERT INTO tables (id, room, key, charter, game, opened) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET state = 'open', ended = NULL"
            " WHERE state IN ('abandoned', 'handed-over')",
            row,
        )
        known = "id = ? AND state IN ('open', 'finished', 'blamed')"
        return next(iter(self._kept(known, charter.table)), None)

    def open_tables(self) -> list[Kept]:
        """The tables that are open, the newest first."""
        return self._kept("state = 'open'")

    def _kept(self, which: str, *values: bytes) -> list[Kept]:
        columns = "number, id, room, key, charter, state"
        query = f"SELECT {columns} FROM tables WHERE {which} ORDER BY number DESC"
        return [
            Kept(number, table, room, key, charter, state == "open")
            for number, table, room, key, charter, state in self._base.execute(query, values)
        ]

    def entries(self, kept: Kept) -> list[Entry]:
        """All that was noted down of a table, in order."""
        if not kept.open:
            query = "SELECT transcript FROM tables WHERE number = ?"
            (transcript,) = next(self._base.execute(query, (kept.number,)))
            _, *messages = records(transcript)
            return [Heard(message) for message in messages]
        self.flush()
        rows = self._base.execute(
            "SELECT kind, data FROM entries WHERE place = ? ORDER BY number", (kept.number,)
        )
        return [Heard(data) if kind == "heard" else Checked(data) for kind, data in rows]

    def note(self, number: int, kind: str, data: bytes) -> None:
        """Write an entry of the table with this ``number`` down, soon."""
        with self._guard:
            self._waiting.append((number, kind, data))

    def flush(self) -> None:
        """Write what waits, and wait until it is on disk."""
        with self._guard:
            waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        self._base.execute("BEGIN")
        self._write(waiting)
        self._base.execute("COMMIT")

    def ruled(self, kept: Kept, rulings: int) -> None:
        """So many rulings there have been at an open table."""
        self._base.execute("UPDATE tables SET rulings = ? WHERE number = ?", (rulings, kept.number))

    def end(
        self, kept: Kept, state: str, table: Table | None, promised: Iterable[bytes] = ()
    ) -> None:
        """The table has come to one of the ``ENDINGS``; ``table`` is its replica, if there is one.

        What is abandoned keeps its journal, since the players may come back; so does what failed.
        Of all others that is gone, but what we have ``promised`` and might have to keep.
        """
        assert state in ENDINGS
        with self._guard:
            waiting, self._waiting = self._waiting, []
        self._base.execute("BEGIN")
        self._write(waiting)
        self._base.execute(
            "UPDATE tables SET state = ?, ended = ? WHERE number = ?",
            (state, time.time(), kept.number),
        )
        if table is not None:
            self._keep_outcome(kept.number, table)
        if state not in ("abandoned", "failed"):
            self._base.execute("DELETE FROM entries WHERE place = ?", (kept.number,))
            self._write([(kept.number, "heard", message) for message in promised])
        self._base.execute("COMMIT")

    def _keep_outcome(self, number: int, table: Table) -> None:
        transcript, blame = table.transcript, table.blame
        self._base.execute(
            "UPDATE tables SET steps = ?, messages = ?, rulings = ?, blame = ?, blamed = ?,"
            " transcript = ? WHERE number = ?",
            (
                table.step,
                len(transcript.messages),
                len(transcript.rulings),
                None if blame is None else blame.code,
                None if blame is None else blame.seat,
                transcript.data(),
                number,
            ),
        )
        if table.over and table.result is not None:
            names = table.charter.names
            scores = (
                (number, score.seat, names[score.seat], score.rank, score.total)
                for score in table.result.scores
            )
            self._base.executemany("REPLACE INTO scores VALUES (?, ?, ?, ?, ?)", scores)

    def _write(self, waiting: Sequence[tuple[int, str, bytes]]) -> None:
        self._base.executemany("INSERT INTO entries (place, kind, data) VALUES (?, ?, ?)", waiting)
        self._base.execute("UPDATE process SET last = ?", (time.time(),))

    def close(self) -> None:
        """Write what waits, and let go."""
        self.flush()
        self._base.close()


class Notes:
    """One table's memory in a ``Record``: see ``net.play.machine.Memory``."""

    def __init__(self, record: Record, kept: Kept) -> None:
        self._record = record
        self._number = kept.number

    def heard(self, message: bytes) -> None:
        """Soon on disk; what is lost in a crash is asked of the others again."""
        self._record.note(self._number, "heard", message)

    def chosen(self, here: Here, move: Move) -> None:
        """Nobody asks a referee to choose."""
        raise AssertionError((here, move))

    def promised(self, message: bytes) -> None:
        """On disk when this returns."""
        self._record.note(self._number, "heard", message)
        self._record.flush()

    def checked(self, key: bytes) -> None:
        """A check has succeeded and need not be run again after a restart; from any thread."""
        self._record.note(self._number, "checked", key)


def figures(path: Path) -> Figures:
    """The counters of the record at ``path``, whoever writes there at the moment.

    Raises ``RecordError`` or ``sqlite3.Error``.
    """
    if not path.exists():
        raise RecordError("no-record")
    base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        if _version(base) != VERSION:
            raise RecordError("other-record")
        pid, since, last = next(base.execute("SELECT pid, since, last FROM process"), (0, 0.0, 0.0))
        states = dict(base.execute("SELECT state, count(*) FROM tables GROUP BY state"))
        messages, rulings = next(base.execute("SELECT sum(messages), sum(rulings) FROM tables"))
        (noted,) = next(
            base.execute(
                "SELECT count(*) FROM entries JOIN tables ON place = tables.number"
                " WHERE kind = 'heard' AND state = 'open'"
            )
        )
        others, *tallies = next(
            base.execute("SELECT others, claimed, taken, handed FROM sharing"), (0, 0, 0, 0)
        )
    finally:
        base.close()
    tables = {state: states.get(state, 0) for state in ("open", *ENDINGS)}
    counted = dict(zip(get_args(Tally), tallies, strict=True))
    said = (messages or 0) + noted
    return Figures(pid, since, last, tables, said, rulings or 0, others, counted)


def transcripts(path: Path) -> Iterator[tuple[bytes, bytes]]:
    """The id and the transcript of every table of the record at ``path`` that has ended.

    Raises ``RecordError("no-record")`` or ``sqlite3.Error``.
    """
    if not path.exists():
        raise RecordError("no-record")
    base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        yield from base.execute("SELECT id, transcript FROM tables WHERE transcript IS NOT NULL")
    finally:
        base.close()


def _version(base: sqlite3.Connection) -> int:
    (version,) = next(base.execute("PRAGMA user_version"))
    return int(version)
