"""Tournaments: how they are entered and directed, their rounds and matches, and how they are read."""
