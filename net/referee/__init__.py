"""The referee: a clock and a witness, and how several of its processes share tables."""
