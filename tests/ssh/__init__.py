"""Tests of guests who have nothing but ssh."""
