"""Values of the rules as plain lists (for the wire) and as one line of text (for people), and back.

A value is built of ``int``, ``bool``, ``str``, ``None``, enums, tuples and frozen dataclasses. In
both forms a dataclass is its class name followed by its fields in order, an enum is its member's
name, and a tuple is a list of its items:

>>> from rules.game import Line
>>> plain(Line("set", 2, 10)), text(Line("set", 2, 10))
(['Line', 'set', 2, 10], "Line('set', 2, 10)")
>>> from_plain(Line, ["Line", "set", 2, 10]) == from_text(Line, "Line('set', 2, 10)")
True

Reading is driven by the wanted types, so it never goes deeper than they do, whatever it is given;
each value has exactly one plain form and one text.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from types import UnionType
from typing import Any, Final, TypeAlias, Union, get_args, get_origin, get_type_hints

from rules.game import Chosen, Dealt, Malformed, Opened, Shuffled

EVENTS: Final = (Shuffled, Dealt, Opened, Chosen)
"""The events, to read one with ``from_plain(EVENTS, data, game.move_types)``."""

MAX_TEXT: Final = 65536
"""Longest line that ``from_text`` looks at, in characters."""

Types: TypeAlias = type | tuple[type, ...]
_Reader: TypeAlias = Callable[[Any], Any]

_ATOMS: Final = frozenset({int, bool, str, type(None)})


def plain(value: object) -> Any:
    """``value`` as nested lists, integers, booleans, strings and ``None``.

    Raises ``Malformed("not-plain")`` for a value that is not built as described above.
    """
    kind: Any = type(value)
    if kind in _ATOMS:
        return value
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return value.name
    return [kind.__name__, *[plain(getattr(value, name)) for name in _names(kind)]]


def text(value: object) -> str:
    """``value`` as one line, much like its ``repr``; the same for ever, on every machine.

    Raises ``Malformed("not-plain")`` like ``plain``.
    """
    kind: Any = type(value)
    if kind in _ATOMS:
        return repr(value)
    if isinstance(value, tuple):
        inside = ", ".join([text(item) for item in value])
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, Enum):
        return value.name
    inside = ", ".join([text(getattr(value, name)) for name in _names(kind)])
    return f"{kind.__name__}({inside})"


def from_plain(types: Types, data: object, moves: tuple[type, ...] = ()) -> Any:
    """The value of one of ``types`` whose plain form is ``data``.

    ``moves`` are the types that a ``Move`` inside it may have. Lists and tuples are taken alike.
    Raises ``Malformed`` for anything else, and never another error.
    """
    return _reader(types, moves)(data)


def from_text(types: Types, line: str, moves: tuple[type, ...] = ()) -> Any:
    """The value of one of ``types`` whose ``text`` is ``line``, to the letter.

    ``moves`` as for ``from_plain``. Raises ``Malformed`` for anything else.
    """
    if not isinstance(line, str) or len(line) > MAX_TEXT:
        raise Malformed("text", "no line, or too long")
    try:
        tree = ast.parse(line, mode="eval")
        value = from_plain(types, _untangle(tree.body), moves)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise Malformed("text", type(error).__name__) from None
    if text(value) != line:
        raise Malformed("text", "written in another way")
    return value


def fingerprint(state: object) -> bytes:
    """32 bytes that two replicas compare: BLAKE2b-256 of the state's text, in its own domain."""
    line = text(state).encode("utf-8", "surrogatepass")
    return blake2b(line, digest_size=32, person=b"farfadet state").digest()


@cache
def _names(kind: Any) -> tuple[str, ...]:
    if not is_dataclass(kind):
        raise Malformed("not-plain", kind.__name__)
    return tuple(field.name for field in fields(kind))


def _untangle(node: ast.expr) -> Any:
    """The plain form that a parsed line stands for."""
    match node:
        case ast.Constant(value=int() | str() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case ast.Name(id=name):
            return name
        case ast.Tuple(elts=items):
            return [_untangle(item) for item in items]
        case ast.Call(func=ast.Name(id=name), args=items, keywords=[]):
            return [name, *[_untangle(item) for item in items]]
    raise Malformed("text", type(node).__name__)


# Readers: one function per wanted type, made once. Details never quote the data: it may be huge.


@cache
def _reader(wanted: Any, moves: tuple[type, ...]) -> _Reader:
    if isinstance(wanted, tuple):
        return _one_of(wanted, moves)
    if wanted is Any:
        return _one_of(moves, moves)
    origin = get_origin(wanted)
    if origin is Union or origin is UnionType:
        return _one_of(get_args(wanted), moves)
    if origin is tuple:
        return _tuple(get_args(wanted), moves)
    if wanted in _ATOMS:
        return _atom(wanted)
    if issubclass(wanted, Enum):
        return _enum(wanted)
    return _dataclass(wanted, moves)


def _atom(wanted: type) -> _Reader:
    def read(data: Any) -> Any:
        if type(data) is not wanted:
            raise Malformed("type", f"{type(data).__name__} for {wanted.__name__}")
        return data

    return read


def _enum(wanted: type[Enum]) -> _Reader:
    members = dict(wanted.__members__)

    def read(data: Any) -> Any:
        if type(data) is not str or data not in members:
            raise Malformed("enum", wanted.__name__)
        return members[data]

    return read


def _tuple(items: tuple[Any, ...], moves: tuple[type, ...]) -> _Reader:
    if len(items) == 2 and items[1] is Ellipsis:
        each = _reader(items[0], moves)
        return lambda data: tuple([each(item) for item in _listed(data)])
    readers = tuple(_reader(item, moves) for item in items if item != ())

    def read(data: Any) -> Any:
        listed = _listed(data)
        if len(listed) != len(readers):
            raise Malformed("length", len(listed))
        return tuple([reader(item) for reader, item in zip(readers, listed, strict=True)])

    return read


def _dataclass(wanted: type, moves: tuple[type, ...]) -> _Reader:
    hints = get_type_hints(wanted)
    readers = tuple(_reader(hints[name], moves) for name in _names(wanted))
    tag = wanted.__name__

    def read(data: Any) -> Any:
        listed = _listed(data)
        if len(listed) != len(readers) + 1 or type(listed[0]) is not str or listed[0] != tag:
            raise Malformed("fields", tag)
        return wanted(*[reader(item) for reader, item in zip(readers, listed[1:], strict=True)])

    return read


def _one_of(wanted: tuple[Any, ...], moves: tuple[type, ...]) -> _Reader:
    """Dataclasses are told apart by their names, all else by trying."""
    tagged: dict[str, _Reader] = {}
    others: list[_Reader] = []
    for kind in wanted:
        tag, reader = str(kind.__name__), _reader(kind, moves)
        if is_dataclass(kind):
            tagged[tag] = reader
        else:
            others.append(reader)

    def read(data: Any) -> Any:
        if isinstance(data, list | tuple) and data and type(data[0]) is str and data[0] in tagged:
            return tagged[data[0]](data)
        for reader in others:
            try:
                return reader(data)
            except Malformed:
                continue
        raise Malformed("type", type(data).__name__)

    return read


def _listed(data: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(data, list | tuple):
        raise Malformed("type", f"{type(data).__name__} for a list")
    return data
