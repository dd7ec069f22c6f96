"""What the ssh server grants a guest: a terminal as it is, a few variables, and nothing else."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import asyncssh
import pytest

from tests.ssh.hosts import alive
from tests.ssh.inside import PATIENCE, WAITS, inside, until
from tui.ssh import child, session
from tui.ssh.fingerprints import home_of

FOLLOWS = """
import fcntl, os, signal, termios
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGWINCH])
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
while True:
    size = os.get_terminal_size()
    print(size.columns, size.lines, flush=True)
    signal.sigwait([signal.SIGWINCH])
"""
"""Says how large its terminal is, whenever that changes."""


async def test_the_terminal_has_its_size_before_the_process_starts(tmp_path: Path) -> None:
    async with inside(tmp_path) as host, host.connect() as guest:
        done = await guest.run(term_type="xterm", term_size=(97, 31))
    assert json.loads(done.stdout)["size"] == [97, 31]


async def test_the_process_is_told_of_every_new_size(tmp_path: Path) -> None:
    async with inside(tmp_path, FOLLOWS) as host, host.connect() as guest:
        process = await guest.create_process(term_type="xterm", term_size=(80, 24))
        assert (await process.stdout.readline()).split() == ["80", "24"]
        for size in ((120, 40), (60, 20)):
            process.change_terminal_size(*size)
            assert (await process.stdout.readline()).split() == [str(number) for number in size]


@pytest.mark.parametrize(
    ("asked", "given"),
    [((10000, 10000), [300, 100]), ((1, 1), [20, 5]), ((0, 0), [80, 24])],
    ids=["giant", "tiny", "unknown"],
)
async def test_a_size_is_believed_within_reason(
    asked: tuple[int, int], given: list[int], tmp_path: Path
) -> None:
    async with inside(tmp_path) as host, host.connect() as guest:
        done = await guest.run(term_type="xterm", term_size=asked)
    assert json.loads(done.stdout)["size"] == given


async def test_a_guest_says_how_the_terminal_is_and_nothing_about_the_host(tmp_path: Path) -> None:
    smuggled = {
        "LD_PRELOAD": "/tmp/evil.so",
        "PYTHONPATH": "/tmp",
        "FARFADET_BROKER": "mqtt://evil:1",
        "FARFADET_HOME": "/",
        "BROWSER": "sh",
        "PATH": "/tmp",
        "TERM": "evil",
        "LC_ALL": "fr_FR.UTF-8\x1b[2J",
    }
    said = {"LANG": "fr_FR.UTF-8", "COLORTERM": "truecolor"}
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with inside(tmp_path) as host, host.connect(key) as guest:
        done = await guest.run("join me", term_type="xterm-direct", env={**smuggled, **said})
    told = json.loads(done.stdout)["environment"]
    # Python may add this by itself where nothing says which letters there are.
    told.pop("LC_CTYPE", None)
    assert told == {
        **said,
        "TERM": "xterm-direct",
        "PATH": "/usr/bin:/bin",
        "FARFADET_BROKER": "mqtt://127.0.0.1:1",
        "FARFADET_HOME": str(home_of(key.get_fingerprint(), tmp_path / "data")),
        "FARFADET_LOGIN": "ana",
        "SSH_ORIGINAL_COMMAND": "join me",
    }


@pytest.mark.parametrize("term", ["\x1b]0;evil\x07", "../../etc", "x" * 200, "-", " "])
async def test_a_terminal_with_a_strange_name_is_a_usual_one(term: str, tmp_path: Path) -> None:
    async with inside(tmp_path) as host, host.connect() as guest:
        done = await guest.run(term_type=term)
    assert json.loads(done.stdout)["environment"]["TERM"] == "xterm-256color"


async def test_without_a_terminal_there_are_three_streams(tmp_path: Path) -> None:
    script = "import sys; print(sys.stdin.read().upper()); print('aside', file=sys.stderr)"
    async with inside(tmp_path, script) as host, host.connect() as guest:
        done = await guest.run("join x", input="a\nb\n")
    assert (done.stdout, done.stderr, done.exit_status) == ("A\nB\n\n", "aside\n", 0)
    assert "size=none" in await host.told("event=session", "why=left")


async def test_nothing_but_a_session_is_to_be_had(tmp_path: Path) -> None:
    async with inside(tmp_path, WAITS) as host, host.connect() as guest:
        with pytest.raises(asyncssh.ChannelOpenError):
            await guest.open_connection("127.0.0.1", host.server.port)
        with pytest.raises(asyncssh.ChannelOpenError):
            await guest.open_unix_connection("/tmp/any")
        with pytest.raises(asyncssh.ChannelListenError):
            await guest.start_server(lambda *_: None, "127.0.0.1", 0)
        with pytest.raises(asyncssh.ChannelListenError):
            await guest.start_unix_server(lambda *_: None, str(tmp_path / "socket"))
        await guest.create_process(term_type="xterm")
        with pytest.raises(asyncssh.ChannelOpenError):
            await guest.run("a second one")
    async with inside(tmp_path, WAITS) as host, host.connect() as guest:
        with pytest.raises(asyncssh.Error):
            await guest.start_sftp_client()


async def test_one_agent_and_one_display_are_not_asked_for(tmp_path: Path) -> None:
    async with inside(tmp_path) as host:
        async with host.connect(agent_forwarding=True) as guest:
            done = await guest.run()
            assert "SSH_AUTH_SOCK" not in json.loads(done.stdout)["environment"]
        async with host.connect() as guest:
            with pytest.raises(asyncssh.ChannelOpenError):
                await guest.run(x11_forwarding=True, x11_display=":9")


async def test_nobody_is_left_when_the_line_drops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "GRACE", 0.3)
    stubborn = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGHUP, signal.SIG_IGN)
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(os.getpid(), other.pid, flush=True)
time.sleep(600)
"""
    async with inside(tmp_path, stubborn) as host, host.connect() as guest:
        process = await guest.create_process(term_type="xterm")
        both = [int(number) for number in (await process.stdout.readline()).split()]
        assert all(alive(number) for number in both)
        guest.abort()
        await host.told("why=dropped")
        await until(lambda: not any(alive(number) for number in both))


