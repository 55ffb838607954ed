"""What people write: whether it fits. Deliberately absent: where it is kept."""

from domain.match.refusals import RequestError

NAME = 40
LABEL = 80
TEXT = 500
"""Letters of a player's name, of a match's label, of a line of chat."""


def fit(text: str, most: int, what: str) -> str:
    """Return a text that is not too long and has no control characters; raises RequestError."""
    if len(text) > most or not all(letter.isprintable() for letter in text):
        raise RequestError("bad_text", f"{what} is at most {most} printable letters")
    return text


def fit_name(name: str) -> str:
    """Return a player's name without spaces around it; raises RequestError."""
    return fit(name.strip(), NAME, "a name")
