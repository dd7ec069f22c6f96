"""What a Mosquitto needs to be a broker for us: its configuration, its ACL and how to run it.

With the ACL it carries our topics and nothing else. It cannot keep its users apart: the last level
of a topic is a key made for one table, which no user name says. That is not needed either, since
whoever speaks is known by a signature, never by a topic or a login.

Sources: mosquitto.conf(5); measured with Mosquitto 2.0.11.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from net.link.topics import KINDS, LIMIT, LOBBIES, ROOT

CONF, ACL, PASSWORDS, README = "mosquitto.conf", "acl", "passwords", "README"
"""The names of the files."""

MOST_CONNECTIONS = 1000
"""Clients at a time: some 160 tables of six, and below the 1024 files of an ordinary process."""

MOST_MEMORY = 256 * 1024 * 1024
"""Bytes it may allocate, retained messages included."""

MOST_WAITING = 4096
"""Messages waiting for one slow client before the next are dropped."""

MOST_BYTES = 8 * 1024 * 1024
"""Bytes waiting for one slow client before the next messages are dropped."""

PACKET = LIMIT + 1024
"""Most bytes of one MQTT packet: a payload with its topic and header."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where it listens, and whom it lets in.

    ``bind`` is an address, or ``None`` for all of the machine's; ``tls`` is the files of the
    certificate chain and of its key, in PEM, or ``None`` for no TLS; ``passwords`` is whether
    clients must log in.
    """

    port: int
    bind: str | None
    tls: tuple[Path, Path] | None
    passwords: bool


def write(folder: Path, door: Door) -> list[Path]:
    """Write all files into ``folder``, readable to their owner only; the paths of what was written.

    Raises ``FileExistsError``, with the path as its ``filename``, if one is there already: then
    none is written; ``ValueError`` for a path or an address that a configuration cannot contain;
    and ``OSError``.
    """
    folder = folder.absolute()
    texts = {CONF: _conf(folder, door), ACL: _acl(), README: _readme(folder, door)}
    if door.passwords:
        texts[PASSWORDS] = ""
    paths = {folder / name: text for name, text in texts.items()}
    for path in paths:
        if path.exists():
            raise FileExistsError(0, "exists already", str(path))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path, text in paths.items():
        found = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(found, "w", encoding="utf-8") as file:
            file.write(text)
    return list(paths)


def _conf(folder: Path, door: Door) -> str:
    where = str(door.port) if door.bind is None else f"{door.port} {door.bind}"
    lines = [
        "# A Mosquitto for farfadet. After a change: restart it.",
        "per_listener_settings false",
        "",
        "# Who may come, and what about.",
        f"allow_anonymous {'false' if door.passwords else 'true'}",
        *([f"password_file {folder / PASSWORDS}"] if door.passwords else []),
        f"acl_file {folder / ACL}",
        "",
        "# What is retained survives a restart. No table needs it: the file may be deleted.",
        "persistence true",
        f"persistence_location {folder}{os.sep}",
        "autosave_interval 60",
        "# Our clients keep no sessions.",
        "persistent_client_expiration 1h",
        "",
        "# A payload; a packet (who sends a larger one is hung up on before it is read).",
        f"message_size_limit {LIMIT}",
        f"max_packet_size {PACKET}",
        f"memory_limit {MOST_MEMORY}",
        "max_inflight_messages 100",
        f"max_queued_messages {MOST_WAITING}",
        f"max_queued_bytes {MOST_BYTES}",
        "max_keepalive 120",
        "# Without it, an answer may wait 40 ms in the system.",
        "set_tcp_nodelay true",
        "",
        "log_dest stderr",
        "log_type error",
        "log_type warning",
        "log_type notice",
        "log_timestamp_format %Y-%m-%dT%H:%M:%S",
        "",
        f"listener {where}",
        f"max_connections {MOST_CONNECTIONS}",
    ]
    if door.tls is not None:
        certificate, key = door.tls
        lines += [f"certfile {certificate.absolute()}", f"keyfile {key.absolute()}"]
    if wrong := [line for line in lines if not line.isprintable()]:
        raise ValueError(f"cannot be written into a configuration: {wrong[0]!r}")
    return "\n".join(lines) + "\n"


def _acl() -> str:
    lines = [
        "# Everybody reads all of farfadet's topics and writes where a player may; what is not",
        "# allowed here is denied. Patterns, because a plain topic line is for anonymous clients",
        "# only; that they contain no user name is intended, whatever the log says about it.",
        f"pattern read {ROOT}/#",
        f"pattern write {LOBBIES}",
        *(f"pattern write {ROOT}/t/+/{kind}/+" for kind in KINDS),
    ]
    return "\n".join(lines) + "\n"


def _readme(folder: Path, door: Door) -> str:
    lines = []
    if door.passwords:
        user = f"mosquitto_passwd {shlex.quote(str(folder / PASSWORDS))} NAME"
        lines.append(f"Add a user, before you start it:  {user}")
    lines.append(
        f"Run it, as the owner of these files:  mosquitto -c {shlex.quote(str(folder / CONF))}"
    )
    return "\n".join(lines) + "\n"
