"""How a command opens the app."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from tui.places import Places, find, keep_log

if TYPE_CHECKING:
    from tui.sitting import Start


LAN = "FARFADET_LAN"
"""Names the interfaces on which to look for tables, by address, with commas; or says "off"."""


def show(start: Start, *, name: str | None, no_lan: bool = False, **terms: Any) -> None:
    """Run the app until its player leaves it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("farfadet needs a terminal (over ssh: ssh -t host farfadet).")
    from net.link.address import Broker
    from tui.app import FarfadetApp
    from tui.doors import NetworkDoors
    from tui.loop import run
    from tui.terms import OFF, Terms, own_name

    places = usual_places()
    terms["lan"] = OFF if no_lan else os.environ.get(LAN, "")
    if terms.get("broker") is not None:
        terms["broker"] = Broker.parse(terms["broker"])

    async def play() -> None:
        async with NetworkDoors(places, Terms(name or own_name(), **terms)) as doors:
            app = FarfadetApp(doors, start)
            _leave_when_told(app.exit)
            await app.run_async()

    run(play())


def _leave_when_told(leave: Callable[[], None]) -> None:
    """Call ``leave`` when the system ends us or the terminal goes: the seat can be gone back to."""
    import asyncio

    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP"):
        # Windows has no such signals.
        with suppress(AttributeError, NotImplementedError):
            loop.add_signal_handler(getattr(signal, name), leave)


def usual_places() -> Places:
    """The folders of whoever runs this, from now on with a log there."""
    places = find()
    keep_log(places)
    return places
