"""Talk in a room: signed lines, each heard once, and no more of them than one can read. No I/O.

A line is ``raw || signature``: ``raw`` is the msgpack array ``[room, key, count, name, text]``, and
the signature is that of ``key`` over ``b"farfadet/1 chat\\0" + raw``. Seats sign with the key they
have for the table, so a line that is shown as a seat's is that seat's; who looks on signs with a
key of its own and says what it wants to be called. An empty text says: I am looking on.

Nothing here is part of the game: lines are in no transcript, nobody waits for one, and one that is
lost is lost.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from unicodedata import normalize

from nacl.signing import SigningKey

from net.people.identity import KEY, acceptable
from net.play.charter import LONGEST_NAME
from net.play.wire import SIGNATURE, Refusal, state, stated, states
from rules.game import Seat

DOMAIN = b"farfadet/1 chat\0"

LONGEST_TEXT = 200
"""Most characters in a line."""

LONGEST = 4 * (LONGEST_TEXT + LONGEST_NAME) + SIGNATURE + KEY + 64
"""Most bytes of a line."""

KEPT = 100
"""Lines of the seats that are kept; of those who look on, as many more."""

BURST, EVERY = 5, 2.0
"""How many lines one may say at once, and the seconds after which one more."""

HEARD_BURST = 2 * BURST
"""How many lines of one voice are heard at once: some may have been held up on their way."""

CROWD_BURST, CROWD_EVERY = 15, 1.0
"""The same for all who look on, together."""

CHECK_BURST, CHECK_EVERY = 100, 0.02
"""The same for signatures looked at: a flood of lines must not keep us from the game."""

CROWD = 64
"""Most voices without a seat that are told apart; the one that was silent longest goes."""

SEEN_FOR = 45.0
"""Seconds for which somebody who looks on is counted after having been heard."""


class ChatError(Exception):
    """Why a line was not said.

    Codes: ``"too-long"``, ``"too-fast"`` (too much in too short a time), ``"offline"`` (nobody
    would hear it, see ``net/people/talk.py``).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Voice:
    """Somebody who can talk here: a ``seat``, or (``None``) somebody who looks on.

    ``name`` is text from the network.
    """

    key: bytes
    name: str
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Said:
    """A line; a higher ``number`` was heard later. ``text`` is text from the network."""

    number: int
    voice: Voice
    text: str
    mine: bool


class Bucket:
    """Lets ``burst`` things pass at once, then one more every so many seconds."""

    def __init__(self, burst: int, every: float) -> None:
        self._burst, self._every = burst, every
        self._left, self._at = float(burst), 0.0

    def take(self, now: float) -> bool:
        """Whether one may pass ``now``; if so, it has."""
        gained = max(0.0, now - self._at) / self._every
        self._left, self._at = min(self._burst, self._left + gained), now
        if self._left < 1:
            return False
        self._left -= 1
        return True


@dataclass(slots=True)
class _Heard:
    """What is known of one voice: its last count, when it was heard, how much it has said."""

    name: str = ""
    count: int = -1
    at: float = -SEEN_FOR
    bucket: Bucket = field(default_factory=lambda: Bucket(HEARD_BURST, EVERY))


