"""What is said about an error, a move that may not be made, and an offence: a sentence a code."""

from __future__ import annotations

import logging
from typing import Final

from tui.settings import BadSetting
from tui.text import safe
from tui.words import N_, Words

log = logging.getLogger(__name__)


def trouble(code: str) -> str:
    """What to say about an error with this ``code``, to translate; its blank is ``{code}``.

    ``"unforeseen"`` has the blank ``{log}`` instead, the path of the log.
    """
    return _TROUBLES.get(code, _UNKNOWN)


def noted(error: Exception) -> str:
    """The code of ``error``, which goes to the log: whole, if it was not foreseen."""
    code = getattr(error, "code", None)
    # An error of the system has codes of its own.
    if not isinstance(code, str) or isinstance(error, OSError):
        log.error("unforeseen", exc_info=error)
        return type(error).__name__
    log.info("failed: %s", error)
    return code


def told(words: Words, error: Exception, code: str) -> str:
    """What to say about ``error``, which has this ``code``, in somebody's language."""
    from net.meeting.spoken import BadWords

    # A code may come from the other end of the line.
    blanks: dict[str, object] = {"code": safe(code, 40)}
    if isinstance(error, BadWords):
        word = -1 if error.word is None else error.word
        blanks["n"] = word if code == "how-many-words" else word + 1
        blanks |= {"next": word + 2, "word": safe(error.word_text, 32), "meant": error.suggestion}
    if isinstance(error, BadSetting):
        blanks |= error.blanks
    try:
        return words.say(trouble(code), **blanks)
    except KeyError:
        # A stranger's code that only errors of ours have, with more to say.
        return words.say(_UNKNOWN, **blanks)


def refusal(code: str) -> str:
    """Why a move may not be made, to translate."""
    return _REFUSALS.get(code, N_("That is not possible now ({code})."))


def offence(code: str) -> str:
    """How ``{who}`` has stopped the table, to translate; a blank may be ``{code}``."""
    broke = N_("The game is stopped: {who} broke the protocol ({code}). Nobody has won.")
    return _OFFENCES.get(code, broke)


_UNKNOWN: Final = N_("Something went wrong ({code}). Try again; the log says more.")
_NO_BROKER: Final = N_("Nobody answers there. Is the host's farfadet still open? Then try again.")
_BAD_INVITATION: Final = N_(
    "That is no invitation. Copy all of it, from the first character to the last."
)
_BAD_PORT: Final = N_("That port cannot be used here. Choose another one with --port.")

