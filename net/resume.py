"""Back at the table after a crash: a replica that is what it was, from its journal.

The journal is fed to a fresh replica in the order in which it was written. What our own seat said
is not made again but taken as it was said; only choices are made anew, since opening one takes what
is not in the message: the same secret at the same place makes the same commitment.
"""

from __future__ import annotations

from collections.abc import Sequence

from nacl.signing import SigningKey

import rules
from net.charter import read_charter
from net.course import Player
from net.deck.sealed import VERIFIED, SealedDeck
from net.deck.verified import Verified
from net.journal import Checked, Chosen, Entry, Heard, JournalError, Ticket
from net.table import Table
from net.wire import Refusal, parse
from rules.form import from_plain
from rules.game import RuleError


def restored(ticket: Ticket, entries: Sequence[Entry], verified: Verified = VERIFIED) -> Table:
    """The replica that wrote this journal, as it was; its newest messages are in its outbox again.

    Raises ``JournalError("other-rules")`` if this version of the game does not play on from there.
    """
    table = _fresh(ticket, verified)
    verified.know(entry.key for entry in entries if isinstance(entry, Checked))
    chosen = {entry.step for entry in entries if isinstance(entry, Chosen)}
    for entry in entries:
        if isinstance(entry, Heard):
            message = parse(entry.message)
            if message.seat == ticket.seat and message.step not in chosen:
                table.remember(entry.message)
    for entry in entries:
        match entry:
            case Heard(message=data):
                table.receive(data)
            case Chosen(step=step, move=move) if step == table.step:
                _choose(table, move)
        table.work()
    table.outbox.clear()
    table.outbox.extend(table.mine())
    return table


def _fresh(ticket: Ticket, verified: Verified) -> Table:
    try:
        charter = read_charter(ticket.charter)
        game = rules.load(charter.game, charter.deck)
        deck = SealedDeck(
            charter.table, len(charter.chairs), ticket.seat, ticket.secret, verified=verified
        )
        return Table(
            charter, game, deck, Player(ticket.seat, SigningKey(ticket.key), ticket.secret)
        )
    except (Refusal, RuleError) as error:
        raise JournalError("other-rules") from error


def _choose(table: Table, data: object) -> None:
    try:
        table.choose(from_plain(table.game.move_types, data))
    except RuleError as error:
        raise JournalError("other-rules") from error
