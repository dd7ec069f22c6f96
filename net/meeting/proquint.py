"""Sixteen bits as a word of five letters that can be said: a proquint (Wilkerson, 2009).

>>> proquint(0x7F00), proquint(1)
('lusab', 'babad')
>>> read_proquint("lusab") == 0x7F00
True
>>> read_proquint("lusaq") is None
True
"""

from __future__ import annotations

CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aiou"
_PLACES = ((CONSONANTS, 12), (VOWELS, 10), (CONSONANTS, 6), (VOWELS, 4), (CONSONANTS, 0))


def proquint(value: int) -> str:
    """The word for ``value``, from 0 to 65535."""
    return "".join(letters[value >> shift & len(letters) - 1] for letters, shift in _PLACES)


def read_proquint(word: str) -> int | None:
    """The value of ``word``, in small letters; ``None`` if that is no proquint."""
    if len(word) != len(_PLACES):
        return None
    value = 0
    for letter, (letters, shift) in zip(word, _PLACES, strict=True):
        if letter not in letters:
            return None
        value |= letters.index(letter) << shift
    return value
