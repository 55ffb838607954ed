"""Whose turn it is and who has decided, from the few facts that say so, for any title.

Only the needed fields of `Paused` (who is asked), `Decided` (who decided, and how), `Undone` and
`ClocksStarted` are decoded. Facts that were taken back do not count; the time they took does.
"""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

import asyncpg
from msgspec import MsgspecError, Struct, json

from domain.kernel.facts import OWN_CHOICE, How
from domain.match.pauses import ClocksStarted
from projections.projection import ProjectedFact
from server.postgres.database import PooledConnection

TURN_TYPES: Final = ("Paused", "Decided", "Undone")
"""The types of fact that marks are read from."""

_SINCE = """
SELECT seq, type, body FROM log.fact
 WHERE match_id = $1 AND type = ANY($2) AND seq > $3 AND seq < $4 ORDER BY seq
"""
_LAST = """
SELECT seq, type, body FROM log.fact
 WHERE match_id = $1 AND type IN ('Paused', 'Undone') AND seq <= $2 ORDER BY seq DESC LIMIT 1
"""


class PromptMark(Struct, frozen=True, gc=False):
    """The fields read of a `Paused`: the seats that are asked."""

    seats: tuple[int, ...]


class DecisionMark(Struct, frozen=True, gc=False):
    """The fields read of a `Decided`: the seat, and how it decided."""

    seat: int
    how: How = "chosen"
    joined: bool = False
    """Whether it follows another decision in the same command. Both count as one: the count is public."""

    @property
    def own(self) -> bool:
        """Whether the seat chose it itself, at the time or beforehand."""
        return self.how in OWN_CHOICE


class UndoMark(Struct, frozen=True, gc=False):
    """The fields read of an `Undone`: the seq to which it goes back."""

    back_to: int


class SeatMark(Struct, frozen=True, gc=False):
    """The field read of a fact that says whose it is."""

    seat: int


Mark = PromptMark | DecisionMark

prompt_mark = json.Decoder(PromptMark).decode
decision_mark = json.Decoder(DecisionMark).decode
undo_mark = json.Decoder(UndoMark).decode
seat_mark = json.Decoder(SeatMark).decode
_clocks_started = json.Decoder(ClocksStarted).decode


class TurnMarks:
    """The marks of one match that are in force, each with its seq."""

    def __init__(self) -> None:
        self._marks: list[tuple[int, Mark]] = []

    def follow(self, seq: int, type: str, body: bytes) -> list[Mark]:
        """Add the next fact, of a type in TURN_TYPES; return the marks that it takes back."""
        if type == "Paused":
            self._marks.append((seq, prompt_mark(body)))
        elif type == "Decided":
            self._marks.append((seq, decision_mark(body)))
        else:
            return self._cut(undo_mark(body).back_to)
        return []

    def asked(self) -> tuple[int, ...]:
        """Return the seats that are asked."""
        marks = (mark for _, mark in reversed(self._marks))
        return next((mark.seats for mark in marks if isinstance(mark, PromptMark)), ())

    def _cut(self, back_to: int) -> list[Mark]:
        gone: list[Mark] = []
        while self._marks and self._marks[-1][0] > back_to:
            gone.append(self._marks.pop()[1])
        return gone


def asked_from(fact: ProjectedFact, marks: TurnMarks | None) -> tuple[int, ...] | None:
    """Return the seats that are asked from a fact on; None where it changes nothing of that.

    `marks` are those of its match, where it has an undo in the page (`read_marks`); they follow the fact.
    """
    if marks is not None and fact.type in TURN_TYPES:
        marks.follow(fact.seq, fact.type, fact.body)
        return marks.asked()
    if fact.type == "Paused":
        return prompt_mark(fact.body).seats
    if fact.type == "ClocksStarted":
        return _clocks_started(fact.body).running
    return () if fact.type in {"ClocksStopped", "GameEnded"} else None


async def read_marks(conn: PooledConnection, page: Iterable[ProjectedFact]) -> dict[UUID, TurnMarks]:
    """Return the marks of each match with an undo in the page, as of before its first fact in the page.

    Not all of them: those that the undos of the page can take back, and the prompt before these. So an undo
    costs what it takes back, and not the whole match before it.
    """
    firsts: dict[UUID, int] = {}
    back_to: dict[UUID, int] = {}
    for fact in page:
        firsts.setdefault(fact.match, fact.seq)
        if fact.type == "Undone":
            back_to[fact.match] = min(_back_to(fact.body), back_to.get(fact.match, fact.seq))
    return {match: await _read(conn, match, firsts[match], seq) for match, seq in back_to.items()}


def _back_to(body: bytes) -> int:
    """Return how far an undo goes back; 0 for a damaged one, at which whoever folds it will stop."""
    try:
        return max(0, undo_mark(body).back_to)
    except MsgspecError:
        return 0


async def _read(conn: PooledConnection, match: UUID, first: int, back_to: int) -> TurnMarks:
    """Return the marks in force before fact `first` of a match, from the last prompt up to `back_to` on."""
    rows = await conn.fetch(_SINCE, match, TURN_TYPES, back_to, first)
    earlier = min(
        (undo_mark(row["body"]).back_to for row in rows if row["type"] == "Undone"), default=back_to
    )
    if earlier < back_to:
        return await _read(conn, match, first, earlier)
    marks = TurnMarks()
    if (prompt := await _last_prompt(conn, match, min(back_to, first - 1))) is not None:
        marks.follow(prompt["seq"], prompt["type"], prompt["body"])
    for row in rows:
        marks.follow(row["seq"], row["type"], row["body"])
    return marks


async def _last_prompt(conn: PooledConnection, match: UUID, upto: int) -> asyncpg.Record | None:
    """Return the last prompt in force up to a fact; None if nobody has been asked by then."""
    row = await conn.fetchrow(_LAST, match, upto)
    while row is not None and row["type"] == "Undone":
        row = await conn.fetchrow(_LAST, match, undo_mark(row["body"]).back_to)
    return row
