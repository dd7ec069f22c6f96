"""A table shared by peers: identity, signed messages, commit-reveal, sealed deck, transport."""
