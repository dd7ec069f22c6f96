"""Tests of the line client."""
