"""A referee as a process of its own: killed in a game, told to stop, asked how it is."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from broker.engine import Engine
from net.link import topics
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.meeting.room import RoomError
from net.meeting.seating import room_of
from net.people.identity import Identity, load
from net.referee import calling
from net.referee.calling import announcement, find_referee
from net.referee.record import figures
from tests.e2e.players import audited, environment, files, gather, leave, play
from tests.e2e.terminals import FARFADET, Terminal, terminals
from tests.services import Mosquitto, Service, free_port, program
from tui.doors import NetworkDoors
from tui.places import Places
from tui.sitting import Host
from tui.terms import Terms

pytestmark = [pytest.mark.broker, pytest.mark.timeout(400)]

PATIENCE = 60.0


class Process:
    """A ``farfadet`` without a terminal; what it says on stderr goes to a file."""

    def __init__(self, folder: Path, name: str, *arguments: str) -> None:
        self.log = folder / f"{name}.log"
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(FARFADET), *arguments],
                env={**os.environ, **environment(folder, name)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def wait_for(self, text: str, times: int = 1) -> str:
        """Wait until it has said ``text`` so often; all it has said."""
        deadline = time.monotonic() + PATIENCE
        while (said := self.log.read_text()).count(text) < times:
            assert self._process.poll() is None, said
            assert time.monotonic() < deadline, said
            time.sleep(0.05)
        return said

    def end(self, number: signal.Signals) -> int:
        """Send it a signal, wait, and return its exit code."""
        self._process.send_signal(number)
        return self._process.wait(PATIENCE)

    def kill(self) -> None:
        """End it, if it has not ended."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()


@contextmanager
def broker(folder: Path) -> Iterator[str]:
    """The embedded broker as a process of its own; its address."""
    address = f"mqtt://127.0.0.1:{free_port()}"
    port = address.rsplit(":", 1)[1]
    process = Process(folder, "broker", "broker", "--bind", "127.0.0.1", "--port", port)
    try:
        process.wait_for(address)
        yield address
    finally:
        process.end(signal.SIGINT)


