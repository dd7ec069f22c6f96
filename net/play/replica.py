"""How a replica is put together from its charter: the game, the sealed deck, the table."""

from __future__ import annotations

import rules
from net.deck.group import EDWARDS
from net.deck.sealed import VERIFIED, SealedDeck
from net.deck.standing import Standing
from net.deck.verified import Verified
from net.play.charter import Charter
from net.play.course import Player
from net.play.table import Table


def replica(charter: Charter, player: Player | None, verified: Verified = VERIFIED) -> Table:
    """A new replica of the table agreed in ``charter``, as ``player`` or only following.

    Raises ``net.play.wire.Refusal`` or ``rules.game.RuleError`` if we cannot play on these terms.
    """
    game = rules.load(charter.game, charter.deck)
    me, secret, key = (player.seat, player.secret, player.key) if player else (None, None, None)

    def deck() -> SealedDeck:
        # The table asks for it when it has found the charter's keys to be sound.
        seats = len(charter.chairs)
        standing = Standing(charter.keys, key) if charter.escrow else None
        return SealedDeck(charter.table, seats, me, secret, EDWARDS, verified, standing)

    return Table(charter, game, deck, player)
