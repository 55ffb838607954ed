"""The server: all that does I/O or reads a clock. The rules are in `domain`."""
