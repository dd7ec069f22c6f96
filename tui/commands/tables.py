"""The commands that open the app at a table: play, host, join, resume."""

from __future__ import annotations

from pathlib import Path

import click

from tui.commands.options import BROKER, DECK, GAME, LEVEL, NAME, deck_of, seats_of
from tui.commands.show import show


@click.command()
@GAME
@click.option("--seats", type=int, help="Players, you included.")
@LEVEL
@click.option("--seed", type=int, help="Makes the bots repeat themselves; the deck stays secret.")
@DECK
@NAME
def play(
    game: str,
    seats: int | None,
    level: str,
    seed: int | None,
    file: Path | None,
    name: str | None,
) -> None:
    """Play GAME against bots, right here."""
    from tui.sitting import Play

    show(
        Play(game, seats_of(game, seats), level, deck_of(game, file)),
        name=name,
        level=level,
        seed=seed,
    )


@click.command()
@GAME
@click.option("--seats", type=int, help="Players, you and the bots included.")
@click.option("--bots", type=int, default=0, show_default=True, help="Seats for bots.")
@LEVEL
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the embedded broker.")
@click.option("--address", help="What the invitation says about this machine.")
@BROKER
@click.option(
    "--limit",
    type=int,
    default=0,
    show_default=True,
    metavar="SECONDS",
    help="How long each step may take; then the table can go on without those who are missing "
    "(0: no limit).",
)
@click.option("--referee", is_flag=True, help="With a referee that is on the broker.")
@click.option(
    "--escrow/--no-escrow",
    default=None,
    help="Let the others open cards for somebody who is missing. On with a referee, otherwise off: "
    "without one, all your opponents together could then read your cards.",
)
@DECK
@NAME
def host(
    game: str,
    seats: int | None,
    bots: int,
    level: str,
    port: int | None,
    address: str | None,
    broker: str | None,
    limit: int,
    referee: bool,
    escrow: bool | None,
    file: Path | None,
    name: str | None,
) -> None:
    """Open a table of GAME for friends; shows the invitation to send them."""
    from net.charter import LONGEST_LIMIT, SHORTEST_LIMIT
    from tui.sitting import Host

    count = seats_of(game, seats)
    if not 0 <= bots < count:
        raise click.UsageError(f"--bots: between 0 and {count - 1}, since you take a seat too.")
    if limit and not SHORTEST_LIMIT <= limit <= LONGEST_LIMIT:
        raise click.UsageError(
            f"--limit: 0, or between {SHORTEST_LIMIT} and {LONGEST_LIMIT} seconds."
        )
    show(
        Host(game, count, bots, deck_of(game, file), limit, referee, escrow),
        name=name,
        level=level,
        port=port,
        address=address,
        broker=broker,
    )


@click.command()
@click.argument("invitation")
@NAME
def join(invitation: str, name: str | None) -> None:
    """Take a seat at a friend's table: INVITATION is what they sent you (quote it)."""
    from tui.sitting import Join

    show(Join(invitation), name=name)


@click.command()
def resume() -> None:
    """Go back to the table you played at last, after a crash or when you had to leave."""
    from tui.sitting import Resume

    show(Resume(), name=None)
