"""Validation of texts that people write. Deliberately absent: where they are stored."""

from domain.match.refusals import RequestError

NAME = 40
LABEL = 80
TEXT = 500
"""Characters that a player's name, a match's label, a line of chat may have."""


def fit(text: str, most: int, what: str) -> str:
    """Return the text; raise RequestError if it is too long or has unprintable characters."""
    if len(text) > most or not all(letter.isprintable() for letter in text):
        raise RequestError("bad_text", f"{what} is at most {most} printable letters")
    return text


def fit_name(name: str) -> str:
    """Return a player's name, stripped; raises RequestError as `fit` does."""
    return fit(name.strip(), NAME, "a name")
