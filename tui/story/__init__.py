"""What has happened at a table and how things stand there, in words; nothing here draws."""