async def test_who_is_killed_leaves_a_terminal_as_it_was(tmp_path: Path) -> None:
    script = "import os; print('\\x1b[?1049h', flush=True); os.kill(os.getpid(), 9)"
    async with inside(tmp_path, script) as host, host.connect() as guest:
        done = await guest.run(term_type="xterm")
    assert "\x1b[?1049l" in done.stdout
    assert "\x1b[?25h" in done.stdout
    assert "more than a guest may take" in done.stdout
    await host.told("why=killed-9")


async def test_who_presses_no_key_for_long_is_sent_home(tmp_path: Path) -> None:
    async with inside(tmp_path, WAITS, idle=0.3) as host, host.connect() as guest:
        done = await guest.run(term_type="xterm")
    assert "goodbye" in done.stdout
    await host.told("why=idle")


async def test_keys_keep_a_guest_there(tmp_path: Path) -> None:
    async with inside(tmp_path, WAITS, idle=1.0) as host, host.connect() as guest:
        process = await guest.create_process(term_type="xterm")
        for _ in range(12):
            process.stdin.write("x")
            await asyncio.sleep(0.1)
        assert not host.lines
        assert host.server.guests == 1


async def test_a_client_that_does_not_read_makes_nobody_wait_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "READS_WITHIN", 0.5)
    script = "import sys\nwhile True: sys.stdout.write('x' * 4096)"
    async with inside(tmp_path, script) as host, host.connect() as guest:
        channel, _ = await guest.create_session(_Deaf, term_type="xterm", window=65536)
        line = await host.told("why=slow")
        channel.abort()
    sent = int(line.partition(" sent=")[2].split()[0])
    assert sent < 2 * (65536 + session.MOST_OUTSTANDING + child.AT_ONCE)


async def test_what_is_said_before_the_process_has_started_is_heard(tmp_path: Path) -> None:
    script = "import sys; print(sys.stdin.read().upper())"
    async with inside(tmp_path, script, starting=1) as host:

        async def say() -> object:
            async with host.connect() as guest:
                return (await guest.run(input="hello")).stdout

        assert await asyncio.gather(*(say() for _ in range(3))) == ["HELLO\n"] * 3


