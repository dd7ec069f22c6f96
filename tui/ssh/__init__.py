"""A seat for anyone with a terminal: the ssh server, and the guest's end of any ssh session."""
