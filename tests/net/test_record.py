"""The referee's record: what is on disk when, what comes back, what is kept of ended tables."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from net.play.audit import audit
from net.play.journal import Checked, Heard
from net.referee.record import ENDINGS, Kept, Notes, Record, RecordError, figures, transcripts
from tests.sim.world import World

KEY = bytes(range(16))


@pytest.fixture(scope="module")
def world() -> World:
    """A game that was played to its end."""
    world = World(3, 3, game="gnomia")
    world.run()
    return world


def opened(record: Record, world: World) -> Kept:
    """The table of ``world``, in the record."""
    kept = record.add(world.charter, KEY)
    assert kept is not None
    return kept


def on_disk(path: Path) -> list[tuple[str, bytes]]:
    """What another process would find there of entries."""
    other = sqlite3.connect(path)
    found = list(other.execute("SELECT kind, data FROM entries ORDER BY number"))
    other.close()
    return found


def test_entries_come_back_in_the_order_in_which_they_came(tmp_path: Path, world: World) -> None:
    path = tmp_path / "a" / "record.db"
    record = Record(path)
    notes = Notes(record, opened(record, world))
    notes.heard(b"1")
    notes.checked(b"2")
    notes.promised(b"3")
    notes.heard(b"4")
    record.close()
    again = Record(path)
    (kept,) = again.open_tables()
    assert again.entries(kept) == [Heard(b"1"), Checked(b"2"), Heard(b"3"), Heard(b"4")]
    assert kept.charter == world.charter.data()
    assert (kept.room, kept.key, kept.table) == (world.charter.room, KEY, world.charter.table)
    again.close()


def test_a_promise_is_on_disk_at_once_with_all_before_it(tmp_path: Path, world: World) -> None:
    record = Record(tmp_path / "record.db")
    notes = Notes(record, opened(record, world))
    notes.heard(b"1")
    assert on_disk(tmp_path / "record.db") == []
    notes.promised(b"2")
    assert on_disk(tmp_path / "record.db") == [("heard", b"1"), ("heard", b"2")]
    notes.heard(b"3")
    record.flush()
    assert len(on_disk(tmp_path / "record.db")) == 3
    record.close()


def test_checks_may_be_noted_from_any_thread(tmp_path: Path, world: World) -> None:
    record = Record(tmp_path / "record.db")
    kept = opened(record, world)
    notes = Notes(record, kept)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: notes.checked(bytes([number])), range(200)))
    found = record.entries(kept)
    assert sorted(entry.key[0] for entry in found if isinstance(entry, Checked)) == list(range(200))
    record.close()


def test_the_record_is_for_its_owner_alone(tmp_path: Path, world: World) -> None:
    record = Record(tmp_path / "a" / "record.db")
    Notes(record, opened(record, world)).promised(b"1")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "a").iterdir()} == {0o600}
    record.close()


def test_of_a_table_that_has_ended_the_players_file_and_the_scores_are_kept(
    tmp_path: Path, world: World
) -> None:
    path = tmp_path / "record.db"
    record = Record(path)
    kept = opened(record, world)
    notes, table = Notes(record, kept), world.nodes[0].table
    for message in table.transcript.messages:
        notes.heard(message)
    assert figures(path).tables["open"] == 1
    record.end(kept, "finished", table)
    assert on_disk(path) == []
    assert record.open_tables() == []
    ((table_id, transcript),) = transcripts(path)
    assert table_id == world.charter.table
    verdict = audit(transcript)
    assert verdict.good
    assert verdict.result is not None
    base = sqlite3.connect(path)
    scores = list(base.execute("SELECT seat, name, rank, total FROM scores ORDER BY seat"))
    base.close()
    assert scores == [
        (score.seat, f"seat {score.seat}", score.rank, score.total)
        for score in verdict.result.scores
    ]
    found = figures(path)
    assert (found.tables["open"], found.tables["finished"]) == (0, 1)
    assert found.messages == len(table.transcript.messages)
    record.close()


def test_its_end_can_be_told_again_to_who_missed_it(tmp_path: Path, world: World) -> None:
    record = Record(tmp_path / "record.db")
    table = world.nodes[0].table
    record.end(opened(record, world), "finished", table)
    ended = record.add(world.charter, KEY)
    assert ended is not None
    assert not ended.open
    assert record.entries(ended) == [Heard(message) for message in table.transcript.messages]
    assert record.open_tables() == []
    record.close()


@pytest.mark.parametrize("state", ["void", "refused", "failed"])
def test_what_cannot_go_on_is_not_gone_back_to(state: str, tmp_path: Path, world: World) -> None:
    record = Record(tmp_path / "record.db")
    record.end(opened(record, world), state, None)
    assert record.add(world.charter, KEY) is None
    assert record.open_tables() == []
    record.close()


def test_what_was_abandoned_goes_on_where_it_stopped(tmp_path: Path, world: World) -> None:
    record = Record(tmp_path / "record.db")
    kept = opened(record, world)
    Notes(record, kept).heard(b"1")
    record.end(kept, "abandoned", world.nodes[0].table)
    assert record.open_tables() == []
    again = record.add(world.charter, bytes(16))
    assert again == kept
    assert record.entries(again) == [Heard(b"1")]
    assert figures(tmp_path / "record.db").tables["open"] == 1
    record.close()


def test_a_table_is_opened_once_however_often_it_calls(tmp_path: Path, world: World) -> None:
    record = Record(tmp_path / "record.db")
    assert opened(record, world) == opened(record, world)
    assert len(record.open_tables()) == 1
    record.close()


def test_figures_name_the_process_and_what_it_has_done(tmp_path: Path, world: World) -> None:
    path = tmp_path / "record.db"
    record = Record(path)
    assert figures(path).pid == 0
    record.begin(4711)
    kept = opened(record, world)
    Notes(record, kept).promised(b"1")
    record.ruled(kept, 2)
    found = figures(path)
    assert (found.pid, found.messages, found.rulings) == (4711, 1, 2)
    assert found.since <= found.last
    assert set(found.tables) == {"open", *ENDINGS}
    record.begin(4712)
    assert figures(path).pid == 4712
    record.close()


def test_without_a_record_there_are_no_figures(tmp_path: Path) -> None:
    for ask in (figures, lambda path: list(transcripts(path))):
        with pytest.raises(RecordError) as caught:
            ask(tmp_path / "record.db")
        assert caught.value.code == "no-record"
    assert not (tmp_path / "record.db").exists()


def test_another_versions_record_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 99")
    other.close()
    before = path.read_bytes()
    for ask in (Record, figures):
        with pytest.raises(RecordError) as caught:
            ask(path)
        assert caught.value.code == "other-record"
    assert path.read_bytes() == before


def test_of_a_table_that_was_handed_over_only_promises_are_kept(
    tmp_path: Path, world: World
) -> None:
    path = tmp_path / "record.db"
    record = Record(path)
    kept = opened(record, world)
    notes = Notes(record, kept)
    notes.heard(b"1")
    notes.promised(b"2")
    notes.heard(b"3")
    record.end(kept, "handed-over", None, [b"2"])
    assert record.open_tables() == []
    assert not record.remembers(kept.room)
    assert on_disk(path) == [("heard", b"2")]
    assert figures(path).tables["handed-over"] == 1
    found = record.find(kept.table)
    assert found is not None
    assert (found[0], found[1].table) == ("handed-over", kept.table)
    again = record.add(world.charter, KEY)
    assert again == kept
    assert record.entries(again) == [Heard(b"2")]
    assert record.remembers(kept.room)
    record.close()


def test_a_process_learns_what_it_was_called_before(tmp_path: Path) -> None:
    record = Record(tmp_path / "record.db")
    assert record.rename(b"first") is None
    record.share(3)
    record.close()
    again = Record(tmp_path / "record.db")
    assert again.rename(b"second") == b"first"
    assert figures(tmp_path / "record.db").others == 0
    again.close()


def test_what_becomes_of_shared_tables_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    record = Record(path)
    record.share(2)
    for what in ("claimed", "claimed", "taken"):
        record.tally(what)
    found = figures(path)
    assert found.others == 2
    assert found.tallies == {"claimed": 2, "taken": 1, "handed": 0}
    record.close()


def test_a_record_from_before_tables_were_shared_is_gone_on_with(
    tmp_path: Path, world: World
) -> None:
    path = tmp_path / "record.db"
    record = Record(path)
    opened(record, world)
    record.close()
    base = sqlite3.connect(path)
    base.executescript("DROP TABLE sharing; DROP INDEX tables_by_room;")
    base.close()
    again = Record(path)
    assert len(again.open_tables()) == 1
    assert again.rename(b"first") is None
    again.close()