class Chat:
    """The talk in ``room`` as the holder of ``key``, called ``name``, hears it and joins in.

    ``start`` is a number that is higher whenever one comes back with the same key: the time in
    milliseconds. Times are seconds of any clock that goes forward.
    """

    def __init__(self, room: str, key: SigningKey, name: str, start: int) -> None:
        self.refused: Counter[str] = Counter()
        """How much of what came was not heard, by code."""
        self.hushed = False
        """Whether nobody without a seat is heard."""
        self._room, self._key, self._name = room, key, name[:LONGEST_NAME]
        self._public = bytes(key.verify_key)
        self._count = start
        self._seats: tuple[tuple[bytes, str], ...] = ()
        self._own = Bucket(BURST, EVERY)
        self._crowd = Bucket(CROWD_BURST, CROWD_EVERY)
        self._checks = Bucket(CHECK_BURST, CHECK_EVERY)
        self._heard: OrderedDict[bytes, _Heard] = OrderedDict()
        self._muted: dict[bytes, Voice] = {}
        self._said = 0
        self._seated: deque[Said] = deque(maxlen=KEPT)
        self._others: deque[Said] = deque(maxlen=KEPT)

    def sit(self, seats: Sequence[tuple[bytes, str]]) -> None:
        """The seats, in order, have these table keys and names."""
        self._seats = tuple(seats)

    @property
    def lines(self) -> tuple[Said, ...]:
        """What has been said of late by those who are not muted, the oldest first."""
        found = [
            said
            for said in (*self._seated, *self._others)
            if said.voice.key not in self._muted
            and not (self.hushed and said.voice.seat is None and not said.mine)
        ]
        return tuple(sorted(found, key=lambda said: said.number))

    @property
    def voices(self) -> tuple[Voice, ...]:
        """Everybody who could be muted: the other seats, then who has been heard without one."""
        seats = [self._voice(key) for key, _ in self._seats if key != self._public]
        return (*seats, *(self._voice(key) for key in self._heard if self._seat(key) is None))

    @property
    def muted(self) -> tuple[Voice, ...]:
        """Who is not heard, besides those who are hushed all together."""
        return tuple(self._muted.values())

    def watching(self, now: float) -> int:
        """How many others look on, as far as they say so."""
        return sum(
            self._seat(key) is None and now - heard.at < SEEN_FOR
            for key, heard in self._heard.items()
        )

    def mute(self, voice: Voice) -> None:
        """Do not hear ``voice`` any more."""
        self._muted[voice.key] = voice

    def unmute(self, voice: Voice) -> None:
        """Hear ``voice`` again."""
        self._muted.pop(voice.key, None)

    # Speaking and hearing.

    def say(self, text: str, now: float) -> bytes:
        """Say ``text``, 1 to ``LONGEST_TEXT`` characters; returns what to publish.

        Raises ``ChatError``.
        """
        text = normalize("NFC", text)
        if not 1 <= len(text) <= LONGEST_TEXT:
            raise ChatError("too-long")
        if not self._own.take(now):
            raise ChatError("too-fast")
        voice = Voice(self._public, self._name, self._seat(self._public))
        self._keep(voice, text, mine=True)
        return self._sign(text)

    def here(self) -> bytes:
        """What somebody who looks on publishes now and then to be counted."""
        return self._sign("")

    def receive(self, data: bytes, now: float) -> bool:
        """Take what somebody else published; whether there is anything new to be shown."""
        try:
            key, count, name, text = self._read(data, now)
            heard = self._heard.get(key) or _Heard()
            if count <= heard.count:
                raise Refusal("stale")
            heard.count = count
            seat = self._seat(key)
            new = seat is None and now - heard.at >= SEEN_FOR
            heard.name, heard.at = name, now
            self._heard[key] = heard
            self._heard.move_to_end(key)
            self._forget()
            if not text:
                return new
            self._let_pass(key, heard, now)
        except Refusal as refusal:
            self.refused[refusal.code] += 1
            return False
        self._keep(self._voice(key), text, mine=False)
        return True

    def _let_pass(self, key: bytes, heard: _Heard, now: float) -> None:
        """Raise ``Refusal`` if this voice is not to be heard, or has said too much."""
        seat = self._seat(key)
        if key in self._muted or (self.hushed and seat is None):
            raise Refusal("muted")
        if not heard.bucket.take(now) or (seat is None and not self._crowd.take(now)):
            raise Refusal("flood")

    def _read(self, data: bytes, now: float) -> tuple[bytes, int, str, str]:
        match stated(data, LONGEST):
            case [str(room), bytes(key), int(count), bytes(name), bytes(text)] if (
                room == self._room
                and len(key) == KEY
                and key != self._public
                and not isinstance(count, bool)
                and count >= 0
            ):
                said = _text(text, LONGEST_TEXT)
                called = _text(name, LONGEST_NAME)
                if not self._checks.take(now):
                    raise Refusal("flood")
                if not acceptable(key) or not states(key, DOMAIN, data):
                    raise Refusal("signature")
                return key, count, called, said
        raise Refusal("chat")

    def _sign(self, text: str) -> bytes:
        self._count += 1
        content = [self._room, self._public, self._count, self._name.encode(), text.encode()]
        return state(self._key, DOMAIN, content)

    def _keep(self, voice: Voice, text: str, mine: bool) -> None:
        kept = self._others if voice.seat is None else self._seated
        kept.append(Said(self._said, voice, text, mine))
        self._said += 1

    # Who is who.

    def _seat(self, key: bytes) -> Seat | None:
        return next((seat for seat, (own, _) in enumerate(self._seats) if own == key), None)

    def _voice(self, key: bytes) -> Voice:
        seat = self._seat(key)
        # What a seat is called was agreed when it sat down, whatever it says now.
        name = self._heard[key].name if seat is None else self._seats[seat][1]
        return Voice(key, name, seat)

    def _forget(self) -> None:
        """Tell no more than ``CROWD`` voices without a seat apart."""
        crowd = [key for key in self._heard if self._seat(key) is None]
        for key in crowd[: max(0, len(crowd) - CROWD)]:
            del self._heard[key]


def _text(data: bytes, most: int) -> str:
    """Composed text of at most ``most`` characters; raises ``Refusal``."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Refusal("text") from None
    if len(text) > most or normalize("NFC", text) != text:
        raise Refusal("text")
    return text
