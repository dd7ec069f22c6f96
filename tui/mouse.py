"""The mouse, given to the app or left to the terminal, while the app runs."""

from __future__ import annotations

from typing import Any

from textual.app import App


def set_mouse(app: App[Any], on: bool) -> None:
    """Ask the terminal to report the mouse, or to keep it for selecting text.

    Textual only offers this at the start, so this is its drivers' own way; a driver without a
    terminal has none.
    """
    driver: Any = app._driver
    if not hasattr(driver, "_enable_mouse_support"):
        return
    # Drivers that have no mouse do not switch it, either way.
    driver._mouse = True
    if on:
        driver._enable_mouse_support()
    else:
        driver._disable_mouse_support()
    driver._mouse = on
