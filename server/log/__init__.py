"""The log: facts appended in sequence, and read."""
