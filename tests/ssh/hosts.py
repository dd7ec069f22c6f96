"""Hosts that let guests in over ssh: our own server, and OpenSSH's; and guests with keys."""

from __future__ import annotations

import getpass
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.terminals import FARFADET, Terminal, Terminals
from tests.services import PATIENCE, free_port, program

HERE = "127.0.0.1"


class Service:
    """A process of a host; what it says goes to a file."""

    def __init__(self, log: Path, command: list[str], environment: dict[str, str]) -> None:
        self.log = log
        self._before = log.stat().st_size if log.exists() else 0
        with log.open("ab") as said:
            self.process = subprocess.Popen(
                command,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )

    def wait_for(self, text: str) -> str:
        """Wait until it has said ``text``; all it has said."""
        deadline = time.monotonic() + PATIENCE
        while text not in (said := self.log.read_bytes()[self._before :].decode()):
            assert self.process.poll() is None, said
            assert time.monotonic() < deadline, said
            time.sleep(0.05)
        return said

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it with a signal; the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@dataclass
class SshHost:
    """One way to host guests: where they knock, and where their folders are."""

    folder: Path
    port: int
    guests: Path
    service: Service
    user: str
    """What to call oneself to ssh; empty: whatever one likes."""

    def key(self, name: str) -> Path:
        """The key of the guest called ``name``, made when first asked for."""
        path = self.folder / "keys" / name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            keygen = [str(program("ssh-keygen")), "-q", "-t", "ed25519", "-N", "", "-C", name]
            subprocess.run([*keygen, "-f", str(path)], check=True)
            known = self.folder / "authorized_keys"
            with known.open("a") as friends:
                friends.write(path.with_name(f"{name}.pub").read_text())
            known.chmod(0o600)
        return path

    def home(self, name: str) -> Path:
        """The folder of the guest called ``name``."""
        keygen = [str(program("ssh-keygen")), "-l", "-f", str(self.key(name))]
        told = subprocess.run(keygen, check=True, capture_output=True, text=True).stdout
        digest = told.split()[1].removeprefix("SHA256:")
        return self.guests / digest.replace("/", "_").replace("+", "-")

    def pid(self, name: str) -> int:
        """The process of the guest called ``name``."""
        path = self.home(name) / "state" / "guest.pid"
        deadline = time.monotonic() + PATIENCE
        while not path.exists() or not path.read_text():
            assert time.monotonic() < deadline, f"{name} has no process"
            time.sleep(0.05)
        return int(path.read_text())

    def command(self, name: str, *words: str, options: tuple[str, ...] = ("-tt",)) -> list[str]:
        """What ``name`` types."""
        known = self.folder / "known_hosts"
        return [
            str(program("ssh")),
            *("-F", "/dev/null", "-i", str(self.key(name)), "-p", str(self.port)),
            *("-o", "IdentitiesOnly=yes", "-o", "SendEnv=LANG LC_ALL COLORTERM"),
            *("-o", f"UserKnownHostsFile={known}", "-o", "StrictHostKeyChecking=accept-new"),
            *options,
            f"{self.user or name}@{HERE}",
            *words,
        ]

    def visit(
        self, terminals: Terminals, name: str, *words: str, title: str = "", lang: str = "en_GB"
    ) -> Terminal:
        """A terminal in which ``name`` comes in."""
        environment = {"TERM": "screen-256color", "LANG": f"{lang}.UTF-8", "LC_ALL": ""}
        return terminals.open(title or name, self.command(name, *words), environment)


@contextmanager
def our_server(folder: Path, *options: str, port: int = 0) -> Iterator[SshHost]:
    """``farfadet ssh``, with the broker that it brings along."""
    program("ssh")
    home, port = folder / "host", port or free_port()
    command = [str(FARFADET), "ssh", "--bind", HERE, "--port", str(port), "--address", HERE]
    command += ["--logins", "1000"]
    environment = {"FARFADET_HOME": str(home), "FARFADET_LAN": "off"}
    service = Service(folder / "ssh.log", [*command, *options], environment)
    try:
        service.wait_for("event=open")
        yield SshHost(folder, port, home / "data" / "guests", service, "")
    finally:
        service.end()


@contextmanager
def openssh(folder: Path) -> Iterator[SshHost]:
    """OpenSSH's sshd with a ForceCommand, and the embedded broker in a process of its own."""
    program("ssh")
    sshd, port = program("sshd"), free_port()
    url = f"mqtt://{HERE}:{free_port()}"
    home = {"FARFADET_HOME": str(folder / "broker"), "FARFADET_LAN": "off"}
    at = url.rsplit(":", 1)[1]
    broker = Service(
        folder / "broker.log", [str(FARFADET), "broker", "--bind", HERE, "--port", at], home
    )
    user, key = getpass.getuser(), folder / "host_key"
    keygen = [str(program("ssh-keygen")), "-q", "-t", "ed25519", "-N", "", "-f", str(key)]
    subprocess.run(keygen, check=True)
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    config = folder / "sshd_config"
    config.write_text(
        f"""
Port {port}
ListenAddress {HERE}
HostKey {key}
PidFile none
AuthorizedKeysFile {folder / "authorized_keys"}
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
Match User {user}
{snippet()}
""".replace("FARFADET_COMMAND", f"XDG_DATA_HOME={folder} {FARFADET} guest --broker {url}")
    )
    service = Service(folder / "sshd.log", [str(sshd), "-D", "-e", "-f", str(config)], {})
    try:
        broker.wait_for(url)
        service.wait_for("Server listening")
        yield SshHost(folder, port, folder / "farfadet" / "guests", service, user)
    finally:
        service.end()
        broker.end(signal.SIGINT)


def snippet() -> str:
    """What docs/ssh.md puts behind ``Match`` in sshd's configuration."""
    page = Path(__file__).parents[2] / "docs" / "ssh.md"
    block = page.read_text().partition("Match User farfadet\n")[2].partition("```")[0]
    lines = [line.strip() for line in block.splitlines()]
    kept = [line for line in lines if line and not line.startswith("ForceCommand")]
    assert len(kept) + 1 == len([line for line in lines if line]), "the page has no ForceCommand"
    return "\n".join([*kept, "ForceCommand FARFADET_COMMAND"])


def arrive(terminal: Terminal, name: str) -> None:
    """The first visit: say one's name, where it is not known from how one came in."""
    shown = terminal.wait_for("What shall the others call you?")
    if f"  {name} " not in shown:
        terminal.type(name)
        terminal.wait_for(f"  {name} ")
    terminal.press("Enter")


def alive(process: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_gone(process: int) -> None:
    """Wait until that process has ended."""
    deadline = time.monotonic() + PATIENCE
    while alive(process):
        assert time.monotonic() < deadline, f"process {process} goes on"
        time.sleep(0.05)


def told(log: Path, event: str) -> list[dict[str, str]]:
    """The lines of a session log about ``event``, as what they say."""
    found = []
    for line in log.read_text().splitlines():
        fields = dict(part.split("=", 1) for part in _parts(line))
        if fields.get("event") == event:
            found.append(fields)
    return found


def _parts(line: str) -> Iterator[str]:
    """``key=value`` by ``key=value``; values may be in quotes."""
    while line:
        key, _, rest = line.partition("=")
        if rest.startswith('"'):
            value, end = json.JSONDecoder().raw_decode(rest)
            line = rest[end:].lstrip()
        else:
            value, _, line = rest.partition(" ")
        yield f"{key.strip()}={value}"
