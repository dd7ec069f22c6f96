"""The commands that answer and are done: they look at files, or simulate."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

import rules
from rules.bots import levels
from tui.commands.options import FILE, GAME, NAME, seats_of
from tui.places import find
from tui.plain.verdicts import figures_text, verdict_text


@click.command()
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="The whole verdict as JSON.")
def audit(file: Path, as_json: bool) -> None:
    """Verify the transcript of a finished game: signatures, proofs and rules, from the start."""
    from net.play.audit import audit as judge

    verdict = judge(file.read_bytes())
    click.echo(json.dumps(verdict.data()) if as_json else verdict_text(verdict))
    sys.exit(0 if verdict.good else 1)


@click.command()
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
    count = seats_of(game, seats)
    if len(names) > count:
        raise click.UsageError(f"--levels: {len(names)} bots for {count} seats.")
    names += names[-1:] * (count - len(names))
    figures = run(rules.load(game), count, names, games, seed)
    click.echo(json.dumps(figures) if as_json else figures_text(figures))


@click.command()
def locate() -> None:
    """Say where settings, keys, games and logs are."""
    places = find()
    for label, path in (
        ("identity", places.config),
        ("settings", places.settings),
        ("games", places.games),
        ("tables", places.tables),
        ("referee", places.referee),
        ("broker", places.broker),
        ("log", places.log),
    ):
        click.echo(f"{label}\t{path}")


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_context
def friends(context: click.Context, as_json: bool) -> None:
    """List the people you have played with: a name belongs to the key that had it first."""
    from tui import friends as people

    if context.invoked_subcommand is None:
        people.show(find(), as_json)


@friends.command()
@click.argument("who")
@click.argument("name")
def rename(who: str, name: str) -> None:
    """Call WHO NAME; WHO is a name, or the first of the words of a key."""
    from tui import friends as people

    people.rename(find(), who, name)


@friends.command()
@click.argument("who")
def forget(who: str) -> None:
    """Forget WHO: a stranger from now on."""
    from tui import friends as people

    people.forget(find(), who)


@friends.command()
@NAME
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def me(name: str | None, as_json: bool) -> None:
    """Your own key, as words to read aloud."""
    from tui import friends as people
    from tui.settings_file import load
    from tui.terms import own_name

    settings, _ = load(find().settings)
    people.me(find(), name or own_name(settings.name), as_json)