async def test_no_key_is_lost(tmp_path: Path) -> None:
    script = "import sys; print(sys.stdin.read(), end='')"
    keys = [f"{number}," for number in range(3000)]
    async with inside(tmp_path, script) as host, host.connect() as guest:
        process = await guest.create_process()
        for number, key in enumerate(keys):
            process.stdin.write(key)
            if number % 100 == 0:
                await asyncio.sleep(0.01)
        process.stdin.write_eof()
        assert await process.stdout.read() == "".join(keys)


async def test_a_flood_of_keys_waits_at_the_door(tmp_path: Path) -> None:
    async with inside(tmp_path, WAITS) as host, host.connect() as guest:
        process = await guest.create_process(term_type="xterm")
        await process.stdout.readline()
        (seated,) = host.server.sessions
        for _ in range(64):
            process.stdin.write("x" * 65536)
        await asyncio.sleep(1)
        # The first packets came before the door was closed.
        assert seated.got <= 2 * 1024 * 1024 + 65536
        await asyncio.sleep(0.5)
        guest.abort()
        await host.told("why=dropped")


async def test_variables_without_end_are_the_end(tmp_path: Path) -> None:
    many = {f"V{number}": "x" * 1000 for number in range(40)}
    async with inside(tmp_path, WAITS) as host, host.connect() as guest:
        with suppress(asyncssh.Error, OSError):
            await guest.create_session(_Silent, term_type="xterm", env=many)
        async with asyncio.timeout(PATIENCE):
            await guest.wait_closed()
        await host.told("why=environment")
        await until(lambda: not host.server.sessions)


async def test_who_knocks_too_often_is_not_heard(tmp_path: Path) -> None:
    async with inside(tmp_path, logins=3) as host:
        for _ in range(3):
            async with host.connect() as guest:
                await guest.run()
        for _ in range(5):
            with pytest.raises((asyncssh.Error, OSError)):
                await host.connect()
        await host.told("event=refused", "why=hurried")
    assert sum("why=hurried" in line for line in host.lines) == 1


async def test_strangers_do_not_fill_the_house_for_ever(tmp_path: Path) -> None:
    script = "import os; os.makedirs(os.environ['FARFADET_HOME'], exist_ok=True); print('in')"
    keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(3)]
    async with inside(tmp_path, script, homes=2) as host:
        said = []
        for key in (*keys, keys[0]):
            async with host.connect(key) as guest:
                done = await guest.run()
                said.append((done.stdout, "no new guests" in str(done.stderr)))
    assert said == [("in\n", False), ("in\n", False), ("", True), ("in\n", False)]


async def test_who_asks_for_nothing_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.ssh.server.ASKS_WITHIN", 0.3)
    async with inside(tmp_path, WAITS) as host:
        guest = await host.connect()
        assert host.server.guests == 1
        async with asyncio.timeout(PATIENCE):
            await guest.wait_closed()
        await until(lambda: host.server.guests == 0)


async def test_when_the_host_closes_guests_are_told(tmp_path: Path) -> None:
    async with inside(tmp_path, WAITS) as host:
        guest = await host.connect()
        process = await guest.create_process(term_type="xterm")
        assert "up" in await process.stdout.readline()
    said = await process.stdout.read()
    assert "closing" in said
    await host.told("why=closing")
    guest.abort()


async def test_start_ups_take_turns(tmp_path: Path) -> None:
    script = """
import pathlib, sys, time
folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "FOLDER")
name = folder / str(time.monotonic_ns())
name.touch(); count = len(list(folder.iterdir())); time.sleep(0.2); name.unlink()
print(count, flush=True)
"""
    folder = tmp_path / "starting"
    folder.mkdir()
    async with inside(tmp_path, script.replace("FOLDER", str(folder)), starting=1) as host:

        async def visit() -> str:
            async with host.connect() as guest:
                done = await guest.run(term_type="xterm")
                return str(done.stdout).strip()

        assert await asyncio.gather(*(visit() for _ in range(4))) == ["1"] * 4


class _Deaf(asyncssh.SSHClientSession[str]):
    """Reads nothing."""

    def connection_made(self, chan: asyncssh.SSHClientChannel[str]) -> None:
        chan.pause_reading()


class _Silent(asyncssh.SSHClientSession[str]):
    """Says nothing."""
