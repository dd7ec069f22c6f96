"""How a command opens the app."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from tui.places import Places, find, keep_log

if TYPE_CHECKING:
    from tui.app import FarfadetApp
    from tui.sitting import Doors, Replay, Start


LAN = "FARFADET_LAN"
"""Names the interfaces on which to look for tables, by address, with commas; or says "off"."""


def show(
    start: Start | Replay,
    *,
    name: str | None,
    no_lan: bool = False,
    plain: bool = False,
    kind: type[FarfadetApp] | None = None,
    **terms: Any,
) -> int:
    """Run the app, which may be of another ``kind``, until its player leaves it; the exit code.

    With ``plain``, and on a terminal that can do no more, all is lines of text.
    """
    if not plain and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError(
            "farfadet needs a terminal (over ssh: ssh -t host farfadet), or --plain."
        )
    from tui.loop import on_signals, run
    from tui.settings_file import load
    from tui.terms import OFF, Terms, dumb, own_name
    from tui.threshold import Threshold

    places = usual_places()
    terms["lan"] = OFF if no_lan else os.environ.get(LAN, "")
    if terms.get("broker") is not None:
        from net.link.address import Broker

        terms["broker"] = Broker.parse(terms["broker"])

    settings, troubles = load(places.settings)

    async def play() -> int:
        own = name or own_name(settings.name)
        async with Threshold(places, Terms(own, **terms)) as threshold:
            doors = cast("Doors", threshold)
            if plain or dumb(os.environ):
                from tui.plain.client import converse

                return await converse(doors, start, settings.words(os.environ), troubles)
            # What is loaded stays: there is no garbage in it to look for, now or later.
            gc.disable()
            from tui.app import FarfadetApp
            from tui.hints import Hints

            gc.freeze()
            gc.enable()
            for said in ("COLUMNS", "LINES"):
                # Who exports them has said them once; the window changes.
                os.environ.pop(said, None)

            app = (kind or FarfadetApp)(doors, start, settings=settings, keep=places.settings)
            if troubles:
                app.trouble = app.explain(troubles[0])
            app.hints = Hints(places.hints)
            # The seat can be gone back to.
            on_signals(("SIGTERM", "SIGHUP"), app.exit)
            await app.run_async(mouse=settings.mouse)
            return app.return_code or 0

    return run(play())


def leave_with(code: int) -> NoReturn:
    """End the command with this exit ``code``."""
    raise click.exceptions.Exit(code)


def usual_places() -> Places:
    """The folders of whoever runs this, from now on with a log there."""
    places = find()
    keep_log(places)
    return places
