"""What a screen has seen of a table, from its notices: the past, who has chosen, who is missing."""

from __future__ import annotations

from collections.abc import Iterable

from net.play.notices import (
    Blamed,
    DealtAnew,
    Ended,
    Happened,
    Notice,
    Past,
    Progress,
    Returned,
    Rewound,
    Ruled,
)
from rules.game import Choose, Seat
from tui.boards.voices import View
from tui.sitting import Sitting
from tui.story.members import clean_names
from tui.story.missing import Missing
from tui.story.reveal import Reveal


class Seen:
    """Kept up to date by giving it every notice of ``sitting``."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.missing = Missing(sitting)
        self.progress: Progress | None = None
        """The long work that goes on."""
        self._sealed: frozenset[Seat] | None = None
        """Who has chosen; ``None`` as long as nobody could."""
        self.reveal = self._retold(sitting.past)
        self._count()

    def take(self, notice: Notice, moving: bool) -> None:
        """Take a notice in; with ``moving``, joint choices become moments to be shown."""
        self.missing.take(notice)
        match notice:
            case Happened():
                self.reveal.take(notice, moving)
                self._ask_anew()
            case DealtAnew():
                self.reveal.note(notice)
                self._ask_anew()
            case Rewound(past):
                self.reveal = self._retold(past)
                self.reveal.note(notice)
                self._ask_anew()
            case Ruled() | Returned():
                self.reveal.note(notice)
            case Progress():
                self.progress = notice
            case Blamed() | Ended():
                self.progress = None
        self._count()

    def view(self) -> View:
        """The moment that is being shown, or the present."""
        sitting, moment = self.sitting, self.reveal.now
        request = sitting.request
        waited = frozenset(request.seats) if isinstance(request, Choose) else frozenset[Seat]()
        return View(
            game=sitting.game,
            state=sitting.state if moment is None else moment.state,
            request=request if moment is None else None,
            me=sitting.me,
            names=clean_names(sitting),
            sight=sitting.sight,
            owing=waited - (self._sealed or frozenset()) - sitting.absent,
            moves=sitting.moves() if moment is None else (),
            chosen=sitting.chosen if moment is None else None,
            shown=() if moment is None else moment.moves,
            absent=sitting.absent,
        )

    def _retold(self, past: Iterable[Past]) -> Reveal:
        reveal = Reveal(self.sitting.game)
        for notice in past:
            if isinstance(notice, Happened):
                reveal.take(notice, moving=False)
            else:
                reveal.note(notice)
        return reveal

    def _ask_anew(self) -> None:
        """The game asks for something else now."""
        self.progress = self._sealed = None

    def _count(self) -> None:
        """Count who has chosen. When all have, later steps open the choices; nobody unseals.

        Steps before it (a roll) have nothing to do with it.
        """
        request, choosing = self.sitting.request, self.sitting.asked
        if isinstance(request, Choose) and (choosing or self._sealed is not None):
            self._sealed = frozenset(request.seats) - choosing
