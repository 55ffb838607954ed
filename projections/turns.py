"""Whose turn it is and who has decided, from the few facts that say so, for any title.

Only the needed fields of `Paused` (who is asked), `Decided` (who decided, and how) and `Undone` are decoded.
Facts that were taken back do not count; the time they took does.
"""

from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID

from msgspec import Struct, json

from domain.kernel.facts import OWN_CHOICE, How
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


class MatchInPage(Struct, frozen=True):
    """A match, and the seq of its first fact in a page."""

    match: UUID
    seq: int


async def read_marks(conn: PooledConnection, matches: Sequence[MatchInPage]) -> dict[UUID, TurnMarks]:
    """Read the marks of matches from the log, each up to but not including its first fact in the page."""
    found = {one.match: TurnMarks() for one in matches}
    if found:
        firsts = [one.seq for one in matches]
        for row in await conn.fetch(_READ_MARKS, list(found), TURN_TYPES, firsts):
            found[row["match_id"]].follow(row["seq"], row["type"], row["body"])
    return found


def matches_with_undo(facts: Iterable[tuple[UUID, int, str]]) -> list[MatchInPage]:
    """Return the matches of a page with an undo in it; `facts` are its `(match, seq, type)`."""
    firsts: dict[UUID, int] = {}
    undone: set[UUID] = set()
    for match, seq, kind in facts:
        firsts.setdefault(match, seq)
        if kind == "Undone":
            undone.add(match)
    return [MatchInPage(match, firsts[match]) for match in firsts if match in undone]
