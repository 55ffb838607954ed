"""Persons: who wants to be known again, on another browser, by an opponent, in a table of ratings."""
