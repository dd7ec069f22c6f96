"""The real OpenSSH client at our server: without a terminal, without a key, with hostile wishes."""

from __future__ import annotations

import asyncio
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest

from tests.e2e.terminals import terminals
from tests.services import program
from tests.ssh.hosts import SshHost, alive, arrive, openssh, our_server, told, wait_gone
from tests.ssh.inside import WAITS, inside

pytestmark = [pytest.mark.terminal, pytest.mark.broker, pytest.mark.timeout(200)]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshHost]:
    """Our server, for all tests here that leave it as it was."""
    with our_server(tmp_path_factory.mktemp("ssh"), "--per-address", "20") as one:
        yield one


def run(
    host: SshHost, name: str, *words: str, options: tuple[str, ...] = ("-T",), said: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """What ``name`` gets who types that, and then says something."""
    command = host.command(name, *words, options=(*options, "-o", "LogLevel=ERROR"))
    return subprocess.run(command, input=said, capture_output=True, timeout=60, check=False)


def test_a_host_is_told_the_broker_at_which_guests_meet_but_no_password(tmp_path: Path) -> None:
    with our_server(tmp_path, "--broker", "mqtt://ana:secret@127.0.0.1:9") as host:
        assert "secret" not in host.service.wait_for(" broker=mqtt://127.0.0.1:9")


@pytest.mark.parametrize("way", [our_server, openssh])
def test_without_a_terminal_the_game_is_lines_of_text(way: object, tmp_path: Path) -> None:
    with way(tmp_path) as host:  # type: ignore[operator]
        done = run(host, "Ana", said=b"Lou\nplay\n")
        assert done.returncode == 0, done.stderr
        said = done.stdout.decode()
        assert "What shall the others call you?" in said
        assert "La Taverne des Hobbits" in said
        assert "\x1b" not in said
        # Once is enough.
        again = run(host, "Ana", said=b"quit\n")
        assert "What shall" not in again.stdout.decode()


@pytest.mark.parametrize(
    "command",
    [
        "sh",
        "rm -rf /",
        "; sh",
        "join",
        "watch",
        "$(sh)",
        "play taverne --deck /etc/passwd",
        "guest --broker mqtt://evil:1",
        "join " + "x" * 2000,
        "\x1b[2J\x1b]0;evil\x07",
    ],
)
@pytest.mark.parametrize("options", [("-T",), ("-tt",)], ids=["lines", "terminal"])
def test_what_cannot_be_asked_for_is_not_done(
    command: str, options: tuple[str, ...], host: SshHost
) -> None:
    done = run(host, "Ana", command, options=options)
    assert done.returncode in (2, 255)
    assert b"\x1b" not in done.stdout + done.stderr
    if done.returncode == 2:
        assert b"After the host's name comes nothing" in done.stdout + done.stderr


def test_an_invitation_that_is_none_is_said_to_be_none(host: SshHost) -> None:
    done = run(host, "Ana", "join", "farfadet://\x1b[2J", said=b"Ana\nquit\n")
    assert b"That is no invitation" in done.stdout + done.stderr
    assert b"\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("sftp", ["HOST"]),
        ("scp", ["/dev/null", "HOST:"]),
        ("scp", ["-O", "/dev/null", "HOST:"]),
        ("scp", ["HOST:/etc/passwd", "."]),
    ],
    ids=["sftp", "put", "old-put", "get"],
)
def test_there_are_no_files(tool: str, arguments: list[str], host: SshHost, tmp_path: Path) -> None:
    typed = host.command("Ana", options=())
    where = typed.pop()
    typed[0] = str(program(tool))
    typed[typed.index("-p")] = "-P"
    command = [*typed, *(part.replace("HOST", where) for part in arguments)]
    done = subprocess.run(
        command, input=b"", capture_output=True, cwd=tmp_path, timeout=60, check=False
    )
    assert done.returncode != 0
    assert not list(tmp_path.iterdir())


def test_who_has_no_key_is_told_once_how_to_make_one(host: SshHost, tmp_path: Path) -> None:
    typed = host.command("Ana", options=("-T",))
    typed[typed.index("-i") + 1] = str(tmp_path / "none")
    done = subprocess.run(typed, input=b"", capture_output=True, timeout=60, check=False)
    assert done.returncode == 255
    # Once in each language: nothing is known of theirs.
    assert done.stderr.decode().count("ssh-keygen -t ed25519") == 2
    assert told(host.service.log, "refused")[-1]["why"] == "key-missing"


def test_french_is_spoken_from_the_first_screen(host: SshHost, tmp_path: Path) -> None:
    program("tmux")
    with terminals(tmp_path) as server:
        lou = host.visit(server, "Lou", lang="fr_FR")
        lou.wait_for("▶ français")
        lou.press("Enter")
        lou.wait_for("Jouer tout de suite")


def test_a_second_visit_with_the_same_key_ends_the_first(host: SshHost, tmp_path: Path) -> None:
    program("tmux")
    with terminals(tmp_path) as server:
        first = host.visit(server, "Zoe")
        arrive(first, "Zoe")
        first.wait_for("Play now")
        process = host.pid("Zoe")
        second = host.visit(server, "Zoe", title="Zoe2")
        second.wait_for("Play now")
        first.wait_ended()
        wait_gone(process)
        assert alive(host.pid("Zoe"))
    assert "hung-up" in [line["why"] for line in told(host.service.log, "session")]


def test_keys_that_would_lead_out_of_the_app_do_not(host: SshHost, tmp_path: Path) -> None:
    program("tmux")
    with terminals(tmp_path) as server:
        mo = host.visit(server, "Mo")
        arrive(mo, "Mo")
        mo.wait_for("Play now")
        process = host.pid("Mo")
        mo.press("C-z", "C-c", "C-\\", "C-s", "C-q")
        mo.wait_ended()
        wait_gone(process)
    assert told(host.service.log, "session")[-1]["why"] == "left"


def test_when_the_server_is_killed_its_guests_go_and_find_their_seats_again(
    tmp_path: Path,
) -> None:
    program("tmux")
    with terminals(tmp_path) as server, our_server(tmp_path) as host:
        ana = host.visit(server, "Ana")
        arrive(ana, "Ana")
        ana.wait_for("Play now")
        ana.press("Enter")
        ana.wait_for("turn 1")
        ana.press("Right", "Enter")
        ana.wait_for("turn 2")
        process = host.pid("Ana")
        host.service.end(signal.SIGKILL)
        ana.wait_ended()
        wait_gone(process)
        with our_server(tmp_path, port=host.port) as again:
            ana = again.visit(server, "Ana", title="Ana2")
            ana.wait_for("Back to my table")
            ana.press("Enter")
            ana.wait_for("turn 2")
            # Told to stop, it lets its guests leave in good order.
            assert again.service.end(signal.SIGTERM) == 0
            ana.wait_ended()
            wait_gone(again.pid("Ana"))


@pytest.mark.nightly
async def test_a_client_that_is_stopped_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.ssh.server.STILL_THERE", 0.3)
    key = tmp_path / "key"
    key.write_bytes(asyncssh.generate_private_key("ssh-ed25519").export_private_key())
    key.chmod(0o600)
    async with inside(tmp_path, WAITS) as host:
        known = ("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null")
        where = ("-i", str(key), "-p", str(host.server.port), "127.0.0.1")
        client = await asyncio.create_subprocess_exec(
            *(program("ssh"), "-F", "/dev/null", "-tt", *known, *where),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert client.stdout is not None
        assert b"up" in await client.stdout.readline()
        client.send_signal(signal.SIGSTOP)
        await host.told("why=dropped")
        client.kill()
        await client.communicate()
