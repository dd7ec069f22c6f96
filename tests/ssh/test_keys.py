"""Who may come in by which key, and whose folder a key is."""

from __future__ import annotations

import asyncio
import base64
import os
from pathlib import Path

import asyncssh
import pytest

from tests.ssh.inside import WAITS, inside
from tui.ssh.fingerprints import home_of, proven
from tui.ssh.keys import HOST_KEY, KeyList, KeysError, host_key


def line(key: asyncssh.SSHKey, options: str = "") -> str:
    """A line of ``authorized_keys`` for ``key``."""
    return f"{options} {key.export_public_key().decode()}".strip() + "\n"


def new() -> asyncssh.SSHKey:
    """A key."""
    return asyncssh.generate_private_key("ssh-ed25519")


def test_the_host_keeps_its_key(tmp_path: Path) -> None:
    path = host_key(tmp_path / "ssh")
    before = path.read_bytes()
    assert host_key(tmp_path / "ssh").read_bytes() == before
    assert path.stat().st_mode & 0o777 == 0o600
    assert asyncssh.read_private_key(path).get_algorithm() == "ssh-ed25519"


def test_a_broken_host_key_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / HOST_KEY).write_text("no key")
    with pytest.raises(KeysError) as caught:
        host_key(tmp_path)
    assert caught.value.code == "bad-host-key"
    assert (tmp_path / HOST_KEY).read_text() == "no key"


def test_without_a_list_anybody_may_come_in() -> None:
    assert KeyList(None).welcome(new(), "192.0.2.1")


@pytest.mark.parametrize(
    ("options", "good"),
    [
        ("", True),
        ('command="sh",no-pty,restrict', True),
        ('from="192.0.2.*"', True),
        ('from="198.51.100.1"', False),
        ('expiry-time="20000101"', False),
        ('expiry-time="200001010000Z"', False),
        ('expiry-time="29990101"', True),
        ('expiry-time="299901010000Z"', True),
        ('expiry-time="soon"', False),
        ("verify-required", False),
        ('future-option="x"', False),
        ("cert-authority", False),
    ],
)
def test_a_line_says_when_its_key_is_good(options: str, good: bool, tmp_path: Path) -> None:
    mine, other = new(), new()
    path = tmp_path / "authorized_keys"
    path.write_text("# friends\n\n" + line(other) + line(mine, options))
    keys = KeyList(path)
    assert keys.welcome(mine.convert_to_public(), "192.0.2.1") is good
    assert keys.welcome(other.convert_to_public(), "192.0.2.1")
    assert not keys.welcome(new(), "192.0.2.1")


def test_a_list_without_a_key_lets_nobody_in(tmp_path: Path) -> None:
    path = tmp_path / "authorized_keys"
    path.write_text("nobody\n")
    with pytest.raises(KeysError) as caught:
        KeyList(path).welcome(new(), "192.0.2.1")
    assert caught.value.code == "bad-friend-keys"


async def test_a_friend_is_added_while_the_host_is_open(tmp_path: Path) -> None:
    ana, bo = new(), new()
    path = tmp_path / "authorized_keys"
    path.write_text(line(ana))
    async with inside(tmp_path, "print('in')", friends=path) as host:
        async with host.connect(ana) as guest:
            assert (await guest.run()).stdout == "in\n"
        with pytest.raises(asyncssh.PermissionDenied):
            await host.connect(bo)
        path.write_text(line(ana) + line(bo))
        os.utime(path, ns=(1, 1))
        async with host.connect(bo) as guest:
            assert (await guest.run()).stdout == "in\n"
        path.unlink()
        with pytest.raises(asyncssh.PermissionDenied):
            await host.connect(ana)
    assert sum("why=bad-friend-keys" in line for line in host.lines) == 1


async def test_a_key_must_be_had_to_be_used(tmp_path: Path) -> None:
    ana, bo = new(), new()
    # Shows one key and signs with another.
    pair = asyncssh.load_keypairs([bo])[0]
    shown = asyncssh.load_keypairs([ana])[0]
    pair.public_data = shown.public_data
    async with inside(tmp_path, "print('in')") as host:
        with pytest.raises(asyncssh.PermissionDenied):
            await host.connect(client_keys=[pair])
    assert not [line for line in host.lines if "event=session" in line]


async def test_two_keys_are_two_guests_and_one_key_is_one(tmp_path: Path) -> None:
    script = "import os; print(os.environ['FARFADET_HOME'])"
    ana, bo = new(), new()
    async with inside(tmp_path, script) as host:
        homes = []
        for key, name in ((ana, "ana"), (bo, "ana"), (ana, "root")):
            async with host.connect(key, username=name) as guest:
                homes.append(str((await guest.run()).stdout).strip())
    assert homes[0] == homes[2] != homes[1]
    assert homes[0] == str(home_of(ana.get_fingerprint(), tmp_path / "data"))


async def test_the_key_one_comes_in_with_counts_not_those_one_has_tried(tmp_path: Path) -> None:
    script = "import os; print(os.environ['FARFADET_HOME'])"
    ana, bo = new(), new()
    path = tmp_path / "authorized_keys"
    path.write_text(line(bo))
    async with (
        inside(tmp_path, script, friends=path) as host,
        host.connect(client_keys=[ana, bo]) as guest,
    ):
        home = str((await guest.run()).stdout).strip()
    assert home == str(home_of(bo.get_fingerprint(), tmp_path / "data"))


@pytest.mark.parametrize("bad", ["", "SHA256:", "SHA256:../../etc", "MD5:aa:bb", "SHA256:AAAA"])
def test_a_folder_is_named_by_a_fingerprint_only(bad: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # base64 says it in words of its own
        home_of(bad, tmp_path)


def test_sshd_tells_whose_key_it_was() -> None:
    key = new()
    data = base64.b64encode(key.public_data).decode()
    told = f"publickey ssh-ed25519 {data}\n"
    assert proven(told) == key.get_fingerprint()
    assert proven(f"password\n{told}") == key.get_fingerprint()
    assert proven("password\n") is None
    assert proven("") is None


async def test_waiting_guests_are_counted(tmp_path: Path) -> None:
    async with inside(tmp_path, WAITS, guests=2, per_address=2) as host:
        first = [await host.connect() for _ in range(2)]
        for guest in first:
            await guest.create_process(term_type="xterm")
        async with host.connect() as third:
            done = await third.run(term_type="xterm")
            assert "Every place on this host is taken" in done.stdout
        first[0].abort()
        await host.told("why=dropped")
        async with asyncio.timeout(10), host.connect() as third:
            process = await third.create_process(term_type="xterm")
            assert "up" in await process.stdout.readline()
            third.abort()
        first[1].abort()
