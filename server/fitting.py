"""What people write, and the clocks they set: whether it fits. Deliberately absent: where it is kept."""

from domain.kernel.match import Clock
from domain.kernel.notices import Refused

NAME = 40
LABEL = 80
TEXT = 500
"""Letters of a player's name, of a match's label, of a line of chat."""

LONGEST = 10 * 366 * 86_400
"""Seconds beyond which no clock goes."""


def fit(text: str, most: int, what: str) -> str:
    """Return a text that is not too long and has no control characters; raises Refused."""
    if len(text) > most or not all(letter.isprintable() for letter in text):
        raise Refused("bad_text", f"{what} is at most {most} printable letters")
    return text


def fit_name(name: str) -> str:
    """Return a player's name without spaces around it; raises Refused."""
    return fit(name.strip(), NAME, "a name")


def fit_clock(clock: Clock | None) -> None:
    """Refuse a clock that cannot run."""
    if clock is None:
        return
    if not all(0 <= time <= LONGEST for time in (clock.bank, clock.increment, clock.cap)):
        raise Refused("bad_clock", "the times of a clock are whole seconds, not below 0")
    if clock.bank == 0 and clock.increment == 0:
        raise Refused("bad_clock", "a clock needs some time to begin with")
