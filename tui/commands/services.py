"""The commands that run without a screen until they are told to stop: the broker, the referee."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from tui.commands.options import BROKER, FILE, FOLDER
from tui.commands.show import usual_places
from tui.places import find

CONFIG = (click.Choice(["mosquitto", "cluster"]), FOLDER)


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="[default: 1883; with --cert 8883]")
@click.option("--bind", help="Where to listen. [default: everywhere; with --plain on 127.0.0.1]")
@click.option(
    "--config",
    nargs=2,
    type=CONFIG,
    metavar="KIND DIR",
    help="Configure a broker in DIR: KIND is mosquitto, or cluster.",
)
@click.option("--nodes", metavar="HOST[:PORT],...", help="The nodes of the cluster: 3 to 9.")
@click.option("--cert", type=FILE, help="The server's certificate, with its chain, in PEM.")
@click.option("--key", type=FILE, help="The certificate's key, in PEM.")
@click.option("--plain", is_flag=True, help="No TLS.")
@click.option("--open", "public", is_flag=True, help="No passwords.")
def broker(
    port: int | None,
    bind: str | None,
    config: tuple[str, Path] | None,
    nodes: str | None,
    **door: Any,
) -> None:
    """Run only the embedded broker, until interrupted; or configure another one (--config)."""
    if config is not None:
        from tui.configure import configure

        configure(*config, bind, port, nodes, **door)
    elif nodes is not None or any(door.values()):
        raise click.UsageError("--nodes, --cert, --key, --plain and --open go with --config.")
    else:
        from tui import headless

        headless.run_broker(
            usual_places().broker, bind or "0.0.0.0", 1883 if port is None else port
        )


@click.command()
@BROKER
@click.option("--json", "as_json", is_flag=True, help="All findings as JSON.")
def doctor(broker: str | None, as_json: bool) -> None:
    """Examine a broker: has it all that we need? Exit 0 if so, 1 if not."""
    from tui import headless

    if broker is None:
        raise click.UsageError("--broker: which one, mqtt://host:port?")
    usual_places()
    sys.exit(0 if headless.examine(broker, as_json) else 1)


@click.command()
@BROKER
@click.option(
    "--data",
    "folder",
    metavar="DIR",
    type=FOLDER,
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
    type=FOLDER,
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
        usual_places()
        headless.run_referee(folder, broker, name, tables)
