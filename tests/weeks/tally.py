"""What was told of turns, against the turns that there were.

A turn is a spell: from when a seat is asked until it is asked no longer. It is to be told once by every
channel of its person, within LATEST of when it began. What is told when there is no turn is late, too: it is
of one that is over. Deliberately absent: where any of it comes from.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final, Literal, get_args

from msgspec import Struct, json

from domain.match.chain import Entry
from projections.turns import prompt_mark
from server.notices.due import WAIT

Channel = Literal["mail", "push", "webhook"]
CHANNELS: Final[tuple[Channel, ...]] = get_args(Channel)

MICROSECOND: Final = timedelta(microseconds=1)
LATEST: Final = WAIT // MICROSECOND + 60_000_000
"""Microseconds of a turn within which it is told: due after a minute, it may wait for another."""


class Spell(Struct, frozen=True):
    """A turn of a seat, in microseconds since the epoch; `until` is None while it lasts."""

    seat: int
    since: int
    until: int | None = None


class Delivery(Struct, frozen=True):
    """What came by a channel of the person at a seat: the kind of its notice, and when it came."""

    channel: Channel
    seat: int
    kind: str
    at: int


class Tally(Struct, frozen=True):
    """Turns, how often they were told by each channel, and how many of these were not as they should be."""

    turns: int
    mails: int
    pushes: int
    webhooks: int
    late: int
    doubled: int
    lost: int

    @property
    def good(self) -> bool:
        """Whether each turn was told once and in time by every channel."""
        told = {self.mails, self.pushes, self.webhooks}
        return told == {self.turns} and not (self.late or self.doubled or self.lost)


def spells_of(entries: Iterable[Entry]) -> list[Spell]:
    """Return the turns of a match, by the pauses and the end on its log."""
    found, going = list[Spell](), dict[int, int]()
    for entry in entries:
        if entry.type not in ("Paused", "GameEnded"):
            continue
        asked = prompt_mark(entry.body).seats if entry.type == "Paused" else ()
        over = [seat for seat in going if seat not in asked]
        found += [Spell(seat, going.pop(seat), entry.at) for seat in over]
        for seat in asked:
            going.setdefault(seat, entry.at)
    return found + [Spell(seat, since) for seat, since in going.items()]


def tally(spells: Sequence[Spell], deliveries: Iterable[Delivery]) -> Tally:
    """Count. What is told of anything but turns does not count."""
    told, late = Counter[tuple[Spell, Channel]](), 0
    by_channel = Counter[Channel]()
    for one in deliveries:
        if one.kind != "turn":
            continue
        by_channel[one.channel] += 1
        spell = begun_before(spells, one.seat, one.at)
        if spell is None or (spell.until is not None and one.at > spell.until):
            late += 1
            continue
        told[spell, one.channel] += 1
        late += one.at - spell.since > LATEST
    counts = [told[spell, channel] for spell in spells for channel in CHANNELS]
    return Tally(
        len(spells),
        by_channel["mail"],
        by_channel["push"],
        by_channel["webhook"],
        late,
        sum(count - 1 for count in counts if count > 1),
        counts.count(0),
    )


def begun_before(spells: Iterable[Spell], seat: int, at: int) -> Spell | None:
    """Return the last turn of a seat that had begun then."""
    begun = [one for one in spells if one.seat == seat and one.since <= at]
    return max(begun, key=lambda one: one.since, default=None)


def line(report: Struct) -> str:
    """Write a report as a line of JSON."""
    return json.encode(report).decode()
