"""A room before the game in words: its terms, and what it waits for."""

from __future__ import annotations

from rules.form import fingerprint
from tui.company import called
from tui.sitting import Room
from tui.wish import limit_said
from tui.words import N_, NN_, Pieces, Words, text


def waiting(words: Words, room: Room, for_us: str) -> str:
    """What the room waits for; ``for_us`` is what to say if it is for our player alone."""
    missing = room.seats - len(room.guests)
    late = [guest for guest in room.guests if not guest.ready]
    if missing:
        said = NN_("Waiting for one more player.", "Waiting for {n} more players.")
        told = words.count(said, missing)
    elif any(guest.mine for guest in late):
        told = for_us
    elif late:
        names = words.several([((called(words, guest.name), ""),) for guest in late])
        told = text(words.tell(N_("Everybody is here. Waiting for {who}."), who=names))
    else:
        told = words.say(N_("Everybody is here: the table is being laid."))
    if room.looking_on:
        told = words.say(N_("You are looking on. {what}"), what=told)
    return told


def cards(words: Words, room: Room) -> Pieces:
    """That the host has brought other cards, and a mark of them to compare."""
    deck = room.game.deck
    if not deck:
        return ()
    mark = fingerprint(deck).hex()[:8]
    return ((" · " + words.say(N_("the host's own cards, {mark}"), mark=mark), "warning"),)


def terms(words: Words, room: Room) -> str:
    """What is agreed for the case that somebody is missing, and what the host can still change."""
    agreed = list[str]()
    if room.offer is not None:
        agreed.append(words.say(N_("players: {n}"), n=room.seats))
    if room.limit or room.offer is not None:
        agreed.append(words.say(N_("time limit: {time}"), time=limit_said(words, room.limit)))
    if room.refereed:
        agreed.append(words.say(N_("with a referee")))
    if room.escrow:
        agreed.append(words.say(N_("keys in escrow")))
    return " · ".join(agreed)