def ask(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What ``farfadet referee`` answers."""
    return subprocess.run(
        [str(FARFADET), "referee", *arguments],
        env={**os.environ, **environment(folder, "referee")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def status(folder: Path) -> dict[str, Any]:
    """The counters of the referee that is running."""
    done = ask(folder, "--status", "--json")
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.nightly
@pytest.mark.terminal
def test_a_referee_that_is_killed_in_a_game_has_its_result_at_the_end(tmp_path: Path) -> None:
    program("tmux")
    with broker(tmp_path) as address, terminals(tmp_path) as server:
        referee = Process(tmp_path, "referee", "referee", "--broker", address)
        referee.wait_for("event=serving")
        assert status(tmp_path)["open"] == 0
        terms = ("--seats", "3", "--broker", address, "--referee", "--limit", "600")
        players, _ = gather(server, tmp_path, "gnomia", *terms)
        for player in players:
            player.wait_for("choose")
        referee.wait_for('event="table opened"')
        choose_once(players)
        wait_noted(tmp_path)
        referee.end(signal.SIGKILL)
        assert ask(tmp_path, "--status").returncode == 1
        again = Process(tmp_path, "referee", "referee", "--broker", address)
        again.wait_for('event="table resumed"')
        assert status(tmp_path)["open"] == 1
        play(players)
        again.wait_for("event=result")
        told = status(tmp_path)
        assert (told["open"], told["finished"], told["blamed"]) == (0, 1, 0)
        assert told["messages"] > 100
        leave(players)
        begin = time.monotonic()
        assert again.end(signal.SIGTERM) == 0
        print(f"stopped within {time.monotonic() - begin:.2f} s")
        assert "event=stopped" in again.log.read_text()
    exported = ask(tmp_path, "--export", str(tmp_path / "out")).stdout.splitlines()
    (game,) = map(Path, exported)
    assert audited(game)["verdict"] == "good"
    assert {path.read_bytes() for path in files(tmp_path)} == {game.read_bytes()}


@pytest.mark.nightly
@pytest.mark.terminal
def test_of_two_processes_one_takes_over_from_the_other_in_a_game(tmp_path: Path) -> None:
    program("tmux")
    service = Mosquitto(tmp_path)
    asyncio.run(service.start())
    folders = [tmp_path / "one", tmp_path / "two"]
    try:
        with terminals(tmp_path) as server:
            key = load(folders[0], "referee").key
            folders[1].mkdir()
            (folders[1] / "identity.key").write_bytes(bytes(key))
            both = [start_referee(tmp_path, folder, service.url) for folder in folders]
            for process in both:
                process.wait_for("event=sharing others=1")
            terms = ("--seats", "2", "--broker", service.url, "--referee")
            (ana, bo), _ = gather(server, tmp_path, "gobelin", *terms, names=("Ana", "Bo"))
            for player in (ana, bo):
                player.wait_for("your turn", "is playing", "Waiting for")
            first = holder(both)
            second = 1 - first
            begin = time.monotonic()
            both[first].end(signal.SIGKILL)
            os.kill(bo.pid, signal.SIGKILL)
            both[second].wait_for('event="table resumed"')
            print(f"killed: taken over within {time.monotonic() - begin:.1f} s")
            # Alone, she cannot rule that he is absent.
            play([ana], until="go on without Bo")
            ana.press("w")
            ana.wait_for("Bo is absent")
            assert "event=ruling" in both[second].log.read_text()
            both[first] = start_referee(tmp_path, folders[first], service.url)
            both[first].wait_for("event=sharing others=1")
            begin = time.monotonic()
            assert both[second].end(signal.SIGTERM) == 0
            both[first].wait_for('event="table resumed"')
            print(f"stopped: taken over within {time.monotonic() - begin:.1f} s")
            play([ana])
            both[first].wait_for("event=result")
            leave([ana])
            both[first].end(signal.SIGTERM)
    finally:
        asyncio.run(service.stop())
    for at, (open_, finished) in ((first, (0, 1)), (second, (1, 0))):
        tables = figures(folders[at] / "record.db").tables
        assert (tables["open"], tables["finished"]) == (open_, finished)
    (game,) = files(tmp_path, ("Ana",))
    verdict = audited(game)
    assert verdict["verdict"] == "good"
    assert len(verdict["absences"]) == 1  # type: ignore[arg-type]


def start_referee(home: Path, folder: Path, broker: str) -> Process:
    """One of several processes with the same key."""
    (home / f"{folder.name}.log").unlink(missing_ok=True)
    return Process(home, folder.name, "referee", "--broker", broker, "--data", str(folder))


def holder(both: list[Process]) -> int:
    """Which of two has been called."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for at, process in enumerate(both):
            if 'event="table opened"' in process.log.read_text():
                return at
        time.sleep(0.05)
    raise AssertionError("nobody follows the table")


def choose_once(players: list[Terminal]) -> None:
    """Everybody makes one choice."""
    for player in players:
        player.press("Right", "Enter")
    for player in players:
        player.wait_for("sealed", "choose")


def wait_noted(folder: Path) -> None:
    """Until the referee has written down what was said so far."""
    deadline = time.monotonic() + PATIENCE
    while status(folder)["messages"] < 12:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_one_process_a_folder_and_a_clean_end(tmp_path: Path) -> None:
    with broker(tmp_path) as address:
        referee = Process(tmp_path, "referee", "referee", "--broker", address)
        referee.wait_for("event=serving")
        second = ask(tmp_path, "--broker", address)
        assert second.returncode == 1
        assert len(second.stderr.strip().splitlines()) == 1
        assert "Traceback" not in second.stderr
        text = ask(tmp_path, "--status").stdout
        assert "open: 0\n" in text
        assert "uptime: " in text
        assert referee.end(signal.SIGINT) == 0
        assert "event=stopped" in referee.log.read_text()
        assert "Traceback" not in referee.log.read_text()
    stopped = ask(tmp_path, "--status")
    assert (stopped.returncode, stopped.stdout) == (1, "")
    assert len(stopped.stderr.strip().splitlines()) == 1


def test_a_broker_that_comes_back_finds_the_referee_waiting(tmp_path: Path) -> None:
    with broker(tmp_path) as address:
        referee = Process(tmp_path, "referee", "referee", "--broker", address)
        referee.wait_for("event=serving")
        port = address.rsplit(":", 1)[1]
    referee.wait_for('event="link lost"')
    back = Process(tmp_path, "broker", "broker", "--bind", "127.0.0.1", "--port", port)
    try:
        referee.wait_for('event="link up"', times=2)
    finally:
        referee.end(signal.SIGTERM)
        back.end(signal.SIGINT)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ((), 2, "--broker"),
        (("--broker", "nonsense"), 1, ""),
        (("--broker", "mqtt://127.0.0.1:9"), 1, ""),
        (("--tables", "0", "--broker", "mqtt://127.0.0.1:9"), 2, "--tables"),
        (("--status",), 1, ""),
        (("--export", "out"), 1, ""),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    arguments: tuple[str, ...], code: int, sentence: str, tmp_path: Path
) -> None:
    done = ask(tmp_path, *arguments)
    assert done.returncode == code
    assert done.stdout == ""
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_referee_loads_no_screen(tmp_path: Path) -> None:
    program_text = (
        "import sys; from tui.cli import cli\n"
        "from tui import headless\n"
        "try: cli(['referee', '--status'], standalone_mode=False)\n"
        "except Exception as error: print(error)\n"
        "print('textual' in sys.modules, 'net.referee.referee' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program_text],
        env={**os.environ, **environment(tmp_path, "referee")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["referee-stopped", "False True"]


# In this process: the ways to a table with a referee.


@asynccontextmanager
async def running(folder: Path, kind: type[Engine] | type[Mosquitto]) -> AsyncIterator[Service]:
    """A broker while the block lasts."""
    place = folder / "running"
    place.mkdir()
    service: Service = kind(place)
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


@pytest.mark.parametrize("kind", [Engine, Mosquitto])
async def test_a_referee_that_dies_is_announced_no_more(
    kind: type[Engine] | type[Mosquitto], tmp_path: Path
) -> None:
    async with running(tmp_path, kind) as service:
        at = Broker.parse(service.url)
        for way_out in (signal.SIGKILL, signal.SIGTERM):
            referee = Process(tmp_path, "referee", "referee", "--broker", service.url)
            await asyncio.to_thread(referee.wait_for, "event=serving", 1)
            found = await find_referee(MqttTransport(at))
            assert found is not None
            assert found.name == "referee"
            referee.end(way_out)
            referee.log.unlink()
            deadline = time.monotonic() + PATIENCE
            while await find_referee(MqttTransport(at), within=0.5) is not None:
                assert time.monotonic() < deadline


def doors(folder: Path, service: Service) -> NetworkDoors:
    """The ways to a table through ``service``."""
    places = Places(folder / "config", folder / "data", folder / "state")
    return NetworkDoors(places, Terms("Ana", broker=Broker.parse(service.url), level="random"))


async def test_without_a_referee_nobody_hosts_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "FOUND_WITHIN", 0.3)
    async with running(tmp_path, Engine) as service, doors(tmp_path, service) as ways:
        with pytest.raises(RoomError) as caught:
            await ways.host(Host("gnomia", 3, bots=2, referee=True))
        assert caught.value.code == "no-referee"


@pytest.mark.parametrize(
    ("wanted", "terms"),
    [
        (Host("gnomia", 3, bots=2), (0, False, False)),
        (Host("gnomia", 3, bots=2, limit=30, escrow=True), (30, False, True)),
        (Host("gnomia", 3, bots=2, limit=30, referee=True), (30, True, True)),
        (Host("gnomia", 3, bots=2, referee=True, escrow=False), (0, True, False)),
    ],
)
async def test_a_table_has_the_terms_that_its_host_wants(
    wanted: Host, terms: tuple[int, bool, bool], tmp_path: Path
) -> None:
    async with running(tmp_path, Engine) as service, doors(tmp_path, service) as ways:
        way = MqttTransport(Broker.parse(service.url))
        who = Identity.fresh("Arbitre")
        async with way:
            way.publish(topics.lobby(room_of(who.public)), announcement(who), retain=True)
            room = await ways.host(wanted)
            assert (room.limit, room.refereed, room.escrow) == terms
            peer = await room.wait()
            charter = peer.table.charter
            assert (charter.limit, charter.escrow) == (terms[0], terms[2])
            assert charter.referee == (who.public if terms[1] else b"")
            playing = asyncio.create_task(peer.run())
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
