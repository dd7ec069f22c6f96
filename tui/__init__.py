"""The screens and the command line: everything a player touches."""
