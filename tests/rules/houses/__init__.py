"""What each game alone knows of itself: a module with a constant ``HOUSE`` for each."""
