"""What ``farfadet broker --config`` writes: the files of a Mosquitto, or of a cluster."""

from __future__ import annotations

from pathlib import Path

import click

from broker import mosquitto
from broker.cluster import files
from broker.cluster.nodes import nodes as nodes_of
from net.link.address import PORTS, Broker


def configure(
    kind: str,
    folder: Path,
    bind: str | None,
    port: int | None,
    nodes: str | None,
    *,
    cert: Path | None,
    key: Path | None,
    plain: bool,
    public: bool,
) -> None:
    """Write what a broker of this ``kind`` needs into ``folder``.

    Prints the paths, and what to do on stderr. Raises ``click.ClickException`` with a sentence,
    above all if there is such a file already, and ``TransportError`` for ``nodes`` that are none.
    """
    if plain == (cert is not None) or plain == (key is not None):
        raise click.UsageError("--config: with --cert and --key, or with --plain.")
    tls = None if cert is None or key is None else (cert, key)
    try:
        if kind == "cluster":
            written = _cluster(folder, bind, port, nodes, tls, passwords=not public)
            told = written[0]
        else:
            written = _mosquitto(folder, bind, port, nodes, tls, passwords=not public)
            told = folder / mosquitto.README
    except FileExistsError as error:
        raise click.ClickException(
            f"{error.filename} is there already: nothing was written."
        ) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or folder}: {error.strerror}.") from None
    except ValueError as error:
        raise click.ClickException(f"{error}.") from None
    for path in written:
        click.echo(str(path))
    click.echo(told.read_text(encoding="utf-8"), nl=False, err=True)


def _mosquitto(
    folder: Path,
    bind: str | None,
    port: int | None,
    nodes: str | None,
    tls: tuple[Path, Path] | None,
    *,
    passwords: bool,
) -> list[Path]:
    if nodes is not None:
        raise click.UsageError("--nodes goes with --config cluster.")
    if tls is None:
        bind = bind or "127.0.0.1"
    scheme = "mqtt" if tls is None else "mqtts"
    door = mosquitto.Door(port or PORTS[scheme], bind, tls, passwords=passwords)
    return mosquitto.write(folder, door)


def _cluster(
    folder: Path,
    bind: str | None,
    port: int | None,
    nodes: str | None,
    tls: tuple[Path, Path] | None,
    *,
    passwords: bool,
) -> list[Path]:
    if nodes is None:
        raise click.UsageError("--nodes: which ones? HOST[:PORT],HOST[:PORT],...")
    if bind is not None or port is not None:
        raise click.UsageError("--port and --bind: say the port of each node in --nodes.")
    scheme = "mqtt" if tls is None else "mqtts"
    hosts = Broker.parse(f"{scheme}://{nodes}").hosts
    return files.write(folder, nodes_of(hosts), tls, passwords=passwords)
