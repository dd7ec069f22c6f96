"""What ``farfadet friends`` does: list those one has met, rename or forget them, name oneself."""

from __future__ import annotations

import json
import os
from typing import Any

import click

from net.people.friends import Friend, Friends, FriendsError, fingerprint
from net.people.friends_file import FriendsFile
from net.people.identity import load
from tui.places import Places
from tui.text import safe
from tui.troubles import trouble
from tui.words import Words, first_language

NAME = 32
"""Most cells of a name in a list."""


def show(places: Places, as_json: bool = False) -> None:
    """Print everybody one has met, the latest first."""
    friends = _read(FriendsFile(places.config))
    if as_json:
        click.echo(json.dumps(friends_data(friends)))
    elif friends.people:
        click.echo(friends_text(friends.people))
    else:
        click.echo("Nobody yet: whoever plays with you is remembered.", err=True)


def rename(places: Places, who: str, name: str) -> None:
    """Call the person that ``who`` means ``name``; raises ``FriendsError``."""
    file = FriendsFile(places.config)
    friends = _read(file)
    friend = _found(friends, who)
    clean = friends.acceptable_name(name, friend)
    file.change(lambda now: now.renamed(friend.keys[0], clean))


def forget(places: Places, who: str) -> None:
    """Forget the person that ``who`` means; raises ``FriendsError``."""
    file = FriendsFile(places.config)
    friend = _found(_read(file), who)
    file.change(lambda now: now.forgotten(friend.keys[0]))


def me(places: Places, name: str, as_json: bool = False) -> None:
    """Print one's own name and fingerprint: what one reads aloud to friends.

    Raises what ``net.people.identity.load`` raises.
    """
    key = load(places.config, name).public
    own = {"name": name, "fingerprint": fingerprint(key), "key": key.hex()}
    click.echo(json.dumps(own) if as_json else f"{safe(name, NAME)}\n  {own['fingerprint']}")


def friends_text(people: tuple[Friend, ...]) -> str:
    """These people, the latest first, each with a line for every key."""
    return "\n".join(_lines(friend) for friend in _latest(people))


def friends_data(friends: Friends) -> list[dict[str, Any]]:
    """The same, for programs."""
    return [
        {
            "name": friend.name,
            "called": list(friend.called),
            "first": friend.first.isoformat(),
            "last": friend.last.isoformat(),
            "games": friend.games,
            "keys": [
                {
                    "fingerprint": fingerprint(key),
                    "key": key.hex(),
                    "checked": key in friend.checked,
                }
                for key in friend.keys
            ],
        }
        for friend in _latest(friends.people)
    ]


def _latest(people: tuple[Friend, ...]) -> list[Friend]:
    return sorted(people, key=lambda friend: friend.last, reverse=True)


def _lines(friend: Friend) -> str:
    name = safe(friend.name, NAME) or "?"
    others = [safe(other, NAME) or "?" for other in friend.called if other != friend.name]
    also = f" (also called {', '.join(others)})" if others else ""
    games = "1 game" if friend.games == 1 else f"{friend.games} games"
    days = f"last {friend.last}, first {friend.first}"
    keys = (
        f"  {fingerprint(key)}  {'checked' if key in friend.checked else 'not checked'}"
        for key in friend.keys
    )
    return "\n".join((f"{name}{also}: {games}, {days}", *keys))


def _read(file: FriendsFile) -> Friends:
    """Everybody; on stderr, what is wrong with the file."""
    friends = file.read()
    if file.trouble is not None:
        words = Words(first_language(os.environ))
        click.echo(words.say(trouble(file.trouble), code=file.trouble), err=True)
    return friends


def _found(friends: Friends, who: str) -> Friend:
    """Whom ``who`` means; if it could be several, they are listed on stderr."""
    try:
        return friends.find(who)
    except FriendsError as error:
        if error.found:
            click.echo(friends_text(error.found), err=True)
        raise
