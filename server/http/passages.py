"""Passages of a match over HTTP: what an audience saw at a moment, and the frames that follow.

A passage costs what it shows, and what is folded to come to its first fact from the position before: never
the whole match. Deliberately absent: who may read it (`server.http.access`).
"""

from collections.abc import Generator, Mapping
from typing import Final
from uuid import UUID

from msgspec import Struct, to_builtins

from domain.kernel.audience import Viewer
from domain.match.chain import Entry
from domain.match.fold import Fold
from domain.match.refusals import RequestError
from projections.views import steps_from
from server.limits import FOLDED, STEPS
from server.log.statements import MOST
from server.play.opening import Opening
from server.protocol import wire

LONGEST: Final = 5000
"""Facts behind its first that a passage may have: more than any command."""

WHOLE: Final = 100_000
"""Facts of a match above which it is read in passages only: what is sent is held in memory."""


class Passage(Struct, frozen=True):
    """What was seen after the last command that ends at or before `first`, and what followed up to `upto`.

    Before the first fact, at 0, nothing is seen.
    """

    first: int
    upto: int


def asked_for(query: Mapping[str, str], head: int, least: int = 1) -> Passage | None:
    """Return the passage that a query asks for, within a match of `head` facts; None for the whole match.

    `least` is the first fact that it may begin at; 0 is before the first. Raises RequestError: bad_request,
    or too_long where the whole match is more than is sent at once.
    """
    if "from" not in query and "upto" not in query:
        if head > WHOLE:
            raise RequestError("too_long", f"this match is read in passages, of {LONGEST} facts at most")
        return None
    first = min(_number(query.get("from", "1")), head)
    upto = min(_number(query.get("upto", str(first))), head)
    if not (least <= first <= upto <= first + LONGEST and upto):
        raise RequestError(
            "bad_request", f"a passage goes from a fact, {least} or later, up to {LONGEST} behind it"
        )
    return Passage(first, upto)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MOST))):
        raise RequestError("bad_request", "a fact is named by its number")
    return int(text)


async def cost(opening: Opening, match: UUID, passage: Passage) -> float:
    """Return what a passage costs of `server.limits.READS`."""
    distance = passage.first - await opening.last_position(match, passage.first)
    return FOLDED * distance + STEPS * (passage.upto - passage.first + 1)


async def lines(
    opening: Opening, match: UUID, passage: Passage, audience: Viewer, k_salt: bytes, *, everything: bool
) -> list[bytes]:
    """Return the messages of a passage: the view, and a frame for each command that follows."""

    def written(fold: Fold, entries: list[Entry]) -> Generator[None, None, list[bytes]]:
        seen = fold.view(audience)
        shown = to_builtins(seen, str_keys=True)
        messages = [wire.encode(wire.View(match, fold.seq, fold.hash.hex(), shown, []))]
        for frame in steps_from(fold, seen, entries, audience, k_salt, everything=everything):
            messages.append(wire.encode(frame))
            yield
        return messages

    return await opening.replay(match, passage.first, passage.upto, written)
