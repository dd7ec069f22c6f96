"""The board of Gnomia: the fiesta, our gnomes, and what everybody has left and has won."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.geometry import Region

from rules.game import Choose, Over, Seat
from rules.gnomia import BROTHER, GRINCHEUX, HAND, VALUES, ZOZO, Give, Gnome, Phase, Take, veinards
from rules.gnomia.score import score
from tui.actions import DIGITS, Action
from tui.boards import base
from tui.boards.base import Target
from tui.boards.gnomia_counts import change, listed, signed
from tui.boards.gnomia_words import COLOURS, STYLES, Voice
from tui.boards.voices import ABSENT
from tui.widgets.canvas import Canvas
from tui.words import N_, Pieces

SEAT_KEYS: Final = "abcde"
KEYS: Final = {**dict(zip(VALUES, DIGITS, strict=True)), GRINCHEUX: ("g", "G")}
"""The keys of each gnome."""
SPENT: Final = "··"
CARD: Final = 11
"""Cells from edge to edge of the fiesta's card."""
LOW: Final = 5
"""Lines of the card where there are few."""
HIGH: Final = 8
"""Lines of the card where there is room."""
ASIDE: Final = 14
"""Where what stands beside the card begins."""
GNOME: Final = 5
"""Cells from one gnome to the next."""
NAME: Final = 5
LEFT: Final = 20
"""Where the gnomes left, and below them the fiestas, begin in the line of a seat."""
POINTS: Final = 54
"""Where three digits start."""
CHANGE: Final = 58
DOING: Final = 63


