"""The embedded broker as a process: how it starts, what it refuses, how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import aiomqtt
import pytest

from broker import engine as module
from broker.engine import BrokerError, Engine
from net.link.address import Broker
from net.link.topics import heard, spoken
from tests.broker.clients import client, ear
from tests.services import PATIENCE, children, free_port

pytestmark = pytest.mark.broker

LOG = spoken("room", "log", "alice")

PARENT = """
import asyncio, sys, pathlib
from broker.engine import Engine
async def main():
    async with Engine(pathlib.Path(sys.argv[1])) as engine:
        print(engine.port, flush=True)
        await asyncio.sleep(600)
asyncio.run(main())
"""


async def _deserted(port: int) -> None:
    """Wait until nobody listens at ``port`` any more."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                return
            writer.close()
            await asyncio.sleep(0.05)


def _left(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def _code(engine: Engine) -> BrokerError:
    with pytest.raises(BrokerError) as failure:
        await engine.start()
    return failure.value


def _script(folder: Path, text: str) -> Path:
    script = folder / "server"
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o755)
    return script


async def test_it_answers_once_started_and_is_gone_once_stopped(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "a folder" / 'of "ours" é')
    async with engine, ear(engine.url, heard("room")) as witness:
        await witness.client.publish(LOG, b"hello")
        assert await witness.until(LOG) == [(LOG, b"hello", False)]
    assert _left(tmp_path / "a folder" / 'of "ours" é') == []


async def test_its_files_are_ours_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with Engine(folder):
        assert folder.stat().st_mode & 0o777 == 0o700
        (run,) = folder.iterdir()
        assert run.stat().st_mode & 0o777 == 0o700


async def test_two_share_a_folder(tmp_path: Path) -> None:
    async with Engine(tmp_path) as one, Engine(tmp_path) as other:
        assert one.port != other.port
        async with ear(other.url, heard("room")) as witness, client(one.url) as speaker:
            await speaker.publish(LOG, b"elsewhere", qos=1, retain=True)
            assert await witness.fenced() == []


async def test_it_serves_ipv6(tmp_path: Path) -> None:
    async with Engine(tmp_path, host="::1") as engine:
        assert engine.url == f"mqtt://[::1]:{engine.port}"
        assert Broker.parse(engine.url).host == "::1"
        async with ear(engine.url) as witness:
            assert await witness.fenced() == []


async def test_it_carries_our_topics_only(engine: Engine) -> None:
    async with ear(engine.url, heard("room")) as witness, client(engine.url) as stranger:
        for pattern in ("#", "+/+", "$SYS/#", "$JS/#", "$MQTT/#", "elsewhere/#"):
            (granted,) = await stranger.subscribe(pattern)
            assert getattr(granted, "value", granted) == 0x80, pattern
        command = "$JS/API/STREAM/DELETE/$MQTT_rmsgs"
        await stranger.publish(LOG, b"kept", qos=1, retain=True)
        await stranger.publish(command, b"", qos=1)
        await witness.until(LOG)
    async with ear(engine.url, heard("room")) as late:
        assert await late.until(LOG) == [(LOG, b"kept", True)]


async def test_its_other_port_lets_nobody_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The real one picks its port where nobody looks; here it is told one.
    port = free_port()
    usual = module._configuration

    def told(host: str, mqtt_port: int, run: Path) -> dict[str, object]:
        return {**usual(host, mqtt_port, run), "port": port}

    monkeypatch.setattr(module, "_configuration", told)
    async with Engine(tmp_path):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        assert (await reader.readline()).startswith(b"INFO ")
        options = {"verbose": False, "user": "guest", "pass": "guess"}
        writer.write(f"CONNECT {json.dumps(options)}\r\n".encode())
        answer = await reader.readline()
        assert answer.startswith(b"-ERR 'Authorization Violation'")
        writer.close()


async def test_it_dies_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, str(tmp_path), stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    try:
        port = int(await parent.stdout.readline())
        async with client(f"mqtt://127.0.0.1:{port}") as alive:
            await alive.publish(LOG, b"hello", qos=1)
    finally:
        parent.send_signal(signal.SIGKILL)
        await parent.wait()
    await _deserted(port)
    async with asyncio.timeout(PATIENCE):
        while _left(tmp_path):  # noqa: ASYNC110  # another process does it
            await asyncio.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux's kernel does this")
async def test_it_dies_with_its_leash(tmp_path: Path) -> None:
    async with Engine(tmp_path) as engine:
        assert engine._process is not None
        engine._process.send_signal(signal.SIGKILL)
        await _deserted(engine.port)


async def test_a_server_that_dies_later_is_reported(tmp_path: Path) -> None:
    async with Engine(tmp_path) as engine:
        assert engine._process is not None
        (child,) = await asyncio.to_thread(children, engine._process.pid)
        os.kill(child, signal.SIGKILL)
        with pytest.raises(BrokerError) as failure:
            await engine.wait()
        assert failure.value.code == "died"


async def test_a_server_that_dies_is_started_again_at_the_same_port(tmp_path: Path) -> None:
    async with Engine(tmp_path) as engine:
        keeping = asyncio.create_task(engine.keep())
        port = engine.port
        for _ in range(2):
            before = engine._process
            assert before is not None
            (child,) = await asyncio.to_thread(children, before.pid)
            os.kill(child, signal.SIGKILL)
            await _served_again(engine, before.pid)
        assert engine.port == port
    await asyncio.wait_for(keeping, PATIENCE)


