"""The commands that open the app at a table: play, host, join, watch, resume, replay."""

from __future__ import annotations

import os
from pathlib import Path

import click

import rules
from tui.commands.options import (
    BROKER,
    DECK,
    FILE,
    GAME,
    LEVEL,
    NAME,
    NO_LAN,
    PLAIN,
    deck_of,
    seats_of,
    spoken,
)
from tui.commands.show import leave_with, show


@click.command()
@GAME
@click.option("--seats", type=int, help="Players, you included.")
@LEVEL
@click.option("--seed", type=int, help="Makes the bots repeat themselves; the deck stays secret.")
@DECK
@NAME
@PLAIN
def play(
    game: str,
    seats: int | None,
    level: str,
    seed: int | None,
    file: Path | None,
    name: str | None,
    plain: bool,
) -> None:
    """Play GAME against bots, right here."""
    from tui.sitting import Play

    code = show(
        Play(game, seats_of(game, seats), level, deck_of(game, file)),
        name=name,
        plain=plain,
        level=level,
        seed=seed,
    )
    leave_with(code)


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
    "--open", "listed", is_flag=True, help="List the table in the lobby of --broker, for anybody."
)
@click.option(
    "--no-watch", "unseen", is_flag=True, help="With --open: not listed while the game is played."
)
@click.option(
    "--bots-after",
    type=click.IntRange(0),
    default=0,
    metavar="SECONDS",
    help="Then bots take the seats that are still free (0: never).",
)
@click.option(
    "--escrow/--no-escrow",
    default=None,
    help="Let the others open cards for somebody who is missing. On with a referee, otherwise off: "
    "without one, all your opponents together could then read your cards.",
)
@DECK
@NO_LAN
@NAME
@PLAIN
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
    listed: bool,
    unseen: bool,
    bots_after: int,
    file: Path | None,
    no_lan: bool,
    name: str | None,
    plain: bool,
) -> None:
    """Open a table of GAME for friends; shows the invitation to send them."""
    from net.play.charter import LONGEST_LIMIT, SHORTEST_LIMIT
    from tui.sitting import Host

    count = seats_of(game, seats)
    if not 0 <= bots < count:
        raise click.UsageError(f"--bots: between 0 and {count - 1}, since you take a seat too.")
    if listed and broker is None:
        raise click.UsageError("--open: on which broker? --broker URL.")
    if limit and not SHORTEST_LIMIT <= limit <= LONGEST_LIMIT:
        raise click.UsageError(
            f"--limit: 0, or between {SHORTEST_LIMIT} and {LONGEST_LIMIT} seconds."
        )
    code = show(
        Host(
            game,
            count,
            bots,
            deck_of(game, file),
            limit,
            referee,
            escrow,
            open=listed,
            watched=not unseen,
            bots_after=bots_after,
        ),
        name=name,
        plain=plain,
        no_lan=no_lan,
        level=level,
        port=port,
        address=address,
        broker=broker,
    )
    leave_with(code)


@click.command()
@click.argument("invitation", nargs=-1)
@BROKER
@click.option("--game", type=click.Choice(rules.names()), help="Without an invitation: which game.")
@NO_LAN
@NAME
@PLAIN
def join(
    invitation: tuple[str, ...],
    broker: str | None,
    game: str | None,
    no_lan: bool,
    name: str | None,
    plain: bool,
) -> None:
    """Take a seat at a friend's table: INVITATION is what they sent you (quote it), or its words.

    Without one, at the best open table on the broker. --broker is also for a broker that wants a
    password: an invitation has none in it.
    """
    from tui.sitting import Join, Quick

    if not invitation and broker is None:
        raise click.UsageError("INVITATION: quote what your friend sent you; or --broker URL.")
    if invitation and game is not None:
        raise click.UsageError("--game: an invitation leads to one table.")
    start = Join(" ".join(invitation)) if invitation else Quick(game or "")
    leave_with(show(start, name=name, plain=plain, broker=broker, no_lan=no_lan))


@click.command()
@click.argument("invitation", nargs=-1, required=True)
@BROKER
@NAME
@PLAIN
def watch(invitation: tuple[str, ...], broker: str | None, name: str | None, plain: bool) -> None:
    """Look on at a table, without a seat: INVITATION is the same as for those who play."""
    from tui.sitting import Watch

    leave_with(
        show(Watch(" ".join(invitation)), name=name, plain=plain, broker=broker, no_lan=True)
    )


@click.command()
@BROKER
@PLAIN
def resume(broker: str | None, plain: bool) -> None:
    """Go back to the table you played at last, after a crash or when you had to leave."""
    from tui.sitting import Resume

    leave_with(show(Resume(), name=None, plain=plain, broker=broker))


@click.command()
@click.argument("file", type=FILE, required=False)
@click.option("--plain", "--text", is_flag=True, help="Tell it as lines of text, with a verdict.")
def replay(file: Path | None, plain: bool) -> None:
    """Go through the finished game in FILE again; without FILE, choose one."""
    from tui.sitting import Replay
    from tui.terms import dumb

    if file is None or not (plain or dumb(os.environ)):
        leave_with(show(Replay(file), name=None, plain=plain, no_lan=True))
    from tui.replayed import open_replay
    from tui.retell import retell

    sitting = open_replay(file)
    for line in retell(sitting, spoken()):
        click.echo(line)
    verdict = sitting.playback.verdict
    leave_with(0 if verdict is not None and verdict.good else 1)
