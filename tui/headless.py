"""The commands that run without a screen until they are told to stop: the broker, the referee."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import click
from filelock import FileLock, Timeout

from broker.engine import Engine
from net.doctor.doctor import Finding
from net.doctor.doctor import examine as examined
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.people.identity import load
from net.play.charter import read_charter
from net.play.transcript import file_name, records
from net.referee.record import Record, RecordError, figures, transcripts
from net.referee.referee import Referee
from tui.loop import on_signals, run
from tui.plain.verdicts import figures_text, finding_text, report_text

RECORD = "record.db"
LOCK = "referee.lock"
LOOKING = 1.0
"""Seconds for which somebody who only looks may hold the lock."""


def run_broker(folder: Path, bind: str, port: int) -> None:
    """Run the embedded broker until interrupted; says where it is."""

    async def serve() -> None:
        async with Engine(folder, host=bind, port=port) as engine:
            click.echo(f"mqtt://{bind}:{engine.port}")
            await engine.keep()

    asyncio.run(serve())


def examine(broker: str, as_json: bool) -> bool:
    """Say, one line after the other, what ``broker`` can do; whether that is enough."""

    def tell(finding: Finding) -> None:
        if not as_json:
            click.echo(finding_text(finding))

    report = run(examined(Broker.parse(broker), tell))
    click.echo(json.dumps(report.data()) if as_json else report_text(report))
    return report.good


def run_referee(folder: Path, broker: str, name: str, tables: int) -> None:
    """Be a referee on ``broker`` until told to stop; all it has is in ``folder``.

    Tells its events on stderr, a line each. Raises ``RecordError("referee-in-use")`` if another
    process is the referee of this folder, and whatever a record and a transport raise.
    """
    at = Broker.parse(broker)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = FileLock(folder / LOCK, mode=0o600)
    try:
        lock.acquire(timeout=LOOKING)
    except Timeout:
        raise RecordError("referee-in-use") from None
    with lock:
        record = Record(folder / RECORD)
        try:
            referee = partial(
                Referee,
                lambda will: MqttTransport(at, will),
                load(folder, name),
                record,
                lambda line: click.echo(line, err=True),
                tables=tables,
            )
            run(_until_told(referee))
        finally:
            record.close()


async def _until_told(referee: Callable[[], Referee]) -> None:
    """Run it until the system, or Ctrl-C, ends us."""
    serving = asyncio.create_task(referee().run())
    on_signals(("SIGTERM", "SIGINT"), serving.cancel)
    with suppress(asyncio.CancelledError):
        await serving


def referee_status(folder: Path, as_json: bool) -> None:
    """Print the counters of the referee of ``folder``.

    Raises ``RecordError("referee-stopped")`` if none is running there.
    """
    if not (folder / LOCK).exists():
        raise RecordError("referee-stopped")
    with suppress(Timeout), FileLock(folder / LOCK, mode=0o600).acquire(timeout=0):
        raise RecordError("referee-stopped")
    found, now = figures(folder / RECORD), time.time()
    told = {
        "process": found.pid,
        "uptime": round(now - found.since),
        "quiet": round(now - found.last),
        **found.tables,
        "messages": found.messages,
        "rulings": found.rulings,
        "others": found.others,
        **found.tallies,
    }
    click.echo(json.dumps(told) if as_json else figures_text(told))


def export(folder: Path, to: Path) -> None:
    """Write the transcripts of all tables that the referee of ``folder`` saw end; prints paths.

    They are the files that the players have. Raises ``RecordError("no-record")`` and ``OSError``.
    """
    to.mkdir(parents=True, exist_ok=True)
    for table, transcript in transcripts(folder / RECORD):
        game = read_charter(next(records(transcript))).game
        path = to / file_name(game, table)
        path.write_bytes(transcript)
        click.echo(str(path))
