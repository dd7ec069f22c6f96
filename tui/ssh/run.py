"""Runs the ssh server until it is told to stop, with the broker that its guests meet at."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import click

from net.link.address import Broker
from net.referee.logline import logline
from tui.loop import on_signals, run
from tui.own_broker import OwnBroker, lan_address
from tui.places import Places
from tui.ssh.keys import FRIENDS
from tui.ssh.limits import HOSTS, MEBIBYTE, Limits
from tui.ssh.server import SshServer
from tui.ssh.session import House

FOLDER = "ssh"


def run_ssh(
    places: Places,
    *,
    bind: str,
    port: int,
    broker: str | None,
    address: str | None,
    friends: Path | None,
    limits: Limits,
) -> None:
    """Let guests in at ``port``; they meet at ``broker``, or at an embedded one if ``None``.

    ``address`` is what their invitations say. ``friends`` has the only keys that may come in; if
    ``None``, the file ``authorized_keys`` beside the host's key, if there is one. The session log
    goes to stderr, a line an event.
    """
    folder = places.config / FOLDER
    if friends is None and (folder / FRIENDS).exists():
        friends = folder / FRIENDS

    async def serve() -> None:
        told = asyncio.Event()
        on_signals(("SIGTERM", "SIGINT"), told.set)
        async with AsyncExitStack() as stack:
            reached, said = await _broker(stack, places, broker, address)
            house = House(
                _command(limits, said),
                places.data,
                _environment(reached),
                limits,
                lambda line: click.echo(line, err=True),
                asyncio.Semaphore(limits.starting),
            )
            server = SshServer(folder, house, address=bind, port=port, friends=friends)
            await stack.enter_async_context(server)
            who = "all" if friends is None else str(friends)
            # As text a broker has no password in it.
            at = str(Broker.parse(reached))
            opened = logline("open", bind=bind, port=server.port, guests=who, broker=at)
            click.echo(opened, err=True)
            await told.wait()
            click.echo(logline("closing", inside=server.guests), err=True)

    run(serve())


async def _broker(
    stack: AsyncExitStack, places: Places, url: str | None, address: str | None
) -> tuple[str, str | None]:
    """How guests' processes reach the broker, and what invitations say about it."""
    if url is not None:
        Broker.parse(url)
        return url, address
    own = OwnBroker(places.broker, None)
    stack.push_async_callback(own.close)
    reached = await own.reach()
    return f"mqtt://{reached.host}:{reached.port}", address or lan_address()


def _command(limits: Limits, address: str | None) -> tuple[str, ...]:
    memory = str(limits.memory // MEBIBYTE)
    said = () if address is None else ("--address", address)
    return (sys.executable, "-m", "tui.cli", "guest", "--memory", memory, *said)


def _environment(broker: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in HOSTS if name in os.environ}
    # Not as an argument: it may have a password in it.
    return {**kept, "FARFADET_BROKER": broker}
