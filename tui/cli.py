"""The command line: stdout is data, stderr is narration, exit codes are an API.

Exit codes: 0 done; 1 failed, or a verdict that is not "good"; 2 wrong usage; 130 interrupted.
Everything heavy is imported where it is used, so that ``--version`` and mistakes are answered at
once.
"""

from __future__ import annotations

import logging
import sys
from importlib import import_module
from typing import Final, NoReturn

import click

from tui.commands.options import BROKER, NAME, NO_LAN, PLAIN, spoken
from tui.commands.show import leave_with, show
from tui.places import find, keep_log

log = logging.getLogger(__name__)


COMMANDS: Final = {
    "tables": ("play", "host", "join", "watch", "resume", "replay"),
    "services": ("broker", "doctor", "referee"),
    "guests": ("ssh", "guest"),
    "records": ("audit", "simulate", "friends", "locate"),
    "config": ("config",),
}
"""The commands, by the module of ``tui/commands`` that they are in."""


class Commands(click.Group):
    """Loads the command that is asked for, and no other."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all."""
        return sorted(name for names in COMMANDS.values() for name in names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, if there is one."""
        for module, names in COMMANDS.items():
            if cmd_name in names:
                found: click.Command = getattr(import_module(f"tui.commands.{module}"), cmd_name)
                return found
        return None


HELP: Final = {"help_option_names": ["-h", "--help"]}


@click.group(cls=Commands, invoke_without_command=True, context_settings=HELP)
@click.version_option(package_name="farfadet", prog_name="farfadet")
@BROKER
@NO_LAN
@NAME
@PLAIN
@click.pass_context
def cli(
    context: click.Context, broker: str | None, no_lan: bool, name: str | None, plain: bool
) -> None:
    """Small French table games for friends in terminals, with no server anyone must trust."""
    if context.invoked_subcommand is None:
        from tui.sitting import Home

        leave_with(show(Home(), name=name, plain=plain, broker=broker, no_lan=no_lan))
    _hand_down(context, context.invoked_subcommand)


def _hand_down(context: click.Context, name: str) -> None:
    """What was said before the name of a command is meant for that command."""
    said = {key: value for key, value in context.params.items() if value not in (None, False)}
    command = cli.get_command(context, name)
    if command is None:
        return
    known = {option.name for option in command.params}
    for key in said:
        if key not in known:
            raise click.UsageError(f"--{key.replace('_', '-')}: not for {name}.")
    context.default_map = {name: said}


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
    from tui.troubles import told, trouble

    words = spoken()
    code = getattr(error, "code", None)
    if isinstance(error, OSError) or not isinstance(code, str):
        if not logging.getLogger().handlers:
            # Commands that say nothing to the log have none; a traceback is not for the player.
            keep_log(find())
        log.error("unforeseen", exc_info=error)
        click.echo(words.say(trouble("unforeseen"), log=str(find().log)), err=True)
        return 1
    log.info("failed: %s", error)
    click.echo(told(words, error, code), err=True)
    return 1


if __name__ == "__main__":
    main()
