"""Whole tables on a simulated clock and network, every one replayable from its seed."""
