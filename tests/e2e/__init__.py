"""Whole games between real processes: real terminals, a real broker, real keys."""
