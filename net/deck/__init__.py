"""The sealed deck: an order of tokens that nobody knows and everybody can check."""
