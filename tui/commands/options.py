"""What several commands have in common: their options, and what is checked of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

import rules
from rules.bots import levels

if TYPE_CHECKING:
    from rules.game import RuleError
    from tui.words import Words

GAME = click.argument("game", type=click.Choice(rules.names()))
NAME = click.option("--name", help="What the others call you.")
BROKER = click.option("--broker", metavar="URL", help="An MQTT broker, mqtt://host:port.")
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
DECK = click.option(
    "--deck", "file", metavar="FILE", type=FILE, help="Play with the cards in this file (gobelin)."
)
PLAIN = click.option(
    "--plain", is_flag=True, help="Lines of text in and out: for ears, and for scripts."
)
NO_LAN = click.option(
    "--no-lan",
    is_flag=True,
    help="Neither look for tables on the local network nor announce ours there.",
)
LEVEL = click.option("--level", type=click.Choice(levels()), default="steady", show_default=True)


def spoken() -> Words:
    """The player's language, as set or as the locale says."""
    from tui.places import find
    from tui.settings_file import load

    settings, _ = load(find().settings)
    return settings.words(os.environ)


def seats_of(game: str, seats: int | None) -> int:
    """How many play ``game``: ``seats``, if it is for so many; if not said, about four."""
    possible = rules.load(game).seats
    if seats is None:
        return max(possible.start, min(4, possible.stop - 1))
    if seats not in possible:
        raise click.UsageError(
            f"--seats: {game} is for {possible.start} to {possible.stop - 1} players."
        )
    return seats


def deck_of(game: str, file: Path | None) -> str:
    """The text of the cards in ``file``, as it goes into the charter; empty without a file."""
    if file is None:
        return ""
    from rules.game import RuleError

    try:
        return rules.load(game, file.read_text("utf-8-sig")).deck
    except UnicodeDecodeError:
        raise click.UsageError(f"--deck: {file} is no text in UTF-8.") from None
    except RuleError as error:
        raise click.UsageError(f"--deck: {file}: {_wrong_deck(game, error)}") from None


def _wrong_deck(game: str, error: RuleError) -> str:
    """What is wrong with a deck, and where."""
    from tui import boards
    from tui.troubles import trouble

    words = spoken()
    card, field = error.detail if isinstance(error.detail, tuple) else ("", error.detail)
    why = boards.voice(game).REFUSALS.get(error.code)
    if why is None:
        return words.say(trouble(error.code), code=error.code)
    return words.say(why, card=card, field=field)
