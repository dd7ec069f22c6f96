"""Players that are programs: each sees what its seat sees, and draws from its own randomness."""

from rules.bots.chooser import Chooser, Source
from rules.bots.steady import steady
from rules.bots.uniform import uniform

__all__ = ["Chooser", "Source", "bot", "levels"]

_LEVELS = {"random": uniform, "steady": steady}


def levels() -> tuple[str, ...]:
    """The names of the levels, weakest first."""
    return tuple(_LEVELS)


def bot(level: str, source: Source) -> Chooser:
    """A player of this ``level`` that draws from ``source``, which nobody else may know.

    Raises ``RuleError("unknown-level")`` for a name that is not one of ``levels()``.
    """
    from rules.game import RuleError

    if level not in _LEVELS:
        raise RuleError("unknown-level", level)
    return _LEVELS[level](source)
