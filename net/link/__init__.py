"""The way to the others: topics, transports, one room's sealed channel."""
