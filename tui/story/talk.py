"""Talk in words: how what is said is shown, why it is refused, and who is heard no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from net.people.chat import LONGEST_TEXT, Said, Voice
from net.people.talk import Talk
from tui.story.members import NAME
from tui.text import plain, safe
from tui.words import N_, Pieces, Words

CELLS: Final = 2 * LONGEST_TEXT
"""Most cells of what somebody says: wide characters take two."""

MARK: Final = "▸"
"""Stands before what is said, where the history has a number."""

REFUSALS: Final = {
    "too-long": N_("That is too long to be said at once."),
    "too-fast": N_("Not so fast: wait a moment before you say more."),
    "offline": N_("The connection is lost: nobody would hear you."),
}
"""Why a line was not said, by the code of ``net.people.chat.ChatError``."""

HUSHED: Final = {
    True: N_("Those who look on are not heard any more."),
    False: N_("Those who look on are heard again."),
}


def name(voice: Voice) -> str:
    """What somebody is called, as on the boards; who has no seat stands in square brackets."""
    called = safe(voice.name, NAME)
    if voice.seat is None:
        return f"[{called or '?'}]"
    return called or f"({'abcdef'[voice.seat % 6]})"


def spoken(words: Words, said: Said) -> Pieces:
    """A line of the talk. Whatever is in it, it is only text."""
    if said.mine:
        who: Pieces = ((words.say(N_("you")), "me"),)
    else:
        who = ((words.fold(name(said.voice)), "dim" if said.voice.seat is None else "name"),)
    told = words.fold(safe(said.text, CELLS))
    return words.tell(N_("{who}: {text}"), who=who, text=((told, "chat"),))


def mute(talk: Talk, called: str) -> tuple[str, str]:
    """Hear whoever is ``called`` so no more; without a name, say who is muted.

    Returns what is to be told, to translate, and its blank ``{who}``.
    """
    if not called:
        return N_("Muted: {who}"), ", ".join(map(name, talk.muted)) or "-"
    # Who looks on may bear the name of a seat, to have it muted in their place.
    muted = {voice.key for voice in talk.muted}
    who = [voice for voice in _meant(talk.voices, called) if voice.key not in muted]
    crowd = [voice for voice in who if voice.seat is None]
    return _each(crowd or who[:1], called, talk.mute, N_("You do not hear {who}."))


def unmute(talk: Talk, called: str) -> tuple[str, str]:
    """Hear them again; returns what ``mute`` does."""
    who = _meant(talk.muted, called)
    return _each(who, called, talk.unmute, N_("You hear {who} again."))


def _each(who: list[Voice], called: str, do: Callable[[Voice], None], said: str) -> tuple[str, str]:
    if not who:
        return N_("Nobody here is called {who}."), called
    for voice in who:
        do(voice)
    return said, name(who[0])


def _meant(voices: Iterable[Voice], called: str) -> list[Voice]:
    """Who is meant by a name: accents, capitals and brackets do not matter."""
    wanted = called.strip("[]").casefold()
    names = ((voice, name(voice).strip("[]").casefold()) for voice in voices)
    return [voice for voice, mine in names if wanted and wanted in (mine, plain(mine))]
