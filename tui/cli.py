"""The command line: stdout is data, stderr is narration, exit codes are an API.

Exit codes: 0 done; 1 failed, or a verdict that is not "good"; 2 wrong usage; 130 interrupted.
Everything heavy is imported where it is used, so that ``--version`` and mistakes are answered at
once.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

import rules
from rules.bots import levels
from rules.game import RuleError
from tui.places import Places, find, keep_log
from tui.plain import figures_text, verdict_text

if TYPE_CHECKING:
    from tui.sitting import Start

log = logging.getLogger(__name__)

GAME = click.argument("game", type=click.Choice(rules.names()))
NAME = click.option("--name", help="What the others call you.")
BROKER = click.option("--broker", metavar="URL", help="An MQTT broker, mqtt://host:port.")
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
DECK = click.option(
    "--deck", "file", metavar="FILE", type=FILE, help="Play with the cards in this file (gobelin)."
)
CONFIG = (click.Choice(["mosquitto"]), click.Path(file_okay=False, path_type=Path))
LEVEL = click.option("--level", type=click.Choice(levels()), default="steady", show_default=True)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("farfadet"), prog_name="farfadet")
@NAME
@click.pass_context
def cli(context: click.Context, name: str | None) -> None:
    """Small French table games for friends in terminals, with no server anyone must trust."""
    if context.invoked_subcommand is None:
        from tui.sitting import Home

        _show(Home(), name=name)


@cli.command()
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

    _show(
        Play(game, _seats(game, seats), level, _deck(game, file)), name=name, level=level, seed=seed
    )


@cli.command()
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

    count = _seats(game, seats)
    if not 0 <= bots < count:
        raise click.UsageError(f"--bots: between 0 and {count - 1}, since you take a seat too.")
    if limit and not SHORTEST_LIMIT <= limit <= LONGEST_LIMIT:
        raise click.UsageError(
            f"--limit: 0, or between {SHORTEST_LIMIT} and {LONGEST_LIMIT} seconds."
        )
    _show(
        Host(game, count, bots, _deck(game, file), limit, referee, escrow),
        name=name,
        level=level,
        port=port,
        address=address,
        broker=broker,
    )


@cli.command()
@click.argument("invitation")
@NAME
def join(invitation: str, name: str | None) -> None:
    """Take a seat at a friend's table: INVITATION is what they sent you (quote it)."""
    from tui.sitting import Join

    _show(Join(invitation), name=name)


@cli.command()
def resume() -> None:
    """Go back to the table you played at last, after a crash or when you had to leave."""
    from tui.sitting import Resume

    _show(Resume(), name=None)


@cli.command()
@click.option("--port", type=click.IntRange(0, 65535), help="[default: 1883; with --cert 8883]")
@click.option("--bind", help="Where to listen. [default: everywhere; with --plain on 127.0.0.1]")
@click.option(
    "--config", nargs=2, type=CONFIG, metavar="mosquitto DIR", help="Configure a Mosquitto in DIR:"
)
@click.option("--cert", type=FILE, help="The server's certificate, with its chain, in PEM.")
@click.option("--key", type=FILE, help="The certificate's key, in PEM.")
@click.option("--plain", is_flag=True, help="No TLS.")
@click.option("--open", "public", is_flag=True, help="No passwords.")
def broker(
    port: int | None, bind: str | None, config: tuple[str, Path] | None, **door: Any
) -> None:
    """Run only the embedded broker, until interrupted; or configure a Mosquitto (--config)."""
    from tui import headless

    if config is not None:
        headless.configure(config[1], bind, port, **door)
    elif any(door.values()):
        raise click.UsageError("--cert, --key, --plain and --open go with --config.")
    else:
        headless.run_broker(_places().broker, bind or "0.0.0.0", 1883 if port is None else port)


@cli.command()
@BROKER
@click.option(
    "--data",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where its key and its record are, if not in the usual place.",
)
@click.option("--name", default="referee", show_default=True, help="What it is announced as.")
@click.option("--tables", type=click.IntRange(1), default=200, show_default=True, help="At once.")
@click.option("--status", "asks", is_flag=True, help="Say how the one that is running is doing.")
@click.option("--json", "as_json", is_flag=True, help="The status as JSON.")
@click.option(
    "--export",
    "to",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the games that it saw end there, as files for farfadet audit.",
)
def referee(
    broker: str | None,
    folder: Path | None,
    name: str,
    tables: int,
    asks: bool,
    as_json: bool,
    to: Path | None,
) -> None:
    """Be a referee for the tables on a broker, until interrupted: a clock and a witness.

    It sees no card and makes no move.
    """
    from tui import headless

    folder = folder or find().referee
    if asks:
        headless.referee_status(folder, as_json)
    elif to is not None:
        headless.export(folder, to)
    elif broker is None:
        raise click.UsageError("--broker: which one, mqtt://host:port?")
    else:
        _places()
        headless.run_referee(folder, broker, name, tables)


