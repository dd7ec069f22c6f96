"""An invitation short enough to be said over the phone, that finds and names its own typos.

Words of five letters (``net/meeting/proquint.py``): where the broker is, a secret of three words,
and a check word. Where two words cannot say the broker, its name follows an ``@``, and ``tls``
precedes it if the broker speaks that. What the secret leads to is in ``net/meeting/knock.py``.

>>> print(Spoken("192.168.1.20", OWN_PORT, False, b"secret"))
safom-bahih-latoj-katuf-kijuh-ramal
>>> print(Spoken("games.example.net", 8883, True, b"secret"))
latoj-katuf-kijuh-dojof-tls@games.example.net
>>> read_spoken("Safom bahih, latoj katuf; KIJÛH ramal").secret
b'secret'
>>> read_spoken("safom-bahih-ladoj-katuf-kijuh-ramal")
Traceback (most recent call last):
net.meeting.spoken.BadWords: wrong-word: 3 'ladoj', not 'latoj'

The check word makes all this a Reed-Solomon code with one check symbol, over GF(2^16): with ``w``
the symbols (the words, the letters of the address) and ``g`` an element of the field, the sum of
``g**k * w[k]`` is zero. So *every* change of one word, and *every* exchange of two, is found (a
hash of 16 bits would let one in 65536 pass), and for each place there is exactly one word that
would mend it: the one that looks like what was written is what was meant. A word that is none at
all can be computed from the others.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address

from net.link.address import PORTS, Broker
from net.meeting.invitation import BadInvitation
from net.meeting.proquint import proquint, read_proquint

OWN_PORT = 21883
"""Where an embedded broker listens if it may choose: the port that words alone need not say."""

SECRET = 6
"""Length of the secret in bytes."""

MOST_SLIPS = 2
"""Letters that a word which is none may differ in from the one that is meant."""

_MODULUS = 0x1100B
"""x^16 + x^12 + x^3 + x + 1, which makes GF(2^16) of 16 bits."""

_G, _OVER_G = 0x2267, 0xE710
"""What one place weighs more than the next, and one over that: an element of order 21845, found by
trying. With x, of order 65535, one wrong letter in one place would look like another one elsewhere,
since x only shifts bits; with this one it never does, be it in the words or in 30 characters.
"""

# The places of the symbols: the words count from the last, the check word, which is 0.
_KIND, _ADDRESS = 8, 9

_HOST = re.compile(
    r"(?P<host>\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?)(:(?P<port>[0-9]{1,5}))?"
)
_AROUND = re.compile(r"^[^a-z0-9\[]+|[^a-z0-9\]]+$|\s+")
_TLS = "tls"


class BadWords(BadInvitation):
    """Words that are no invitation.

    Codes: ``"how-many-words"`` (``word`` is how many there are); ``"no-word"`` (``word_text``, at
    the index ``word``, cannot be one of ours); ``"wrong-word"`` (it must be ``suggestion``);
    ``"swapped-words"`` (it and the next one must be exchanged: ``suggestion``); ``"wrong-address"``
    (what follows the ``@`` must be ``suggestion``); ``"no-address"`` (nothing that could be);
    ``"wrong-words"`` (something is wrong, nobody knows where).
    """

    def __init__(
        self, code: str, word: int | None = None, word_text: str = "", suggestion: str = ""
    ) -> None:
        super().__init__(code)
        self.word = word
        self.word_text = word_text
        self.suggestion = suggestion

    def __str__(self) -> str:
        where = "" if self.word is None or not self.word_text else f" {self.word + 1}"
        what = f" {self.word_text!r}" if self.word_text else ""
        meant = f", not {self.suggestion!r}" if self.suggestion else ""
        return f"{self.code}:{where}{what}{meant}" if where or what or meant else self.code


@dataclass(frozen=True, slots=True)
class Spoken:
    """Which broker, and a secret for finding the host there. ``host`` is in small letters.

    Raises ``ValueError`` if this cannot be said: a secret that is not ``SECRET`` bytes long, a port
    or a name that are none.
    """

    host: str
    port: int
    tls: bool
    secret: bytes

    def __post_init__(self) -> None:
        bracketed = f"[{self.host}]" if ":" in self.host else self.host
        if not (
            len(self.secret) == SECRET
            and 1 <= self.port <= 65535
            and _HOST.fullmatch(f"{bracketed}:{self.port}")
        ):
            raise ValueError("this cannot be said in words")

    @classmethod
    def fresh(cls, host: str, port: int, tls: bool = False) -> Spoken:
        """Words for the broker at ``host`` with a new secret; raises ``ValueError``."""
        return cls(host.lower(), port, tls, secrets.token_bytes(SECRET))

    @property
    def broker(self) -> Broker:
        """Where to go."""
        return Broker(self.host, self.port, self.tls)

    def __str__(self) -> str:
        """The words, ready to be said or typed."""
        numbers = _shorts(self.secret)
        number, address = _numbered(self.host, self.tls), ""
        if number is None:
            address = _written(self.host, self.port, self.tls)
        else:
            port = [] if self.port == OWN_PORT else [self.port]
            numbers = [*_shorts(number.packed), *port, *numbers]
        numbers.append(_off([*numbers, 0], address, self.tls))
        said = [*map(proquint, numbers), *([_TLS] if self.tls else [])]
        return "-".join(said) + (f"@{address}" if address else "")


def looks_spoken(text: str) -> bool:
    """Whether ``text`` is rather words than an invitation as ``invitation.py`` writes it."""
    return not any(mark in text for mark in "/#") and any(map(str.isalpha, text))


def read_spoken(text: str) -> Spoken:
    """What the words in ``text`` say; raises ``BadWords``.

    Case, accents, quotes, and whatever separates the words or does not, are ignored.
    """
    said, at, rest = _folded(text).partition("@")
    words = [word for word in re.split(r"[\W_]+", said) if word]
    letters = "".join(words)
    tls = bool(at) and letters.endswith(_TLS)
    if tls:
        letters = letters.removesuffix(_TLS)
        words = words[:-1] if words[-1] == _TLS else words
    whole = [letters[place : place + 5] for place in range(0, len(letters), 5)]
    if None not in map(read_proquint, whole):
        # However they were cut or joined.
        words = whole
    host, port = _read_address(rest, tls) if at else ("", OWN_PORT)
    address = _written(host, port, tls) if at else ""
    numbers = _read_words(words, address, tls)
    off = _off(numbers, address, tls)
    if off:
        found = [*_mendable(numbers, off), *_exchangeable(numbers, address, tls)]
        found += _respellable(address, off, tls)
        raise found[0] if len(found) == 1 else BadWords("wrong-words")
    secret = b"".join(number.to_bytes(2, "big") for number in numbers[-4:-1])
    if at:
        return Spoken(host, port, tls, secret)
    if len(numbers) == 7:
        port = numbers[2]
    if port == 0:
        raise BadWords("wrong-words")
    return Spoken(str(IPv4Address(numbers[0] << 16 | numbers[1])), port, False, secret)


def _folded(text: str) -> str:
    """``text`` in small letters, without accents."""
    apart = unicodedata.normalize("NFKD", text).lower()
    return "".join(char for char in apart if not unicodedata.combining(char))


def _read_words(words: list[str], address: str, tls: bool) -> list[int]:
    """The numbers the words stand for, if all are words and of the right number."""
    counts = (4,) if address else (6, 7)
    numbers = [read_proquint(word) for word in words]
    illegible = [at for at, number in enumerate(numbers) if number is None]
    if illegible:
        at, meant = illegible[0], ""
        if len(illegible) == 1 and len(words) in counts:
            off = _off([number or 0 for number in numbers], address, tls)
            meant = proquint(_over(off, len(words) - 1 - at))
        if meant and _slips(words[at], meant) <= MOST_SLIPS:
            raise BadWords("wrong-word", at, words[at], meant)
        raise BadWords("no-word", at, words[at])
    if len(words) not in counts:
        raise BadWords("how-many-words", len(words))
    return [number for number in numbers if number is not None]


def _mendable(numbers: list[int], off: int) -> Iterator[BadWords]:
    """The words of which one letter may be wrong."""
    for at, number in enumerate(numbers):
        word, meant = proquint(number), proquint(number ^ _over(off, len(numbers) - 1 - at))
        if sum(one != other for one, other in zip(word, meant, strict=True)) == 1:
            yield BadWords("wrong-word", at, word, meant)


def _exchangeable(numbers: list[int], address: str, tls: bool) -> Iterator[BadWords]:
    """The neighbours that may have changed places."""
    for at in range(len(numbers) - 1):
        one, other = numbers[at : at + 2]
        if not _off([*numbers[:at], other, one, *numbers[at + 2 :]], address, tls):
            pair = f"{proquint(one)} {proquint(other)}", f"{proquint(other)} {proquint(one)}"
            yield BadWords("swapped-words", at, *pair)


def _respellable(address: str, off: int, tls: bool) -> Iterator[BadWords]:
    """What the address may be with one other character."""
    change = _over(off, _ADDRESS)
    for at, char in enumerate(address):
        code, change = ord(char) ^ change, _over(change, 1)
        meant = address[:at] + chr(code) + address[at + 1 :] if code < 128 else ""
        with suppress(BadWords):
            if _written(*_read_address(meant, tls), tls) == meant:
                yield BadWords("wrong-address", None, address, meant)


def _shorts(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]


def _numbered(host: str, tls: bool) -> IPv4Address | None:
    """The address that two words can say."""
    try:
        return None if tls else IPv4Address(host)
    except AddressValueError:
        return None


def _written(host: str, port: int, tls: bool = False) -> str:
    """How an address follows the ``@``."""
    name = f"[{host}]" if ":" in host else host
    return name if port == PORTS["mqtts" if tls else "mqtt"] else f"{name}:{port}"


def _read_address(text: str, tls: bool) -> tuple[str, int]:
    """The host and the port in what follows the ``@``; raises ``BadWords("no-address")``."""
    cleaned = _AROUND.sub("", text)
    match = _HOST.fullmatch(cleaned)
    port = int(match["port"] or PORTS["mqtts" if tls else "mqtt"]) if match else 0
    if match is None or not 1 <= port <= 65535:
        raise BadWords("no-address", None, cleaned)
    return match["host"].strip("[]"), port


def _off(numbers: Sequence[int], address: str, tls: bool) -> int:
    """By how much the words and the address do not fit together: 0 if they do."""
    # No two forms of invitation have the same kind, and none has 0.
    kind = 3 + tls if address else len(numbers) - 5
    symbols = dict(enumerate(reversed(numbers)))
    symbols |= {_KIND: kind} | {_ADDRESS + at: ord(char) for at, char in enumerate(address)}
    total = 0
    # Horner's rule.
    for place in range(max(symbols), -1, -1):
        total = _times(total, _G) ^ symbols.get(place, 0)
    return total


def _over(value: int, power: int) -> int:
    """``value / g**power``."""
    for _ in range(power):
        value = _times(value, _OVER_G)
    return value


def _times(one: int, other: int) -> int:
    """The product in GF(2^16)."""
    product = 0
    while other:
        if other & 1:
            product ^= one
        other >>= 1
        one <<= 1
        if one >> 16:
            one ^= _MODULUS
    return product


def _slips(one: str, other: str) -> int:
    """How many letters must be changed, left out or put in to make one of the other."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, row = row, [at]
        for to, wanted in enumerate(other):
            row.append(min(before[to + 1] + 1, row[to] + 1, before[to] + (letter != wanted)))
    return row[-1]
