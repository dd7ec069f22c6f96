"""The commands that give others a seat in our terminal's place: the ssh server, and one guest."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tui.commands.options import BROKER, FILE
from tui.commands.show import usual_places
from tui.ssh.limits import MEBIBYTE, MINUTE, Limits

ADDRESS = click.option("--address", help="What invitations say about this machine.")
MEMORY = click.option(
    "--memory",
    type=click.IntRange(0),
    default=Limits().memory // MEBIBYTE,
    show_default=True,
    metavar="MIB",
    help="The most that a guest's process may take (0: no limit).",
)


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8022, show_default=True)
@click.option("--bind", default="", help="Where to listen. [default: everywhere]")
@BROKER
@click.option("--embedded", is_flag=True, help="With a broker of our own, as without --broker.")
@ADDRESS
@click.option(
    "--keys",
    "friends",
    metavar="FILE",
    type=FILE,
    help="Let only these keys in: a file like authorized_keys. [default: ssh/authorized_keys in "
    "the folder for settings; without that, any key may come in]",
)
@click.option("--guests", type=click.IntRange(1), default=Limits().guests, show_default=True)
@click.option(
    "--per-address",
    type=click.IntRange(1),
    default=Limits().per_address,
    show_default=True,
    help="Guests from one address.",
)
@click.option(
    "--logins",
    type=click.IntRange(1),
    default=Limits().logins,
    show_default=True,
    help="Attempts to connect, from one address in a minute.",
)
@click.option(
    "--idle",
    type=click.IntRange(1),
    default=round(Limits().idle / MINUTE),
    show_default=True,
    metavar="MINUTES",
    help="Who presses no key for so long is sent home.",
)
@MEMORY
def ssh(
    port: int,
    bind: str,
    broker: str | None,
    embedded: bool,
    address: str | None,
    friends: Path | None,
    guests: int,
    per_address: int,
    logins: int,
    idle: int,
    memory: int,
) -> None:
    """Let friends play here who have nothing but ssh, until interrupted.

    They type: ssh -p 8022 this-machine. Their key is who they are. See docs/ssh.md.
    """
    if embedded and broker is not None:
        raise click.UsageError("--embedded: not with --broker.")
    try:
        from tui.ssh.run import run_ssh
    except ModuleNotFoundError as error:
        if error.name not in {"asyncssh", "fcntl", "termios"}:
            raise
        raise click.UsageError(
            "This needs asyncssh: pip install 'farfadet[ssh]'."
            if error.name == "asyncssh"
            else "Only Linux, macOS and the like can host guests."
        ) from None
    limits = Limits(
        guests=guests,
        per_address=per_address,
        logins=logins,
        idle=idle * MINUTE,
        memory=memory * MEBIBYTE,
    )
    places = usual_places()
    run_ssh(
        places,
        bind=bind,
        port=port,
        broker=broker,
        address=address,
        friends=friends,
        limits=limits,
    )


@click.command()
@click.option("--broker", metavar="URL", envvar="FARFADET_BROKER", help="Where the guests meet.")
@ADDRESS
@MEMORY
def guest(broker: str | None, address: str | None, memory: int) -> None:
    """Be one guest of an ssh session: what ForceCommand in sshd_config names.

    What the guest asks for is in $SSH_ORIGINAL_COMMAND: nothing, join CODE, or watch CODE.
    """
    if broker is None:
        raise click.UsageError("--broker: which one, mqtt://host:port?")
    from tui.ssh.visit import visit

    sys.exit(visit(broker, address, memory * MEBIBYTE))
