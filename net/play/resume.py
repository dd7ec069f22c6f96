"""Back at the table after a crash: a replica that is what it was, from its journal.

The journal is fed to a fresh replica in the order in which it was written. What our own seat said
is not made again but taken as it was said; only choices are sealed anew, since opening one takes
what is not in the message: the same secret at the same place makes the same commitment.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nacl.signing import SigningKey

from net.deck.sealed import VERIFIED
from net.deck.verified import Verified
from net.play.charter import Charter, read_charter
from net.play.course import Player
from net.play.journal import (
    Checked,
    Chosen,
    Entry,
    Heard,
    Journal,
    JournalError,
    Ticket,
    read_ticket,
)
from net.play.replica import replica
from net.play.table import Table
from net.play.wire import Refusal
from rules.form import from_plain
from rules.game import Move, RuleError

log = logging.getLogger(__name__)

SUFFIX = ".journal"


@dataclass(frozen=True, slots=True)
class Place:
    """A seat that this process plays: its ``ticket``, its replica, and where it notes things."""

    ticket: Ticket
    table: Table
    journal: Journal | None

    @property
    def key(self) -> bytes:
        """The seat's public table key."""
        return self.table.charter.chairs[self.ticket.seat].key


@dataclass(frozen=True, slots=True)
class Saved:
    """A table that can be gone back to: its ``folder`` of journals, one a seat of this machine.

    ``ticket`` is that of the person; ``at`` is when something last happened, in seconds since 1970.
    """

    folder: Path
    ticket: Ticket
    charter: Charter
    at: float


def begin(tables: Path | None, ticket: Ticket, charter: Charter) -> Journal | None:
    """A new journal for ``ticket`` in the folder of all ``tables``; without a disk, none."""
    if tables is None:
        return None
    folder = tables / f"{charter.game}-{charter.table.hex()[:12]}"
    try:
        journal = Journal.create(folder / f"seat-{ticket.seat}{SUFFIX}", ticket)
        if not ticket.bot:
            VERIFIED.learned = journal.checked
        return journal
    except (OSError, JournalError) as error:
        log.error("no journal, the game cannot be resumed: %s", error)
        return None


def saved(tables: Path) -> list[Saved]:
    """The tables one can go back to, the latest first; what cannot be read is left out."""
    found = []
    for path in tables.glob(f"*/*{SUFFIX}"):
        try:
            ticket = read_ticket(path)
            if not ticket.bot:
                charter = read_charter(ticket.charter)
                found.append(Saved(path.parent, ticket, charter, path.stat().st_mtime))
        except (OSError, JournalError, Refusal) as error:
            log.warning("%s: %s", path, error)
    return sorted(found, key=lambda table: -table.at)


def forget(table: Saved) -> None:
    """Give up our seats at ``table`` for good; raises ``JournalError("in-use")`` or ``OSError``."""
    for path in sorted(table.folder.glob(f"*{SUFFIX}")):
        Journal.reopen(path)[0].discard()


def back(table: Saved) -> list[Place]:
    """All seats of this machine at ``table``, as they were, the person's first.

    Raises ``JournalError`` (``in-use``: they are being played already; ``other-rules``;
    ``no-journal``) or ``OSError``; then nothing is held.
    """
    places: list[Place] = []
    try:
        for path in sorted(table.folder.glob(f"*{SUFFIX}")):
            journal, ticket, entries = Journal.reopen(path)
            try:
                places.append(Place(ticket, restored(ticket, entries), journal))
            except BaseException:
                journal.close()
                raise
    except BaseException:
        for place in places:
            if place.journal is not None:
                place.journal.close()
        raise
    places.sort(key=lambda place: bool(place.ticket.bot))
    if places and places[0].journal is not None:
        VERIFIED.learned = places[0].journal.checked
    return places


def restored(ticket: Ticket, entries: Sequence[Entry], verified: Verified = VERIFIED) -> Table:
    """The replica that wrote this journal, as it was; its newest messages are in its outbox again.

    Without ``entries`` it is a new one.

    Raises ``JournalError("other-rules")`` if this version of the game does not play on from there.
    """
    try:
        charter = read_charter(ticket.charter)
        player = Player(ticket.seat, SigningKey(ticket.key), ticket.secret)
        table = replica(charter, player, verified)
    except (Refusal, RuleError) as error:
        raise JournalError("other-rules") from error
    verified.know(entry.key for entry in entries if isinstance(entry, Checked))
    heard = [entry.message for entry in entries if isinstance(entry, Heard)]
    table.remember(heard, dict(_decisions(table, entries)))
    for data in heard:
        table.receive(data)
        table.work()
    table.outbox.clear()
    table.outbox.extend(table.mine())
    return table


def _decisions(table: Table, entries: Sequence[Entry]) -> Iterator[tuple[tuple[int, bytes], Move]]:
    for entry in entries:
        if isinstance(entry, Chosen):
            try:
                move = from_plain(table.game.move_types, entry.move)
            except RuleError as error:
                raise JournalError("other-rules") from error
            yield (entry.step, entry.prev), move