async def test_a_stop_also_ends_a_server_that_is_being_started_again(tmp_path: Path) -> None:
    for moment in range(6):
        async with Engine(tmp_path) as engine:
            keeping = asyncio.create_task(engine.keep())
            dead = _pid(engine)
            assert dead is not None
            (child,) = await asyncio.to_thread(children, dead)
            os.kill(child, signal.SIGKILL)
            for _ in range(1000):
                if _pid(engine) not in (None, dead):
                    break
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.02 * moment)
        await asyncio.wait_for(keeping, PATIENCE)
        assert _pid(engine) is None
        assert _left(tmp_path) == []
        await _deserted(engine.port)


def _pid(engine: Engine) -> int | None:
    """The process of the broker, if it runs."""
    return None if engine._process is None else engine._process.pid


async def _served_again(engine: Engine, dead: int) -> None:
    """Until another process than the ``dead`` one answers."""
    async with asyncio.timeout(PATIENCE):
        for _ in range(1000):
            other = _pid(engine) not in (None, dead)
            if other and await module._greets("127.0.0.1", engine.port):
                return
            await asyncio.sleep(0.05)


async def test_a_server_that_cannot_come_back_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AGAIN_AFTER", 0.01)
    async with Engine(tmp_path) as engine:
        keeping = asyncio.create_task(engine.keep())
        engine._binary = _script(tmp_path, "exit 1")
        assert engine._process is not None
        (child,) = await asyncio.to_thread(children, engine._process.pid)
        os.kill(child, signal.SIGKILL)
        with pytest.raises(BrokerError, match="died"):
            await asyncio.wait_for(keeping, PATIENCE)


async def test_waiting_ends_with_a_stop(tmp_path: Path) -> None:
    engine = Engine(tmp_path)
    await engine.start()
    waiting = asyncio.create_task(engine.wait())
    await asyncio.sleep(0)
    await engine.stop()
    await asyncio.wait_for(waiting, PATIENCE)


async def test_a_port_taken_is_said(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        engine = Engine(tmp_path, port=other.getsockname()[1])
        assert (await _code(engine)).code == "address-in-use"
    assert _left(tmp_path) == []


async def test_a_port_taken_at_the_last_moment_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def blind(host: str, port: int) -> tuple[str, int]:
        return host, port

    monkeypatch.setattr(module, "_free", blind)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        monkeypatch.setattr(module, "_greets", _never)
        engine = Engine(tmp_path, port=other.getsockname()[1])
        assert (await _code(engine)).code == "address-in-use"


async def _never(host: str, port: int) -> bool:
    return False


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1"])
async def test_an_address_that_is_not_ours_is_said(tmp_path: Path, host: str) -> None:
    assert (await _code(Engine(tmp_path, host=host))).code == "no-such-address"


async def test_a_port_we_may_not_take_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: socket.socket, address: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    assert (await _code(Engine(tmp_path, port=80))).code == "no-permission"


@pytest.fixture
def not_ours(tmp_path: Path) -> Iterator[Path]:
    """A folder we may not write to, even where root runs the tests."""
    root = os.geteuid() == 0
    tmp_path.chmod(0o500)
    if root:
        os.seteuid(65534)
    yield tmp_path
    if root:
        os.seteuid(0)
    tmp_path.chmod(0o700)


async def test_a_folder_we_may_not_use_is_said(not_ours: Path) -> None:
    engine = Engine(not_ours / "data", binary=Path("/bin/sh"))
    assert (await _code(engine)).code == "no-permission"


async def test_a_folder_that_is_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert (await _code(Engine(tmp_path / "data"))).code == "bad-folder"


async def test_a_missing_server_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await _code(Engine(tmp_path, binary=tmp_path / "none"))).code == "binary-missing"

    def absent(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(module, "distribution", absent)
    assert (await _code(Engine(tmp_path))).code == "binary-missing"


async def test_the_server_is_found_without_a_search_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    async with Engine(tmp_path) as engine:
        assert engine.port != 0


async def test_a_server_that_dies_at_once_is_quoted(tmp_path: Path) -> None:
    binary = _script(tmp_path, "echo '[1] [INF] Trying'; echo '[1] [FTL] No luck' >&2; exit 1")
    failure = await _code(Engine(tmp_path / "data", binary=binary))
    assert (failure.code, failure.detail) == ("died", "No luck")
    assert _left(tmp_path / "data") == []


async def test_a_server_that_cannot_be_run_is_quoted(tmp_path: Path) -> None:
    binary = tmp_path / "server"
    binary.write_bytes(b"\0not a program")
    binary.chmod(0o755)
    failure = await _code(Engine(tmp_path / "data", binary=binary))
    assert failure.code == "died"
    assert "Exec format error" in str(failure.detail)


async def test_a_server_that_never_answers_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    binary = _script(tmp_path, "echo 'Waiting for Godot'; exec sleep 600")
    failure = await _code(Engine(tmp_path / "data", binary=binary))
    assert (failure.code, failure.detail) == ("no-answer", "Waiting for Godot")


async def test_more_clients_than_it_takes_are_turned_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_CONNECTIONS", 2)
    async with Engine(tmp_path) as engine, ear(engine.url) as one, client(engine.url):
        with pytest.raises(aiomqtt.MqttError):
            async with client(engine.url, timeout=1):
                pass
        assert await one.fenced() == []
