"""Before the game and after it: invitations, rooms, seats, the lobby, looking on, playing again."""
