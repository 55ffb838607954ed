"""N20.1 The automated side: how it chooses, and the record of why.

Each choice of Japan without a person is recorded as one fact, `Chose`: the candidates, each rule that
narrowed them down, the die, and what was chosen. N0.3 (die) and N0.4 (draw) are the two kinds of chance.
Deliberately absent: any heuristic; only the criteria of the rules are used.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision
from domain.nimitz.charts import AREAS, JA
from domain.nimitz.decisions import JaByRule
from domain.nimitz.table import Table

D10 = 10
DRAWN = "drawn"
BY_ID, TIES_BY_ID = "by id", "ties by id"
NEXT_HIGHER, NEXT_LOWER = "the next higher that is legal", "the next lower that is legal"
NOWHERE = "no area is legal, it stays at home"
"""Reasons as facts hold them; ids are what no player sees."""
SAID = {
    BY_ID: "by the fixed order of N0.5",
    NEXT_HIGHER: "where it may not fly: the next area upward where it may",
    NEXT_LOWER: "where it may not fly: the next area downward where it may",
    NOWHERE: "where it may not fly, nor anywhere else: it stays at home",
}
"""How such a reason is said."""
TIES = "ties by the fixed order of N0.5"
SHORT = 6
"""The most candidates named in a sentence; above it only their number is given."""


class Narrowed(Struct, frozen=True):
    """A reason, and who was left after it."""

    reason: str
    left: tuple[str, ...]


class Chose(Fact, frozen=True):
    """A choice that nobody made: by rule, by tie-break, by die or by draw."""

    rule: str
    question: str
    candidates: tuple[str, ...]
    """All who stood to choose from, in order."""
    chosen: tuple[str, ...]
    steps: tuple[Narrowed, ...] = ()
    die: tuple[int, ...] = ()
    """The faces of the d10 that decided, re-rolls included; for a draw the place in what was left, from 1."""
    about: str = ""
    """The id of what the choice is about."""

    def words(self) -> str:
        """Say what was chosen from what, and why."""
        about = f" [{self.about}]" if self.about else ""
        why = ", ".join(self._reason(step) for step in self.steps)
        if {*self.candidates} == {*self.chosen}:
            # The draw itself has said that it was of all.
            among = "" if [step.reason for step in self.steps] == [DRAWN] else why
        elif len(self.candidates) <= SHORT:
            among = f"among {_list(self.candidates)}{f': {why}' if why else ''}"
        else:
            among = f"among {len(self.candidates)}{f': {why}' if why else ''}"
        return f"{self.question}{about}: {_list(self.chosen)}{f'; {among}' if among else ''} ({self.rule})"

    def _reason(self, step: Narrowed) -> str:
        """Say a reason, and who was left after it where that is not yet who was chosen."""
        reason = SAID.get(step.reason, step.reason).replace(TIES_BY_ID, TIES)
        if not step.left or {*step.left} == {*self.chosen}:
            return reason
        return f"{reason} ({_list(step.left) if len(step.left) <= SHORT else f'{len(step.left)} left'})"


def or_by_rule(picks: Iterable[Decision]) -> list[Decision]:
    """Return what Japan's seat may pick, if there are several, and last to let the rules choose (R-88)."""
    several = [*picks]
    return [*several, JaByRule()] if len(several) > 1 else []


def _list(names: Sequence[str]) -> str:
    return ", ".join(f"[{name}]" for name in names) if names else "none"


def narrowed(steps: list[Narrowed], reason: str, left: Sequence[str], before: Sequence[str]) -> None:
    """Append a reason if it leaves fewer candidates than before."""
    if len(left) < len(before):
        steps.append(Narrowed(reason, tuple(left)))


def first_few(
    table: Table, rule: str, question: str, ranked: Sequence[tuple[str, object]], count: int, reason: str
) -> None:
    """Record why the first few were chosen; `ranked` are names with their rank, the best first."""
    names = tuple(name for name, _ in ranked)
    chosen = names[:count]
    if not chosen or len(chosen) == len(names):
        return
    equals = [name for name, rank in ranked[count:] if rank == ranked[count - 1][1]]
    why = [Narrowed(reason, (*chosen, *equals))]
    narrowed(why, BY_ID, chosen, (*chosen, *equals))
    table.record(Chose(rule, question, names, chosen, tuple(why)))


def draw(table: Table, rule: str, question: str, candidates: Sequence[str], count: int = 1) -> list[str]:
    """Draw some, one after the other without putting back; even of one it is an event (N0.4)."""
    left = sorted(candidates)
    places = table.draw(question, len(left), count, by=JA)
    drawn = [left.pop(place) for place in places]
    if drawn:
        names = tuple(drawn)
        die = tuple(place + 1 for place in places)
        table.record(Chose(rule, question, tuple(sorted(candidates)), names, (Narrowed(DRAWN, names),), die))
    return drawn


def area_roll(table: Table, candidates: Sequence[str], about: str) -> tuple[str, tuple[int, ...]]:
    """Pick one area of several at random; return it and the dice (N0.3)."""
    ordered = sorted(candidates)
    if len(ordered) > D10:
        place = table.draw("random area", len(ordered), by=JA)[0]
        return ordered[place], (place + 1,)
    each = D10 // len(ordered)
    faces: list[int] = []
    need = f"{each} for each of {', '.join(AREAS[area].name for area in ordered)}"
    while not faces or faces[-1] > each * len(ordered):
        faces += table.roll("random area", 1, D10, by=JA, target=need, subject=about)
    return ordered[-(-faces[-1] // each) - 1], tuple(faces)


def d10(table: Table, purpose: str, *, target: str = "", subject: str = "", by: int = JA) -> int:
    """Roll one d10 (N0.1)."""
    return table.roll(purpose, 1, D10, by=by, target=target, subject=subject)[0]
