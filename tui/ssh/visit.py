"""What one guest's process does, from the first line to the last."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import click

from tui.places import Places, find
from tui.ssh.guest import (
    COMMAND,
    LOGIN,
    BadOrder,
    confine,
    home,
    only_here,
    order,
    own_terminal,
    undress,
)

if TYPE_CHECKING:
    from tui.app import FarfadetApp

USAGE: Final = 2
"""Exit code for whoever has asked for something that there is not."""


def visit(broker: str, address: str | None, memory: int) -> int:
    """Seat a guest at ``broker`` until they leave; the exit code.

    ``address`` is what their invitations say, ``memory`` how much the process may take.
    """
    asked = os.environ.get(COMMAND, "")
    undress(os.environ, home(os.environ, find().data))
    confine(memory)
    terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout))
    if terminal:
        own_terminal()
    try:
        start, places = order(asked), find()
    except BadOrder as error:
        from tui.commands.options import spoken
        from tui.troubles import told

        click.echo(told(spoken(), error, error.code), err=True)
        return USAGE
    from tui.terms import dumb

    held = only_here(places.state)
    try:
        plain = not terminal or dumb(os.environ)
        _first(places, plain)
        from tui.commands.show import show

        kind: type[FarfadetApp] | None = None
        if not plain:
            from tui.ssh.app import GuestApp

            kind = GuestApp
        return show(
            start,
            name=None,
            plain=plain,
            kind=kind,
            broker=broker,
            address=address,
            listed=True,
        )
    finally:
        os.close(held)


def _first(places: Places, plain: bool) -> None:
    """What is to be settled on a first visit: no mouse unless wanted, and a name."""
    from tui.settings import BadSetting
    from tui.settings_file import load, save

    settings, troubles = load(places.settings)
    if troubles:
        return
    with suppress(BadSetting):
        if not places.settings.exists():
            # Each move of a mouse would go over the line.
            save(places.settings, "mouse", False)
        if plain and not settings.name:
            save(places.settings, "name", _asked_name())


def _asked_name() -> str:
    """Ask for a name on a line of its own; the app asks on a screen."""
    from tui.commands.options import spoken
    from tui.text import safe
    from tui.words import N_

    login = safe(os.environ.get(LOGIN, ""), 16)
    question = spoken().say(N_("What shall the others call you?"))
    click.echo(f"{question} [{login}]" if login else question)
    return safe(_line(), 16) or login or "farfadet"


def _line(most: int = 256) -> str:
    """One line of input, and nothing of what comes after it."""
    read = b""
    while len(read) < most and (byte := os.read(0, 1)) not in (b"", b"\n", b"\r"):
        read += byte
    return read.decode("utf-8", "replace")
