"""Tests, and what they share: the tiny title and the harnesses."""
