"""The guest's end of a session: what may be asked for, and what it gives up before it begins."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import asyncssh
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ssh.hosts import alive
from tui.sitting import Home, Join, Watch
from tui.ssh.app import GuestApp
from tui.ssh.fingerprints import home_of
from tui.ssh.guest import BadOrder, home, order, undress
from tui.ssh.limits import MEBIBYTE
from tui.words import Words

INVITATION = "farfadet://127.0.0.1:1883/ABCDEFGHIJKLMNOP#abcdefghijklmnopqrstuv"


@pytest.mark.parametrize(
    ("command", "start"),
    [
        ("", Home()),
        ("  ", Home()),
        (f"join {INVITATION}", Join(INVITATION)),
        ("join  safom bahih latoj", Join("safom bahih latoj")),
        (f"watch {INVITATION}", Watch(INVITATION)),
    ],
)
def test_a_guest_asks_for_a_table_or_for_nothing(command: str, start: object) -> None:
    assert order(command) == start


@given(st.text())
def test_nothing_else_can_be_asked_for(command: str) -> None:
    try:
        found = order(command)
    except BadOrder as error:
        assert error.code == "bad-order"  # noqa: PT017  # either way
    else:
        words = command.split()
        assert found == Home() if not words else words[0] in {"join", "watch"}


def test_who_comes_through_sshd_lives_where_the_key_says(tmp_path: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    proof = tmp_path / "proof"
    proof.write_text(f"publickey ssh-ed25519 {base64.b64encode(key.public_data).decode()}\n")
    found = home({"SSH_USER_AUTH": str(proof)}, tmp_path)
    assert found == home_of(key.get_fingerprint(), tmp_path)
    proof.write_text("password\n")
    assert home({"SSH_USER_AUTH": str(proof)}, tmp_path) is None
    assert home({}, tmp_path) is None
    assert home({"FARFADET_HOME": "/some/where"}, tmp_path) == Path("/some/where")


def test_only_what_is_needed_of_the_environment_is_kept(tmp_path: Path) -> None:
    environ = {
        "PATH": "/usr/bin",
        "TERM": "xterm",
        "LANG": "fr_FR.UTF-8",
        "LD_PRELOAD": "/tmp/evil.so",
        "PYTHONSTARTUP": "/tmp/evil.py",
        "SSH_AUTH_SOCK": "/tmp/agent",
        "EDITOR": "vi",
        "PAGER": "less",
        "BROWSER": "firefox",
        "TEXTUAL_DRIVER": "evil:Driver",
        "TEXTUAL_LOG": "/tmp/log",
        "HOME": "/root",
    }
    undress(environ, tmp_path)
    assert environ == {
        "PATH": "/usr/bin",
        "TERM": "xterm",
        "LANG": "fr_FR.UTF-8",
        "HOME": str(tmp_path),
        "FARFADET_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "FARFADET_LAN": "off",
        "TEXTUAL_ANIMATIONS": "none",
        "TEXTUAL_SMOOTH_SCROLL": "0",
        "BROWSER": "false",
        "MALLOC_ARENA_MAX": "2",
    }


def test_an_account_of_ones_own_keeps_its_home() -> None:
    environ = {"HOME": "/home/ana", "LD_PRELOAD": "x"}
    undress(environ, None)
    assert environ["HOME"] == "/home/ana"
    assert "LD_PRELOAD" not in environ


@pytest.mark.skipif(sys.platform != "linux", reason="macOS counts memory in another way")
def test_a_guest_takes_no_more_memory_than_granted() -> None:
    script = f"""
from tui.ssh.guest import confine
confine({64 * MEBIBYTE})
import resource
print(resource.getrlimit(resource.RLIMIT_CORE), resource.getrlimit(resource.RLIMIT_NOFILE))
try:
    bytearray({128 * MEBIBYTE})
except MemoryError:
    print("enough")
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "(0, 0) (256, 256)\nenough\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that")
def test_a_guest_does_not_outlive_who_has_started_it() -> None:
    script = "from tui.ssh.guest import confine; confine(0); import time; print('up', flush=True); "
    parent = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", {script + "time.sleep(600)"!r}],
                         stdout=subprocess.PIPE, start_new_session=True)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert alive(child)
        process.kill()
    asyncio.run(_gone(child))


async def test_one_key_has_one_process_and_the_newest_counts(tmp_path: Path) -> None:
    script = """
import sys, time
from pathlib import Path
from tui.ssh.guest import only_here
only_here(Path(sys.argv[1]))
print("here", flush=True)
time.sleep(600)
"""

    async def come() -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", script, str(tmp_path)), stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        assert await process.stdout.readline() == b"here\n"
        return process

    first = await come()
    assert (tmp_path / "guest.pid").read_text() == str(first.pid)
    second = await come()
    assert await first.wait() == -signal.SIGHUP
    # One that does not listen is not asked for ever.
    second.send_signal(signal.SIGSTOP)
    third = await come()
    assert await second.wait() in (-signal.SIGHUP, -signal.SIGKILL)
    assert (tmp_path / "guest.pid").read_text() == str(third.pid)
    third.kill()
    await third.wait()
    # What a dead one has left is in nobody's way.
    fourth = await come()
    fourth.kill()
    await fourth.wait()


def test_the_guests_app_leads_nowhere(tmp_path: Path) -> None:
    script = """
import asyncio, json, os, sys
from tests.tui.fake_doors import FakeDoors
from tui.settings import Settings
from tui.sitting import Home
from tui.ssh.app import GuestApp
async def main():
    app = GuestApp(FakeDoors(), Home(), settings=Settings(name="Ana"))
    done = []
    async with app.run_test() as pilot:
        await pilot.pause()
        app.open_url("http://example.net")
        app.action_suspend_process()
        for deliver in (app.deliver_text, app.deliver_binary):
            done.append(deliver("/etc/passwd"))
        app.deliver_screenshot()
        done.append(app.save_screenshot())
        await pilot.press("ctrl+z", "ctrl+backslash")
        await pilot.pause()
    print(json.dumps([done, sorted(os.listdir(sys.argv[1]))]))
asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        env={**os.environ, "HOME": str(tmp_path), "BROWSER": f"touch {tmp_path}/opened"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[None, None, ""], []]


def test_a_guest_is_told_nothing_of_the_hosts_paths_and_commands() -> None:
    for language in ("en", "fr"):
        words = Words(language)
        for text in (GuestApp.GOES_ON, GuestApp.SEAT_KEPT):
            said = words.say(text, log="/home/host/farfadet.log")
            assert "/home" not in said
            assert "farfadet resume" not in said


def test_without_asyncssh_one_is_told_what_to_install(tmp_path: Path) -> None:
    script = """
import sys
sys.modules["asyncssh"] = None
sys.argv = ["farfadet", "ssh"]
from tui.cli import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "FARFADET_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "pip install 'farfadet[ssh]'" in done.stderr


async def _gone(process: int) -> None:
    async with asyncio.timeout(30):
        while alive(process):  # noqa: ASYNC110  # it is nobody's child any more
            await asyncio.sleep(0.02)
