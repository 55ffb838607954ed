"""P5.4, S1 A war between bots is put down at the beginning of each month and goes on as if it had not been.

It is put down as the row that a node keeps beside the log, read again, and taken up on a table of its own.
Both tables get what the bots decide on the first: each command must seal the same chain of facts, and then
both must ask and show the same. What is put down at the next month is the one that was taken up, so that a
war goes on from it month after month.
"""

from random import Random
from typing import Any
from uuid import UUID

import pytest

from clients.bots import strengths
from domain.kernel.dice import seeded
from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision, Procedure
from domain.kernel.table import Table
from domain.match.chain import seal
from domain.match.fold import Fold
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.campaigns import month_after
from domain.pacific_war.board.combat import month
from projections import positions
from server.bench.compare import command_of
from tests.kernel.playing import opening
from tests.projections.play import draft

MATCH = UUID(int=1)
SALT = bytes(32)
STEADY = strengths(PACIFIC_WAR.name)["steady"]
SHOWN_EVERY = 50
"""Commands after which both are looked at with everybody's eyes, beside the first of a month."""
COLUMNS = ("match_id", "seq", "hash", "title", "revision", "form", "digest", "body")
"""Those of a position, in the order in which they are written."""


class Going:
    """A match on a table, folded as a node folds it, command by command."""

    def __init__(self, fold: Fold, seed: int, *first: Procedure) -> None:
        self.fold = fold
        self.table = Table(PACIFIC_WAR, fold.state, seeded(seed), *first)

    def decide(self, seat: int, decisions: list[Decision]) -> None:
        """Let a seat decide with one command."""
        self.note(self.table.decide_all(seat, decisions))

    def note(self, facts: list[Fact]) -> None:
        """Seal the facts of a command, which are folded already."""
        after = self.fold.seq
        entries = seal(MATCH, UUID(int=after), after, after, self.fold.hash, map(draft, facts), SALT)
        self.fold.note(entries, facts)


def begun(scenario: str, seed: int) -> Going:
    """Return a match at its first question."""
    fold = Fold(PACIFIC_WAR, forgets=True)
    facts = [*opening(PACIFIC_WAR, scenario, {})]
    for fact in facts:
        fact.fold(fold.state)
    match = fold.state.match
    going = Going(fold, seed, PACIFIC_WAR.first(match.scenario, match.options))
    going.note([*facts, *going.table.facts])
    return going


def taken_up(going: Going, seed: int) -> Going:
    """Return a match as it is after it was put down and read again, on a table of its own."""
    row: Any = dict(zip(COLUMNS, positions._row(MATCH, going.fold), strict=True))
    found = positions._checked(MATCH, row | {"on_the_log": going.fold.hash})
    assert found is not None
    return Going(Fold.at_position(found.game, found.position), seed)


def alike(one: Going, other: Going, *, shown: bool) -> None:
    """Compare chain and questions and, if they are `shown`, all views."""
    assert (one.fold.seq, one.fold.hash) == (other.fold.seq, other.fold.hash)
    assert one.table.prompts == other.table.prompts
    if shown:
        assert one.fold.views() == other.fold.views()
        assert PACIFIC_WAR.encode(one.fold.state) == PACIFIC_WAR.encode(other.fold.state)


def put_down_each_month(scenario: str, seed: int, until: str) -> tuple[list[str], bool]:
    """Let bots play until a month begins; return the months in which they began, and whether it is over."""
    going, chance, months = begun(scenario, seed), Random(seed), list[str]()
    again, commands, match = going, 0, going.fold.state.match
    while not match.over and (now := month(going.fold.state.open)) < until:
        begins = now not in months
        if begins:
            months.append(now)
            again = taken_up(again, seed)
        alike(going, again, shown=begins or commands % SHOWN_EVERY == 0)
        seat = next(iter(going.table.prompts))
        decisions = command_of(PACIFIC_WAR, going.table, seat, STEADY, chance)[1]
        going.decide(seat, decisions)
        again.decide(seat, decisions)
        commands += 1
    alike(going, again, shown=True)
    return months, match.over


@pytest.mark.parametrize(
    ("until", "least"), [("1942-02", 2), pytest.param("1946-01", 40, marks=pytest.mark.soak)]
)
def test_p5_4_s1_a_war_between_bots_that_is_put_down_each_month_goes_on_as_it_would_have(
    until: str, least: int
) -> None:
    months, over = put_down_each_month("S1", 1, until)

    assert ["1941-12", *map(month_after, months)] == [*months, month_after(months[-1])]
    assert least <= len(months)
    assert over or month_after(months[-1]) == until
