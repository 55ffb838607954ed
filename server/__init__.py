"""Everything that waits: the database, the sockets, the clock. The rules are in `domain`."""
