"""How a match is played in a few words, for whoever is challenged to it, as the page says it on a card."""

from typing import Final

from msgspec import UNSET, json

from domain.kernel.seats import Clock

_UNITS: Final = ((86_400, " day"), (3_600, " h"), (60, " min"))


def terms_of(clock: str | None, *, by_turns: bool, rated: bool) -> str:
    """Return "by turns, 7 days each, +2 days a turn, nights off, rated"; the clock is given as JSON."""
    words = ["by turns" if by_turns else "live", *_clock(clock), "rated" if rated else ""]
    return ", ".join(filter(None, words))


def _clock(text: str | None) -> list[str]:
    if text is None:
        return ["no clock"]
    clock = json.decode(text, type=Clock)
    rests = {"nights": clock.nights, "weekends": clock.weekends}
    off = [name for name, does in rests.items() if does is not UNSET]
    return [
        f"{_length(clock.bank)} each",
        f"+{_length(clock.increment)} a move" if clock.increment else "",
        f"+{_length(clock.turn)} a turn" if clock.turn is not UNSET and clock.turn else "",
        f"{' and '.join(off)} off" if off else "",
    ]


def _length(seconds: int) -> str:
    """Return a length of time in the largest unit of which it is a whole number: "1 day", "90 min"."""
    found = (one for one in _UNITS if seconds >= one[0] and seconds % one[0] == 0)
    unit, name = next(found, (1, " s"))
    count = seconds // unit
    return f"{count}{name}{'s' if name == ' day' and count != 1 else ''}"
