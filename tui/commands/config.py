"""The command that shows and changes settings without a screen."""

from __future__ import annotations

import json
import os

import click

from tui.places import find

EMPTY = '""'
"""How an empty text is written on a command line."""


@click.group(invoke_without_command=True)
@click.pass_context
def config(context: click.Context) -> None:
    """Show and change settings."""
    if context.invoked_subcommand is None:
        context.invoke(list_)


@config.command("list")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def list_(as_json: bool) -> None:
    """Show every setting: what it is, what it is for, what it can be (* usually)."""
    from tui.settings import SETTINGS, get, text
    from tui.settings_file import load
    from tui.troubles import told

    settings, troubles = load(find().settings)
    words = settings.words(os.environ)
    for trouble in troubles:
        click.echo(told(words, trouble, trouble.code), err=True)
    if as_json:
        rows = [
            {
                "key": setting.key,
                "value": get(settings, setting.key),
                "usual": setting.usual,
                "values": list(setting.values),
                "help": words.say(setting.help),
            }
            for setting in SETTINGS
        ]
        click.echo(json.dumps({"settings": rows, "keys": dict(settings.keys)}))
        return
    for setting in SETTINGS:
        value, usual = text(get(settings, setting.key)), text(setting.usual)
        click.echo(f"{setting.key} = {value or EMPTY}")
        click.echo(f"    {words.say(setting.help)}")
        for written, label in setting.values.items():
            mark = "*" if written == usual else " "
            click.echo(f"  {mark} {written or EMPTY:<14} {words.say(label)}")
    for action, keys in settings.keys.items():
        click.echo(f"keys.{action} = {keys}")


@config.command("get")
@click.argument("key")
def get_(key: str) -> None:
    """Print the value of KEY."""
    from tui.settings import get, text
    from tui.settings_file import load

    settings, _ = load(find().settings)
    click.echo(text(get(settings, key)))


@config.command("set")
@click.argument("key")
@click.argument("value")
def set_(key: str, value: str) -> None:
    """Set KEY to VALUE, also one of your keys: keys.game.undo "u,z"."""
    _put(key, value)


@config.command()
@click.argument("key")
def reset(key: str) -> None:
    """Let KEY be as usual again; "keys" are all of your keys."""
    _put(key, None)


@config.command()
def path() -> None:
    """Say where the file is; it need not be there."""
    click.echo(find().settings)


def _put(key: str, raw: str | None) -> None:
    from tui.settings import USUAL, changed, get
    from tui.settings_file import save

    settings = changed(USUAL, key, raw)
    save(find().settings, key, None if raw is None else get(settings, key))
