"""Validation of texts that people write. Deliberately absent: where they are stored."""

from typing import Final

from domain.match.refusals import RequestError

NAME = 40
LABEL = 80
TEXT = 500
"""Characters that a player's name, a match's label, a line of chat may have."""

JOINERS: Final = "\u200c\u200d"
"""They are not seen, but Persian and Indian scripts cannot be written without them, nor many emoji. Other
unseen characters are refused: they turn the text around them, or make two names look the same."""


def fit(text: str, most: int, what: str) -> str:
    """Return the text; raise RequestError if it is too long or has characters that cannot be seen."""
    if len(text) > most:
        raise RequestError("bad_text", f"{what} has at most {most} characters")
    if not all(letter.isprintable() or letter in JOINERS for letter in text):
        raise RequestError("bad_text", f"{what} has only characters that can be seen")
    return text


def fit_name(name: str) -> str:
    """Return a player's name without what is not seen at its ends; raises RequestError as `fit` does."""
    return fit(name.strip().strip(JOINERS).strip(), NAME, "a name")