@cli.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="The whole verdict as JSON.")
def audit(file: Path, as_json: bool) -> None:
    """Verify the transcript of a finished game: signatures, proofs and rules, from the start."""
    from net.audit import audit as judge

    verdict = judge(file.read_bytes())
    click.echo(json.dumps(verdict.data()) if as_json else verdict_text(verdict))
    sys.exit(0 if verdict.good else 1)


@cli.command()
@GAME
@click.option("--games", type=click.IntRange(1), default=100, show_default=True)
@click.option("--seats", type=int, help="Players at each table.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--levels",
    "playing",
    default="steady,random",
    show_default=True,
    help="Bots by seat, with commas; the last one takes all other seats.",
)
@click.option("--json", "as_json", is_flag=True, help="All figures as JSON.")
def simulate(
    game: str, games: int, seats: int | None, seed: int, playing: str, as_json: bool
) -> None:
    """Let bots play GAME against bots on an open deck, and count."""
    from rules.deal import simulate as run

    names = tuple(playing.split(","))
    if unknown := [name for name in names if name not in levels()]:
        raise click.UsageError(
            f"--levels: no level {unknown[0]!r}; there are {', '.join(levels())}."
        )
    count = _seats(game, seats)
    if len(names) > count:
        raise click.UsageError(f"--levels: {len(names)} bots for {count} seats.")
    names += names[-1:] * (count - len(names))
    figures = run(rules.load(game), count, names, games, seed)
    click.echo(json.dumps(figures) if as_json else figures_text(figures))


@cli.command()
def locate() -> None:
    """Say where settings, keys, games and logs are."""
    places = find()
    for label, path in (
        ("identity", places.config),
        ("games", places.games),
        ("tables", places.tables),
        ("referee", places.referee),
        ("broker", places.broker),
        ("log", places.log),
    ):
        click.echo(f"{label}\t{path}")


def _show(start: Start, *, name: str | None, **terms: Any) -> None:
    """Run the app until its player leaves it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("farfadet needs a terminal (over ssh: ssh -t host farfadet).")
    from net.address import Broker
    from tui.app import FarfadetApp
    from tui.doors import NetworkDoors, Terms, own_name

    places = _places()
    # Proofs are checked in threads; with the usual 5 ms, the screen would wait for them too long.
    sys.setswitchinterval(0.001)
    if terms.get("broker") is not None:
        terms["broker"] = Broker.parse(terms["broker"])

    async def run() -> None:
        async with NetworkDoors(places, Terms(name or own_name(), **terms)) as doors:
            app = FarfadetApp(doors, start)
            _leave_when_told(app.exit)
            await app.run_async()

    # The loop that Windows prefers cannot watch the sockets of an MQTT client.
    loop = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(run())


def _leave_when_told(leave: Callable[[], None]) -> None:
    """Call ``leave`` when the system ends us or the terminal goes: the seat can be gone back to."""
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP"):
        # Windows has no such signals.
        with suppress(AttributeError, NotImplementedError):
            loop.add_signal_handler(getattr(signal, name), leave)


def _places() -> Places:
    places = find()
    keep_log(places)
    return places


def _seats(game: str, seats: int | None) -> int:
    possible = rules.load(game).seats
    if seats is None:
        return max(possible.start, min(4, possible.stop - 1))
    if seats not in possible:
        raise click.UsageError(
            f"--seats: {game} is for {possible.start} to {possible.stop - 1} players."
        )
    return seats


def _deck(game: str, file: Path | None) -> str:
    """The text of the cards in ``file``, as it goes into the charter; empty without a file."""
    if file is None:
        return ""
    try:
        return rules.load(game, file.read_text("utf-8-sig")).deck
    except UnicodeDecodeError:
        raise click.UsageError(f"--deck: {file} is no text in UTF-8.") from None
    except RuleError as error:
        raise click.UsageError(f"--deck: {file}: {_wrong_deck(game, error)}") from None


def _wrong_deck(game: str, error: RuleError) -> str:
    """What is wrong with a deck, and where."""
    from tui import boards
    from tui.words import Words, first_language, trouble

    words = Words(first_language(os.environ))
    card, field = error.detail if isinstance(error.detail, tuple) else ("", error.detail)
    why = boards.load(game).REFUSALS.get(error.code)
    if why is None:
        return words.say(trouble(error.code), code=error.code)
    return words.say(why, card=card, field=field)


def main() -> NoReturn:
    """What the command ``farfadet`` runs."""
    try:
        code = cli(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except Exception as error:
        sys.exit(_explain(error))
    sys.exit(code if isinstance(code, int) else 0)


def _explain(error: Exception) -> int:
    """Say in one sentence what went wrong; what is not foreseen goes to the log whole."""
    from tui.words import Words, first_language, trouble

    words = Words(first_language(os.environ))
    code = getattr(error, "code", None)
    if isinstance(error, OSError) or not isinstance(code, str):
        log.error("unforeseen", exc_info=error)
        click.echo(words.say(trouble("unforeseen"), log=str(find().log)), err=True)
        return 1
    log.info("failed: %s", error)
    click.echo(words.say(trouble(code), code=code), err=True)
    return 1


if __name__ == "__main__":
    main()
