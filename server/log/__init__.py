"""The log: appends and reads the facts of matches."""
