"""Figures, not checks: what things cost, each beside a floor or a ratio from the same run."""
