"""Tests of the games: the kit that every game must pass, and each game's own rules."""
