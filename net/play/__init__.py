"""The table itself: signed messages, secret choices, absence, crashes, the verdict."""
