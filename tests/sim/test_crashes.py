"""Death at any moment: a replica comes back from every beginning of its journal."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import rules
from net.deck.verified import Verified
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
from net.play.resume import back, begin, forget, restored, saved
from net.play.rounds import Here
from net.play.wire import parse
from rules.form import fingerprint, from_plain
from rules.taverne import Mushroom
from tests.sim.nodes import agreed
from tests.sim.world import World

SEED = 20261130
NOBODY = Ticket(b"", 0, bytes(32), bytes(32))
MOMENTS = 40
"""Deaths in each game; all of them would take minutes (``make soak`` dies anywhere)."""


@pytest.mark.parametrize("game", rules.names())
def test_a_seat_comes_back_from_every_moment_of_its_life(game: str) -> None:
    """After each entry the process dies; what it then hears from others leads to the same end."""
    seats = min(rules.load(game).seats)
    world = World(SEED, seats, game=game)
    world.run()
    node, whole = world.nodes[0], world.nodes[0].table
    others = [data for data in whole.transcript.messages if parse(data).seat != whole.me]
    choices = {entry.step: entry.move for entry in node.entries if isinstance(entry, Chosen)}
    assert choices
    stride = max(1, len(node.entries) // MOMENTS)
    for end in range(0, len(node.entries) + 1, stride):
        entries = node.entries[:end]
        kept = {entry.step for entry in entries if isinstance(entry, Chosen)}
        table = restored(node.ticket, entries)
        again = {parse(data).step: data for data in table.outbox}
        table.work()
        for data in (b"", *others):
            table.receive(data)
            table.work()
            while table.moves():
                assert table.step not in kept
                table.choose(from_plain(table.game.move_types, choices[table.step]))
                table.work()
        assert table.over
        assert table.blame is None
        assert table.transcript.data() == whole.transcript.data()
        assert fingerprint(table.state) == fingerprint(whole.state)
        assert all(data in whole.transcript.steps[step] for step, data in again.items())


def test_a_torn_end_of_a_journal_is_cut_off_and_the_rest_is_used(tmp_path: Path) -> None:
    path = tmp_path / "table" / "seat-0.journal"
    ticket = Ticket(
        b"charter", 1, bytes(32), bytes(range(32)), "farfadet://x", 7, "steady", (b"a",)
    )
    journal = Journal.create(path, ticket)
    assert path.stat().st_mode & 0o777 == 0o600
    journal.heard(b"one")
    journal.chosen(Here(b"table", 5, b"prev"), Mushroom(1))
    journal.checked(b"key")
    journal.close()
    whole = path.read_bytes()
    written = [Heard(b"one"), Chosen(5, b"prev", ["Mushroom", 1]), Checked(b"key")]
    _, read, entries = _reopened(path)
    assert (read, entries) == (ticket, written)
    for end in range(len(whole) - 1, whole.index(b"heard") - 11, -1):
        path.write_bytes(whole[:end])
        journal, read, entries = _reopened(path)
        assert read == ticket
        assert entries == written[: len(entries)]
        journal, _, _ = Journal.reopen(path)
        journal.heard(b"after")
        journal.close()
        assert _reopened(path)[2] == [*entries, Heard(b"after")]


def _reopened(path: Path) -> tuple[Journal, Ticket, list[Entry]]:
    journal, ticket, entries = Journal.reopen(path)
    journal.close()
    return journal, ticket, entries


def test_one_seat_is_played_by_one_process(tmp_path: Path) -> None:
    path = tmp_path / "table" / "seat-0.journal"
    journal = Journal.create(path, NOBODY)
    with pytest.raises(JournalError, match="in-use"):
        Journal.reopen(path)
    journal.close()
    again, _, _ = Journal.reopen(path)
    again.discard()
    assert list(tmp_path.iterdir()) == []


def test_a_table_can_be_forgotten_unless_it_is_being_played(tmp_path: Path) -> None:
    charter, players = agreed(SEED, 3, rules.load("gnomia"))
    tickets = [
        Ticket(charter.data(), seat, bytes(players[seat].key), players[seat].secret, bot=bot)
        for seat, bot in enumerate(("", "steady"))
    ]
    journals = [begin(tmp_path, ticket, charter) for ticket in tickets]
    (table,) = saved(tmp_path)
    assert (table.ticket, table.charter) == (tickets[0], charter)
    with pytest.raises(JournalError, match="in-use"):
        back(table)
    with pytest.raises(JournalError, match="in-use"):
        forget(table)
    for journal in journals:
        assert journal is not None
        journal.close()
    places = back(table)
    assert [place.ticket for place in places] == tickets
    for place in places:
        assert place.journal is not None
        place.journal.close()
    forget(table)
    assert saved(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"farfadet journal 2\n", b"x" * 100, bytes(100)])
def test_what_is_no_journal_says_so(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "seat-0.journal"
    path.write_bytes(data)
    with pytest.raises(JournalError, match="no-journal"):
        Journal.reopen(path)
    path.write_bytes(data)
    with pytest.raises(JournalError, match="no-journal"):
        read_ticket(path)


def test_a_disk_that_is_full_ends_the_journal_and_not_the_game(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "t" / "seat-0.journal", NOBODY)
    os.close(journal._descriptor or 0)
    journal._descriptor = os.open("/dev/full", os.O_WRONLY)
    journal.chosen(Here(b"table", 1, b"prev"), Mushroom(0))
    journal.heard(b"later")
    assert not (tmp_path / "t").exists()


def test_a_journal_of_other_rules_cannot_be_resumed() -> None:
    with pytest.raises(JournalError, match="other-rules"):
        restored(Ticket(b"no charter", 0, bytes(32), bytes(32)), [], Verified())
