"""Proof: the keys of matches, and the tree over those that have ended, with its signed notes."""
