"""The record of a table: charter and signed messages in order, linked by hash; save and load.

File: the line ``farfadet transcript 1``, then records of a 4-byte big-endian length and as many
bytes: the charter, then the messages by step and, within a step, by seat. After the messages of a
step that was closed without somebody follow the votes that ruled so. After the last complete step
follow messages that convict somebody, or that came after their sender had been ruled absent.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from net.play.digest import digest, number
from net.play.wire import LONGEST, Refusal
from rules.game import Seat

MAGIC = b"farfadet transcript 1\n"
SUFFIX = ".farfadet"
"""What the names of transcript files end in."""
MOST = 64 * 1024 * 1024
"""Most bytes in a transcript file; a game of six takes under a megabyte."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The members ruled ``absent`` in one step, in which ballot, and the ``votes`` that say so."""

    ballot: int
    absent: frozenset[Seat]
    votes: tuple[bytes, ...]


class Transcript:
    """What has been said at a table. ``head`` is the hash of all complete steps so far."""

    def __init__(self, charter: bytes, table: bytes) -> None:
        self.charter = charter
        self.table = table
        self.steps: list[tuple[bytes, ...]] = []
        self.rulings: dict[int, Ruling] = {}
        self.evidence: list[bytes] = []
        self.late: dict[tuple[int, Seat], bytes] = {}
        """Messages, by step and seat, of seats that had been ruled absent in that step."""
        self._heads = [table]

    @property
    def head(self) -> bytes:
        """The hash of all complete steps."""
        return self._heads[-1]

    def head_at(self, step: int) -> bytes:
        """The hash of all steps before ``step``, which is complete or open."""
        return self._heads[step]

    def close(self, messages: Iterable[bytes], ruling: Ruling | None = None) -> None:
        """Add a complete step: its messages in the order of seats."""
        step = tuple(messages)
        if ruling is None:
            head = digest(b"farfadet step", self.head, *step)
        else:
            self.rulings[len(self.steps)] = ruling
            absent = (number(seat) for seat in sorted(ruling.absent))
            head = digest(b"farfadet ruled", self.head, digest(b"farfadet absent", *absent), *step)
        self.steps.append(step)
        self._heads.append(head)

    def said(self, step: int) -> tuple[bytes, ...]:
        """All that belongs to a complete step: its messages, then the votes of its ruling."""
        ruling = self.rulings.get(step)
        return self.steps[step] + (() if ruling is None else ruling.votes)

    @property
    def messages(self) -> list[bytes]:
        """The messages of all complete steps, in order."""
        return [message for step in range(len(self.steps)) for message in self.said(step)]

    def data(self) -> bytes:
        """The bytes of the file."""
        late = (self.late[place] for place in sorted(self.late))
        records = (self.charter, *self.messages, *late, *self.evidence)
        return MAGIC + b"".join(len(r).to_bytes(4, "big") + r for r in records)

    def save(self, path: Path) -> None:
        """Write the file whole or not at all; raises ``OSError``."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_name(path.name + ".part")
        with open(draft, "wb") as file:
            file.write(self.data())
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)


def file_name(game: str, table: bytes) -> str:
    """What the file of the ``table`` that played ``game`` is called."""
    return f"{game}-{table.hex()[:12]}{SUFFIX}"


def records(data: bytes) -> Iterator[bytes]:
    """The charter, then the messages, of a transcript file; raises ``Refusal`` where it breaks."""
    if not data.startswith(MAGIC) or len(data) > MOST:
        raise Refusal("no-transcript")
    at = len(MAGIC)
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        record = data[at + 4 : at + 4 + size]
        if len(data) < at + 4 or len(record) != size or size > LONGEST:
            raise Refusal("broken-record")
        yield record
        at += 4 + size
