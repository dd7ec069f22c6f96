"""What ``farfadet broker --config mosquitto`` writes, tried with a real Mosquitto and a villain."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import aiomqtt
import pytest
from click.testing import CliRunner, Result

from broker.mosquitto import ACL, CONF, PACKET, PASSWORDS, README
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.link.topics import KINDS, LIMIT, LOBBIES, heard, lobby, spoken
from net.link.transport import TransportError, Will
from tests.broker.clients import OUTSIDE, Ear, Plain, ear, thrown_out, user
from tests.services import PATIENCE, Mosquitto, program
from tui.cli import cli

pytestmark = pytest.mark.broker

HERE = spoken("room", "here", "alice")
LOG = spoken("room", "log", "alice")


class Written(Mosquitto):
    """A Mosquitto that runs the configuration in ``folder``, as it was written there for ``port``.

    ``people`` (names and passwords) are made its users with Mosquitto's own tool.
    """

    def __init__(self, folder: Path, *options: str, people: dict[str, str] | None = None) -> None:
        super().__init__(folder)
        self.folder = folder
        done = configure(folder, "--bind", "127.0.0.1", "--port", str(self.port), *options)
        assert (done.exit_code, done.stdout.split("\n")[0]) == (0, str(folder / CONF)), done.output
        for name, password in (people or {}).items():
            command = (program("mosquitto_passwd"), "-b", folder / PASSWORDS, name, password)
            subprocess.run([str(part) for part in command], check=True, capture_output=True)
        if os.geteuid() == 0:
            # It would become a user who may not read the test's files.
            with (folder / CONF).open("a") as conf:
                conf.write("user root\n")

    def url_of(self, name: str, password: str) -> str:
        """How ``name`` reaches it."""
        return self.url.replace("//", f"//{name}:{password}@")

    async def start(self) -> None:
        self._launch(self.folder / CONF)
        async with asyncio.timeout(PATIENCE):
            while not await self._accepts():
                assert self._process is not None
                assert self._process.poll() is None, (self.folder / "log").read_text()
                await asyncio.sleep(0.02)


def configure(folder: Path, *options: str) -> Result:
    """Run the command that writes a configuration into ``folder``."""
    arguments = ["broker", "--config", "mosquitto", str(folder), *options]
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


Start: TypeAlias = Callable[..., Awaitable[Written]]


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """What starts one Mosquitto with given options and people, in a folder with a blank."""
    started: list[Written] = []

    async def run(*options: str, people: dict[str, str] | None = None) -> Written:
        written = Written(tmp_path / "my broker", *options, people=people)
        started.append(written)
        await written.start()
        return written

    yield run
    for written in started:
        await written.stop()


@pytest.fixture
async def guarded(start: Start) -> Written:
    """One with passwords, with users lou and mallory."""
    return await start("--plain", people={"lou": "secret", "mallory": "hidden"})


class Player:
    """Our transport, and a queue of what it hears."""

    def __init__(self, url: str, *patterns: str, will: Will | None = None) -> None:
        self.transport = MqttTransport(Broker.parse(url), will)
        self._heard: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        for pattern in patterns:
            self.transport.subscribe(pattern)
        self.transport.listen(lambda *message: self._heard.put_nowait(message), lambda up: None)

    async def hears(self) -> tuple[str, bytes]:
        """The next message."""
        async with asyncio.timeout(PATIENCE):
            return await self._heard.get()


async def failure(url: str) -> str:
    """The code of the error with which our transport fails to open."""
    with pytest.raises(TransportError) as caught:
        async with MqttTransport(Broker.parse(url)):
            pass
    return caught.value.code


async def plays(url: str) -> None:
    """Play through every kind of topic that we have: say, hear, retain, find, take back."""
    alice, bob = Player(url), Player(url, heard("room"), LOBBIES)
    async with alice.transport, bob.transport:
        for kind in KINDS:
            topic = spoken("room", kind, "alice")
            alice.transport.publish(topic, kind.encode())
            assert await bob.hears() == (topic, kind.encode())
        alice.transport.publish(LOG, bytes(LIMIT))
        assert await bob.hears() == (LOG, bytes(LIMIT))
        alice.transport.publish(lobby("room"), b"open", retain=True)
        assert await bob.hears() == (lobby("room"), b"open")
        late = Player(url, LOBBIES)
        async with late.transport:
            assert await late.hears() == (lobby("room"), b"open")
            alice.transport.publish(lobby("room"), b"", retain=True)
            assert await late.hears() == (lobby("room"), b"")


async def test_users_play_and_nobody_else_gets_in(guarded: Written) -> None:
    await plays(guarded.url_of("lou", "secret"))
    assert await failure(guarded.url) == "auth"
    assert await failure(guarded.url_of("lou", "guess")) == "auth"
    assert await failure(guarded.url_of("nobody", "secret")) == "auth"
    assert (guarded.folder / PASSWORDS).stat().st_mode & 0o777 == 0o600


async def test_without_users_it_starts_and_lets_nobody_in(start: Start) -> None:
    empty = await start("--plain")
    assert await failure(empty.url) == "auth"
    assert await failure(empty.url_of("lou", "secret")) == "auth"


async def test_an_open_one_takes_anybody(start: Start) -> None:
    opened = await start("--plain", "--open")
    await plays(opened.url)
    assert not (opened.folder / PASSWORDS).exists()


async def test_a_will_is_kept_for_late_comers(start: Start) -> None:
    opened = await start("--plain", "--open")
    async with ear(opened.url, heard("room")) as witness:
        peer = await Plain.connect(opened.url, will=(HERE, b"gone"))
        await peer.close()
        assert await witness.until(HERE) == [(HERE, b"gone", False)]
    bob = Player(opened.url, heard("room"))
    async with bob.transport:
        assert await bob.hears() == (HERE, b"gone")


async def test_what_is_retained_outlives_a_restart(guarded: Written) -> None:
    url = guarded.url_of("lou", "secret")
    async with user(url) as host:
        await host.client.publish(lobby("room"), b"open", qos=1, retain=True)
    await guarded.stop()
    await guarded.start()
    bob = Player(url, LOBBIES)
    async with bob.transport:
        assert await bob.hears() == (lobby("room"), b"open")


@asynccontextmanager
async def all_hearing(guarded: Written) -> AsyncIterator[Ear]:
    """A user whom the ACL lets read everything, so that nothing is missed."""
    with (guarded.folder / ACL).open("a") as acl:
        acl.write("user lou\ntopic read #\ntopic read $SYS/#\ntopic read $CONTROL/#\n")
    await guarded.stop()
    await guarded.start()
    async with user(guarded.url_of("lou", "secret"), "#", "$SYS/#", "$CONTROL/#") as witness:
        yield witness


@pytest.mark.parametrize("retain", [False, True])
async def test_a_villain_publishes_nothing_outside_our_topics(
    guarded: Written, retain: bool
) -> None:
    mallory = guarded.url_of("mallory", "hidden")
    async with all_hearing(guarded) as witness:
        async with user(mallory) as villain:
            for topic in OUTSIDE:
                await villain.client.publish(topic, b"forged", qos=1, retain=retain)
            await villain.client.publish(LOG, b"forged", qos=1)
        messages = await witness.until(LOG)
    assert [topic for topic, payload, _ in messages if payload == b"forged"] == [LOG]
    # That it hears what the broker itself says shows that it would have heard the rest.
    assert any(topic.startswith("$SYS/") for topic, _, _ in messages)


async def test_a_villain_leaves_no_will_outside_our_topics(guarded: Written) -> None:
    mallory = guarded.url_of("mallory", "hidden")
    async with all_hearing(guarded) as witness:
        # Whoever sends too much is hung up on, and then the will is published, if it may.
        for topic in (*OUTSIDE, HERE):
            async with user(mallory, will=aiomqtt.Will(topic, b"forged", 1, True)) as villain:
                await thrown_out(villain, 70_000)
        messages = await witness.until(HERE)
    assert [topic for topic, payload, _ in messages if payload == b"forged"] == [HERE]


async def test_a_villain_hears_our_topics_and_nothing_else(guarded: Written) -> None:
    # Mosquitto grants these, and then delivers nothing.
    patterns = ("$SYS/#", "$SYS/broker/+", "$CONTROL/#", "#", "+/#", "$share/us/$SYS/#")
    async with (
        all_hearing(guarded) as lou,
        user(guarded.url_of("mallory", "hidden"), *patterns) as villain,
    ):
        # Enough for what the broker retains of itself to have come.
        await lou.until("$SYS/broker/version")
        await lou.client.publish(LOG, b"for everybody", qos=1)
        assert {topic for topic, _, _ in await villain.until(LOG)} == {LOG}


@pytest.mark.parametrize("retain", [False, True])
async def test_a_villain_sends_nothing_too_large(guarded: Written, retain: bool) -> None:
    lou, mallory = guarded.url_of("lou", "secret"), guarded.url_of("mallory", "hidden")
    async with user(lou, heard("room")) as witness:
        async with user(mallory) as villain:
            await villain.client.publish(LOG, bytes(LIMIT + 1), qos=1, retain=retain)
        for size in (PACKET, 70_000, 10_000_000):
            async with user(mallory) as villain:
                await thrown_out(villain, size, retain)
        assert await witness.fenced() == []
        await witness.client.publish(LOG, b"still here")
        assert await witness.until(LOG) == [(LOG, b"still here", False)]
    async with user(lou, heard("room")) as late:
        assert await late.fenced() == []


async def test_over_tls_whoever_trusts_the_certificate_plays(
    start: Start, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = ("--cert", str(certificate), "--key", str(certificate.with_name("key.pem")))
    secured = await start(*files, people={"lou": "secret"})
    plain = secured.url_of("lou", "secret")
    url = plain.replace("mqtt", "mqtts")
    assert await failure(url) == "tls"
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    await plays(url)
    assert await failure(url.replace("secret", "guess")) == "auth"
    assert await failure(plain) == "closed"


def test_the_files_are_for_their_owner_only_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "broker"
    done = configure(folder, "--plain")
    assert done.exit_code == 0
    paths = [folder / name for name in (CONF, ACL, README, PASSWORDS)]
    assert done.stdout.splitlines() == [str(path) for path in paths]
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o600}
    assert set(folder.iterdir()) == set(paths)
    assert done.stderr == (folder / README).read_text()
    assert f"mosquitto_passwd {folder / PASSWORDS} NAME" in done.stderr
    assert f"mosquitto -c {folder / CONF}" in done.stderr


@pytest.mark.parametrize(
    ("options", "listener"),
    [
        (("--plain",), "listener 1883 127.0.0.1"),
        (("--plain", "--bind", "192.168.1.20"), "listener 1883 192.168.1.20"),
        (("--cert", "c.pem", "--key", "k.pem"), "listener 8883"),
        (("--cert", "c.pem", "--key", "k.pem", "--port", "9000"), "listener 9000"),
    ],
)
def test_it_listens_where_one_expects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], listener: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("c.pem", "k.pem"):
        (tmp_path / name).touch()
    assert configure(tmp_path / "broker", *options).exit_code == 0
    lines = (tmp_path / "broker" / CONF).read_text().splitlines()
    assert listener in lines
    assert (f"certfile {tmp_path / 'c.pem'}" in lines) == ("--cert" in options)


@pytest.mark.parametrize("name", [CONF, ACL, README, PASSWORDS])
def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    done = configure(tmp_path, "--plain")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"Error: {tmp_path / name} is there already: nothing was written.\n"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        ((), 2, "with --cert and --key, or with --plain."),
        (("--cert", __file__), 2, "with --cert and --key, or with --plain."),
        (("--plain", "--cert", __file__, "--key", __file__), 2, "or with --plain."),
        (("--plain", "--key", __file__), 2, "or with --plain."),
        (("--cert", "nowhere", "--key", "nowhere"), 2, "'nowhere' does not exist"),
        (("--plain", "--bind", "::1\nallow_anonymous true"), 1, "cannot be written"),
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, options: tuple[str, ...], code: int, sentence: str
) -> None:
    done = configure(tmp_path / "broker", *options)
    assert (done.exit_code, done.stdout) == (code, "")
    assert sentence in done.stderr
    assert not (tmp_path / "broker").exists()


def test_the_options_of_a_configuration_want_one() -> None:
    done = CliRunner().invoke(cli, ["broker", "--open"])
    assert done.exit_code == 2
    assert "go with --config" in done.stderr
