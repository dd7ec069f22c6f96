"""farfadet as lines of text in and out: for ears, small terminals and scripts."""