class Board(base.Board):
    """See ``tui/boards/base.py``."""

    ACTIONS: ClassVar = (
        Action(
            "gnomia.gnome",
            tuple(key for keys in DIGITS for key in keys),
            "1-0",
            N_("gnome"),
            N_("send a gnome, 1 for 10 to 0 for 100; unshifted on a French keyboard too"),
            row=len(DIGITS),
        ),
        Action(
            "gnomia.grincheux",
            ("g",),
            "g",
            N_("Grincheux"),
            N_("send Grincheux, to peek at the next fiesta"),
        ),
        Action("gnomia.take", ("t",), "t", N_("take"), N_("take the fiesta you have peeked at")),
        Action(
            "gnomia.give",
            tuple(SEAT_KEYS),
            "a-e",
            N_("give"),
            N_("give the fiesta you have peeked at to this player"),
            row=len(SEAT_KEYS),
        ),
    )

    # Words.

    @property
    def voice(self) -> Voice:
        """The words for this player."""
        return Voice(self.farfadet.words, self.view)

    def keys(self) -> list[tuple[str, str]]:
        """The kinds of targets that are open."""
        say, moves = self.farfadet.words.say, self.view.moves
        keys: list[tuple[str, str]] = []
        if any(isinstance(move, Gnome) and 0 < move.value < VALUES[-1] for move in moves):
            keys.append(("1-9", say(N_("10 to 90"))))
        if Gnome(VALUES[-1]) in moves:
            keys.append(("0", str(VALUES[-1])))
        if Gnome(GRINCHEUX) in moves:
            keys.append(("g", say(N_("Grincheux"))))
        if Take() in moves:
            keys.append(("t", say(N_("take it"))))
        given = [SEAT_KEYS[move.seat] for move in moves if isinstance(move, Give)]
        if given:
            keys.append((" ".join(given), say(N_("give it to a player"))))
        return keys

    # Targets.

    def targets(self) -> tuple[Target, ...]:
        """All gnomes; for who has looked at the pile, taking, and giving to anybody."""
        if not self.voice.looking:
            return tuple(Target(Gnome(value), KEYS[value]) for value in HAND)
        seats = range(self.view.state.seats)
        given = [Target(Give(s), (SEAT_KEYS[s], SEAT_KEYS[s].upper())) for s in seats]
        return (Target(Take(), ("t", "T")), *given)

    # The picture.

    def rows(self) -> int:
        """The card, a rule and two lines for each seat."""
        return LOW + 1 + 2 * len(self.view.names)

    def paint(self, canvas: Canvas) -> None:
        """The card and our gnomes above, the seats below."""
        state = self.view.state
        seats = state.seats
        spare = canvas.height - (HIGH + 4 + 3 * seats)
        tall = spare >= 0
        y, height = (1 + spare // 4, HIGH) if tall else (0, LOW)
        self._card(canvas, y, height)
        for line, pieces in enumerate(self.voice.news(canvas.width - ASIDE)):
            canvas.pieces(ASIDE, y + line, pieces)
        if self.voice.looking:
            self._take(canvas, y + height - 3)
        elif self.view.me is not None and state.phase is not Phase.OVER:
            self._gnomes(canvas, Region(ASIDE, y + 2 + tall, 0, height - 2 - tall), self.view.me)
        y += height + (1 + spare // 4 if tall else 0)
        self._heading(canvas, y)
        y += 1 + tall
        for seat in range(seats):
            self._seat(canvas, y, seat)
            y += 2 + tall

    def _card(self, canvas: Canvas, y: int, height: int) -> None:
        """The fiesta; face down as long as we do not know it."""
        say, state, face = self.farfadet.words.say, self.view.state, self.voice.face
        if face is None and not state.pile:
            return
        lines, style = {
            None: ((".-.", "(  ", "`-'"), "green"),
            ZOZO: (("(o_O)", say(N_("Zozo")), ""), "cap-in"),
            BROTHER: (("\\o/", *say(N_("P'tit frère")).split()), "white"),
        }.get(face, (("\\o/ \\o/", str(face), say(N_("fiesta"))), "white"))
        inside = CARD - 2
        canvas.put(1, y, "╭" + "─" * inside + "╮", style)
        for row in range(1, height - 1):
            canvas.put(1, y + row, "│" + " " * inside + "│", style)
        canvas.put(1, y + height - 1, "╰" + "─" * inside + "╯", style)
        for row, line in enumerate(lines, start=(height - 3) // 2):
            canvas.put(1 + (CARD - len(line)) // 2, y + row, line, style)

    def _gnomes(self, canvas: Canvas, place: Region, me: Seat) -> None:
        """Our gnomes with their veinards and keys. Only the key is lit: few bytes down the line."""
        say, hand = self.farfadet.words.say, self.view.state.hands[me]
        y = place.bottom - 3
        for number, value in enumerate(HAND):
            x = place.x + GNOME * number + (number > 4) + (value == GRINCHEUX)
            name = str(value) if value else say(N_("Grincheux"))
            width = max(4, len(name) + 2)
            if value in hand:
                for row in range(place.y, y + 1):
                    canvas.fill(x, row, width, " ", STYLES[me])
                canvas.put(x, (place.y + y) // 2, name.center(width), STYLES[me])
                canvas.put(x, y + 1, _dots(me, value).center(GNOME).rstrip())
            else:
                canvas.put(x + 1, (place.y + y) // 2, SPENT, "dim")
            move = Gnome(value)
            key = self.caps(KEYS[value][0])
            middle = x + width // 2
            if self.lit == move:
                canvas.put(middle - 2, y + 2, f"▶ {key} ◀", "aimed")
            elif value in hand:
                canvas.put(middle, y + 2, key, "key" if move in self.view.moves else "dim")
            self.spot(Region(x, place.y, width, place.height), Target(move, KEYS[value]))

    def _take(self, canvas: Canvas, y: int) -> None:
        """Taking what we have looked at; to whom it may be given stands below."""
        say = self.farfadet.words.say
        label = say(N_("take it"))
        x = canvas.put(ASIDE, y + 1, f" {label} ", "green")
        lit = self.lit == Take()
        canvas.put(ASIDE + 2, y + 2, "▶ t ◀" if lit else "  t  ", "aimed" if lit else "key")
        self.spot(Region(ASIDE, y, x - ASIDE, 3), Target(Take(), ("t", "T")))
        if self.voice.face != ZOZO:
            canvas.put(x + 3, y + 1, say(N_("or give it to one of these:")), "dim")

    def _heading(self, canvas: Canvas, y: int) -> None:
        say = self.farfadet.words.say
        canvas.fill(0, y, canvas.width, "─", "rule")
        left, points = say(N_("gnomes left, and fiestas")), say(N_("points"))
        canvas.put(LEFT - 1, y, f" {left} ", "dim")
        canvas.put(POINTS + 2 - len(points), y, f" {points} ", "dim")
        if self.voice.face is not None:
            won = say(N_("if won"))
            canvas.put(CHANGE, y, f" {won} ", "dim")

    def _seat(self, canvas: Canvas, y: int, seat: Seat) -> None:
        """Two lines: the gnomes left, points and choice; then the fiestas."""
        words, view, state, voice = self.farfadet.words, self.view, self.view.state, self.voice
        mine, style = seat == view.me, STYLES[seat]
        give = Give(seat)
        aimed = self.lit == give
        first = seat == voice.winner or aimed
        if isinstance(view.request, Over):
            first = seat in view.request.result.winners
        canvas.put(1, y, "▶" if first else " ", "key")
        if give in view.moves or aimed:
            canvas.put(3, y, self.caps(SEAT_KEYS[seat]), "aimed" if aimed else "key")
            self.spot(Region(0, y, canvas.width, 2), Target(give, (SEAT_KEYS[seat],)))
        canvas.fill(NAME, y, 13, " ", style)
        canvas.put(NAME + 1, y, words.say(N_("you")) if mine else view.names[seat], style)
        canvas.put(NAME + 1, y + 1, words.say(COLOURS[seat]), "dim")
        played = dict(view.shown).get(seat)
        for number, value in enumerate(HAND):
            x = LEFT + 3 * number + (value == GRINCHEUX)
            left = value in state.hands[seat]
            name = str(value) if value else "G"
            canvas.put(x, y, name if left else SPENT[: len(name)], "" if left else "dim")
            if played == Gnome(value):
                canvas.put(x, y, name, style)
        counted = score(state.won[seat])
        canvas.put(POINTS, y, f"{counted.total:>3}", "event")
        if voice.face is not None and voice.may_get(seat):
            canvas.put(CHANGE, y, f"{signed(change(state.won[seat], voice.face)):>4}", "dim")
        canvas.pieces(DOING, y, self._doing(seat))
        canvas.pieces(LEFT, y + 1, listed(words, state.won[seat], canvas.width - LEFT - 1))

    def _doing(self, seat: Seat) -> Pieces:
        """What a seat is up to: its choice while choices are shown, else whether it has one."""
        say, view = self.farfadet.words.say, self.view
        played = dict(view.shown).get(seat)
        if isinstance(played, Gnome):
            name = str(played.value) if played.value else say(N_("Grincheux"))
            told: Pieces = ((f" {name} ", STYLES[seat]), (" " + _dots(seat, played.value), ""))
            return (*told, (" " + say(N_("wins")), "event")) if seat == self.voice.winner else told
        if isinstance(view.request, Over):
            return ((say(N_("wins")), "event"),) if seat in view.request.result.winners else ()
        if seat in view.absent:
            return ((say(ABSENT), "warning"),)
        if not view.state.hands[seat]:
            return ((say(N_("out of gnomes")), "dim"),)
        asked = view.request.seats if isinstance(view.request, Choose) else ()
        if seat in asked:
            if seat in view.owing:
                return ((say(N_("… choosing")), ""),)
            return ((say(N_("◆ sealed")), "sealed"),)
        if view.state.phase is Phase.BID:
            return ((say(N_("○ stays at home")), "dim"),)
        return ()


def _dots(seat: Seat, value: int) -> str:
    """The veinards of a gnome; Grincheux has none."""
    return "•" * veinards(seat, value) if value != GRINCHEUX else ""
