"""Every theme can be read, and tells stones apart, also to people who lack one kind of cone."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Final, TypeAlias

import pytest
from textual.color import Color
from textual.style import Style
from textual.theme import Theme

from tests.tui.fake_doors import FakeDoors
from tests.tui.stage import opened, settle
from tui.app import FarfadetApp
from tui.settings import Settings, find
from tui.sitting import Home, Play
from tui.style import STYLES
from tui.themes import COLOUR_BLIND, COLOURS, HIGH_CONTRAST, TERMINAL, THEMES

Linear: TypeAlias = tuple[float, float, float]
"""Red, green and blue as amounts of light."""

OWN: Final = [theme for theme in THEMES.values() if not theme.ansi]
DRAWN: Final = {"cap", "cap-stem", "stem", "lit-stem", "rule"}
"""Styles in which nothing is written: mushrooms and lines."""
STONES: Final = ("red", "blue", "yellow", "white", "green", "purple", "grey")

CONES: Final = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What is left of colours without one kind of cone: Machado, Oliveira and Fernandes, "A
Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.0."""

EVERYBODY: Final = 20.0
"""Least distance of two stones in CIELAB (1976); 2.3 is just to be noticed."""
FEWER_CONES: Final = 15.0
"""The same, in what is left of them."""


def style(theme: Theme, name: str) -> Style:
    """A style in the colours of a theme."""
    return Style.parse(STYLES[name], {**theme.to_color_system().generate(), **theme.variables})


def linear(colour: Color) -> Linear:
    """Without the gamma of sRGB."""
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in colour.normalized
    ]
    return red, green, blue


def contrast(one: Color, two: Color) -> float:
    """The ratio of WCAG 2.2, 1 to 21."""
    weights = (0.2126, 0.7152, 0.0722)
    dark, bright = sorted(
        sum(weight * part for weight, part in zip(weights, linear(colour), strict=True))
        for colour in (one, two)
    )
    return (bright + 0.05) / (dark + 0.05)


def lab(light: Linear) -> Linear:
    """CIELAB, for daylight (D65)."""
    to_xyz = (
        (0.4124564, 0.3575761, 0.1804375),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339, 0.1191920, 0.9503041),
    )
    x, y, z = [
        part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116
        for part in (
            value / white
            for value, white in zip(times(to_xyz, light), (0.95047, 1, 1.08883), strict=True)
        )
    ]
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def times(matrix: tuple[Linear, Linear, Linear], light: Linear) -> list[float]:
    return [sum(a * b for a, b in zip(row, light, strict=True)) for row in matrix]


def seen(colour: Color, cones: str) -> Linear:
    """What somebody with ``cones`` sees of a colour; with all of them if it is empty."""
    light = linear(colour)
    if cones:
        red, green, blue = [min(1.0, max(0.0, part)) for part in times(CONES[cones], light)]
        light = red, green, blue
    return lab(light)


def nearest(colours: dict[str, Color], cones: str = "") -> tuple[float, str]:
    """The two colours that are most alike, and their distance."""
    found = []
    for (one, a), (two, b) in combinations(colours.items(), 2):
        apart = zip(seen(a, cones), seen(b, cones), strict=True)
        found.append((sum((x - y) ** 2 for x, y in apart) ** 0.5, f"{one} and {two}"))
    return min(found)


def grounds(theme: Theme) -> list[Color]:
    """What things are written on."""
    names = (theme.background, theme.surface, theme.panel)
    return [Color.parse(name) for name in names if name is not None]


def stones(theme: Theme) -> dict[str, Color]:
    return {name: Color.parse(theme.variables[f"stone-{name}"]) for name in STONES}


def test_the_formulas_give_the_known_figures() -> None:
    black, white, red = Color(0, 0, 0), Color(255, 255, 255), Color(255, 0, 0)
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(white, red) == pytest.approx(3.998, abs=0.001)
    assert lab(linear(red)) == pytest.approx((53.24, 80.09, 67.20), abs=0.01)
    for cones in CONES:
        assert seen(white, cones) == pytest.approx((100, 0, 0), abs=0.1)