_TROUBLES: Final = {
    "unforeseen": N_("Something unforeseen went wrong. The details are in {log}."),
    "bad-invitation": _BAD_INVITATION,
    "bad-port": _BAD_INVITATION,
    "wrong-word": N_("Word {n}, “{word}”: was it “{meant}”?"),
    "no-word": N_("Word {n}, “{word}”, is not one of ours. Ask to have it said again."),
    "swapped-words": N_("Words {n} and {next} have changed places: “{meant}”."),
    "wrong-address": N_("The address is not right: was it “{meant}”?"),
    "no-address": N_("What follows the @ is no address of a broker."),
    "how-many-words": N_(
        "An invitation has six or seven words, or four before an @; here are {n}."
    ),
    "wrong-words": N_("The words do not fit together. Have them said again."),
    "nobody-here": N_("The host of this table does not answer. Ask for a new invitation."),
    "other-broker": N_(
        "The host of this table does not answer at the broker that is used here; the invitation "
        "names another one."
    ),
    "wrong-key": N_("That invitation does not open this table. Copy all of it, to the last sign."),
    "begun": N_("They play already. Look on with: farfadet watch, and the same invitation."),
    "game-over": N_("The game at this table is over. Ask for a new invitation."),
    "no-open-table": N_("No open table has a seat for you now. Host one, and it is found."),
    "no-broker": N_("Open tables are on a shared broker. Say which one with --broker."),
    "host-left": N_("The host has gone before the game began. Ask for a new invitation."),
    "not-seated": N_("Somebody has gone while sitting down. Join again, or host another table."),
    "nobody-present": N_("Nobody is left who could deal the cards: the game cannot go on."),
    "table-full": N_("This table is full. Ask for a place at another one."),
    "unknown-game": N_("This table plays a game you do not have. Update farfadet."),
    "other-rules": N_("This table plays another version of the rules. Update farfadet on both."),
    "no-table": N_("There is no table to go back to."),
    "in-use": N_("You are at this table already, in another terminal."),
    "no-journal": N_("What was kept of this table is damaged; it cannot be gone back to."),
    "bad-deck": N_("The cards of this table cannot be played with here. Update farfadet on both."),
    "fixed-deck": N_("This game is always played with its own cards."),
    "seats": N_("This game is not for that many players. Choose another number of seats."),
    "bad-url": N_("That is no address of a broker. Write it like mqtt://host:1883."),
    "no-answer": _NO_BROKER,
    "timeout": N_("Nobody answers there: a wrong address, or a firewall in between."),
    "refused": N_(
        "The machine is there, but no broker at that port. Is the host's farfadet still open?"
    ),
    "no-such-host": N_("There is no machine of that name. Is the address written right?"),
    "no-route": N_("There is no way to that machine from here. Are you on the same network?"),
    "tls": N_(
        "The broker's certificate is not trusted here, or it does not speak TLS. Ask its owner."
    ),
    "auth": N_(
        "The broker wants a name and a password that it knows: --broker mqtts://name:password@host."
    ),
    "failed": N_("The broker cannot be used. What is wrong says: farfadet doctor --broker URL"),
    "closed": N_("The connection was closed. Join again with the same invitation."),
    "denied": N_("The broker does not let you in. Ask the host for a new invitation."),
    "died": N_("The broker stopped by itself. Host again; the log says why it stopped."),
    "binary-missing": N_("The broker's program is missing. Install farfadet again."),
    "no-permission": _BAD_PORT,
    "address-in-use": _BAD_PORT,
    "no-such-address": _BAD_PORT,
    "no-referee": N_("No referee answers on this broker. Host without one, or start one there."),
    "referee-stopped": N_("No referee runs here. Start one with: farfadet referee --broker URL"),
    "referee-in-use": N_("A referee uses this folder already. Choose another one with --data."),
    "no-record": N_("No referee has kept a record here. See where with: farfadet locate."),
    "other-record": N_(
        "Another version of farfadet wrote this record. Choose another folder with --data."
    ),
    "friends-damaged": N_(
        "The list of people you have met was damaged: what could be read of it is in use, and all "
        "of it is kept beside it. See where with: farfadet locate."
    ),
    "friends-not-saved": N_(
        "The list of people you have met cannot be read or written; what is new is remembered "
        "until you leave. See where it is with: farfadet locate."
    ),
    "nobody-known": N_("You have met nobody of that name or key. See whom with: farfadet friends."),
    "which-friend": N_(
        "That could be several people. Write the name exactly, or the start of a key's words."
    ),
    "name-taken": N_("You call somebody else that already. Choose another name."),
    "bad-name": N_("That is no name: between 1 and 64 characters that can be seen."),
    "no-such-setting": N_("There is no setting “{key}”. See them with: farfadet config list"),
    "bad-setting": N_("“{value}” cannot be the setting {key}; it can be: {possible}."),
    "settings-damaged": N_(
        "Your settings cannot be read ({why}). The usual ones are used, and the file is left as it "
        "is. See where with: farfadet config path"
    ),
    "settings-not-saved": N_(
        "Your settings cannot be written; what is new holds until you leave. See where with: "
        "farfadet config path"
    ),
    "key-missing": N_(
        "Here you are known by your ssh key, and you have none. Make one with: ssh-keygen -t "
        "ed25519, then come again."
    ),
    "key-unknown": N_(
        "This host lets in friends only, and does not know your key. Send its owner the line that "
        "is in ~/.ssh/id_ed25519.pub."
    ),
    "host-full": N_("Every place on this host is taken. Come again a little later."),
    "no-newcomers": N_("This host takes no new guests any more. Ask its owner to make room."),
    "host-crowded": N_("Too many guests come from your address already. Come again later."),
    "idle": N_("You have pressed no key for a long time: goodbye. Your seat waits for you."),
    "closing": N_("This host is closing: goodbye. Your seat waits for you."),
    "guest-killed": N_("That took more than a guest may take, and was ended. Come again."),
    "host-failed": N_("This host has a problem of its own. Tell its owner, and come again later."),
    "bad-order": N_(
        "After the host's name comes nothing, or join and an invitation, or watch and an "
        "invitation: ssh -t HOST join INVITATION"
    ),
    "bad-host-key": N_("The host's key cannot be read. See where it is with: farfadet locate."),
    "bad-friend-keys": N_("There is no key in the file of those who may come in; so nobody may."),
    "replay-file": N_("That is no saved game, or one whose file is damaged from its beginning."),
    "replay-game": N_("That is a saved game that this farfadet does not have. Update farfadet."),
    "replay-rules": N_("That was played with other rules: another version of farfadet shows it."),
    "replay-gone": N_("That file cannot be read: it is gone, or not for you."),
    "replay-kept": N_("That file cannot be deleted. See where it is with: farfadet locate."),
    "bad-folder": N_("The broker cannot write its files. See where with: farfadet locate."),
}

_REFUSALS: Final = {
    "no-aim": N_("Aim at something first."),
    "sealed": N_("Your choice is sealed: there is no way back."),
    "not-asked": N_("Nothing is asked of you right now."),
    "looking-on": N_("You are looking on, not playing."),
    "no-such-seat": N_("Nobody sits there."),
    "not-now": N_("That is for another moment of the game."),
    "move-text": N_("That is no move; F1 lists them all."),
}

_OFFENCES: Final = {
    "two-votes": N_("Stopped, nobody has won: {who} has voted twice in different ways."),
    "bad-roll": N_("Stopped, nobody has won: {who} has called a false roll."),
    "escrow-piece": N_("Stopped, nobody has won: {who} gave a false piece of a key."),
    "false-complaint": N_("Stopped, nobody has won: {who} complained of a key without cause."),
}
