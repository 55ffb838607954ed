"""Whose turn it is and who has decided, from the few facts that say so, for any title.

Only the needed fields of `Paused` (who is asked), `Decided` (who decided, and how) and `Undone` are decoded.
Facts that were taken back do not count; the time they took does.
"""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from msgspec import Struct, json

from domain.kernel.facts import OWN_CHOICE, How
from projections.runner import ProjectedFact
from server.postgres.database import PooledConnection

TURN_TYPES: Final = ("Paused", "Decided", "Undone")
"""The types of fact that marks are read from."""

_READ_MARKS = """
SELECT match_id, seq, type, body FROM log.fact f
 WHERE match_id = ANY($1) AND type = ANY($2)
   AND seq < (SELECT b.seq FROM unnest($1::uuid[], $3::int[]) AS b(match_id, seq)
               WHERE b.match_id = f.match_id)
 ORDER BY match_id, seq
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


Mark = PromptMark | DecisionMark

prompt_mark = json.Decoder(PromptMark).decode
decision_mark = json.Decoder(DecisionMark).decode
undo_mark = json.Decoder(UndoMark).decode


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


async def read_marks(conn: PooledConnection, page: Iterable[ProjectedFact]) -> dict[UUID, TurnMarks]:
    """Return the marks of each match with an undo in the page, as of before its first fact in the page."""
    firsts: dict[UUID, int] = {}
    undone: set[UUID] = set()
    for fact in page:
        firsts.setdefault(fact.match, fact.seq)
        if fact.type == "Undone":
            undone.add(fact.match)
    found = {match: TurnMarks() for match in firsts if match in undone}
    if found:
        seqs = [firsts[match] for match in found]
        for row in await conn.fetch(_READ_MARKS, list(found), TURN_TYPES, seqs):
            found[row["match_id"]].follow(row["seq"], row["type"], row["body"])
    return found