def test_the_settings_offer_the_themes() -> None:
    assert list(find("theme").values) == list(THEMES)


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_a_theme_has_all_colours_of_the_games(theme: Theme) -> None:
    assert COLOURS.keys() <= theme.variables.keys()


@pytest.mark.parametrize("theme", OWN, ids=lambda theme: theme.name)
def test_what_is_written_can_be_read(theme: Theme) -> None:
    least = 7.0 if theme is HIGH_CONTRAST else 4.5
    assert theme.foreground is not None
    poor = {}
    for name in STYLES.keys() - DRAWN:
        look = style(theme, name)
        text = look.foreground or Color.parse(theme.foreground)
        on = grounds(theme) if look.background is None else [look.background]
        ratio = min(contrast(text, ground) for ground in on)
        if ratio < least:
            poor[name] = round(ratio, 2)
    assert poor == {}


@pytest.mark.parametrize("theme", OWN, ids=lambda theme: theme.name)
def test_stones_differ_and_a_mushroom_shows_that_it_is_lit(theme: Theme) -> None:
    apart, which = nearest(stones(theme))
    assert apart >= EVERYBODY, which
    assert nearest(mushroom(theme))[0] >= EVERYBODY


@pytest.mark.parametrize("cones", CONES)
def test_stones_differ_with_two_kinds_of_cones(cones: str) -> None:
    apart, which = nearest(stones(COLOUR_BLIND), cones)
    assert apart >= FEWER_CONES, which
    assert nearest(mushroom(COLOUR_BLIND), cones)[0] >= FEWER_CONES


def mushroom(theme: Theme) -> dict[str, Color]:
    """A cap and a lit rim."""
    return {name: Color.parse(theme.variables[name]) for name in ("cap", "rim-lit")}


def test_the_terminals_theme_has_only_the_terminals_colours() -> None:
    for name in STYLES:
        look = style(TERMINAL, name)
        for colour in (look.foreground, look.background):
            assert colour is None or colour.ansi is not None, name
    assert len({colour.ansi for colour in stones(TERMINAL).values()}) == len(STONES)
    for name in STONES:
        look = style(TERMINAL, name)
        assert look.foreground != look.background
        assert not look.bold, "where bold means bright, bold black is grey"


async def test_a_theme_taken_live_looks_like_one_from_the_start() -> None:
    for name in THEMES:
        app = FarfadetApp(FakeDoors(), Home(), settings=Settings(theme=name))
        async with app.run_test() as pilot:
            await settle(pilot)
            wanted = app.export_screenshot()
        async with opened(FakeDoors(), Home()) as (other, pilot):
            for step in (*THEMES, name):
                other.set("theme", step)
                await settle(pilot)
            assert colours(other.export_screenshot()) == colours(wanted), name


def colours(picture: str) -> list[str]:
    """What each stretch of text looks like, in an exported picture."""
    rules = dict(re.findall(r"\.terminal-\w+-(r\d+) \{ ([^}]*) \}", picture))
    shown = re.findall(r'class="terminal-\w+-(r\d+)" x="([\d.]+)" y="([\d.]+)"', picture)
    grounds = re.findall(r'<rect fill="([^"]+)" x="[\d.]+" y="[\d.]+"', picture)
    assert len(rules) > 5
    assert len(shown) > 20
    return [*grounds, *(f"{x} {y} {rules[name]}" for name, x, y in shown)]


@pytest.mark.parametrize("name", THEMES)
async def test_without_colours_only_bold_dim_and_reverse_are_left(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    doors = FakeDoors()
    app = FarfadetApp(doors, Play(), settings=Settings(theme=name))
    async with app.run_test() as pilot:
        doors.sitting.begin()
        await settle(pilot)
        await pilot.press("2")
        await settle(pilot)
        styles = [
            segment.style
            for line in app.screen._compositor.render_strips()
            for segment in line
            if segment.style is not None
        ]
    assert any(look.bold for look in styles)
    assert any(look.reverse for look in styles)
    for look in styles:
        for colour in (look.color, look.bgcolor):
            assert colour is None or colour.is_default
