"""``farfadet doctor``: what a broker can and cannot do of all that farfadet needs."""
