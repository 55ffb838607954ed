"""What tests of combat share: dice and sealed facts of a command, and both ledgers checked after it."""

from collections.abc import Iterable
from typing import Any

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact, Roll, RolledUnseen
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.pacific_war.battle.naval import NavalBattles
from domain.pacific_war.board.charts import BOXES, LOCATIONS
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.changes import public, seen
from tests.pacific_war.board import table_at, take, told

JAPAN, ALLIES = 0, 1
SEA = "5543"
"""A hex of the open sea."""


def act(table: Table, side: int, *decisions: Decision) -> list[Fact]:
    """Let a side decide, check both ledgers, and return the facts."""
    facts = take(table, side, *decisions)
    check(table)
    return facts


NO_HEX = {"", *BOXES}


def check(table: Table) -> None:
    """Assert that public copies are the truth, and that what is said to be anywhere is there.

    What is in a box is told to nobody.
    """
    board = table.state.open
    for side, own in enumerate(table.state.own):
        for ship in own.ships.keys() & board.ships.keys():
            assert own.ships[ship] == board.ships[ship]
        for unit in own.air.keys() & board.air.keys():
            assert public(own.air[unit]) == board.air[unit]
        for unit in own.ground.keys() & board.ground.keys():
            assert seen(own.ground[unit]) == board.ground[unit]
        for tf in own.fleets.keys() & board.contents.keys():
            assert own.fleets[tf].ships == board.contents[tf]
        assert own.fleets.keys() == {tf for tf, force in board.tfs.items() if force.side == side}
        assert {ship.port for ship in own.ships.values()} - NO_HEX == set(board.ports[side])
        homes = {air.home for air in own.air.values() if air.steps}
        assert homes & LOCATIONS.keys() == set(board.airfields[side])
        assert {one.hex for one in own.ground.values() if one.steps} - NO_HEX == set(board.troops[side])
        for tf, fleet in own.fleets.items():
            assert all(own.ships[ship].tf == tf for ship in fleet.ships.ships)


def aimed(roll: Roll) -> str:
    """Return whom a unit fired at, `fort:` before a location; of other rolls the subject."""
    at = roll.target.partition(" at ")[2]
    return f"fort:{at[13:-1]}" if at.startswith("the fort of") else at[1:-1] or roll.subject


def rolls(facts: Iterable[Fact]) -> list[tuple[str, str, str, int]]:
    """Return purpose, whom it is about or fired at, target and face of each die, in order."""
    return [
        (one.purpose, aimed(one), one.target.split(" at ")[0], one.dice[0] % 10)
        for one in facts
        if isinstance(one, Roll)
    ]


def unseen(facts: Iterable[Fact]) -> list[str]:
    """Return the purposes of the dice that nobody sees."""
    return [one.purpose for one in told(facts, RolledUnseen)]


def hidden(facts: Iterable[Fact]) -> int:
    """Return how many facts not everybody sees."""
    return sum(fact.audience() is not Audience.ALL for fact in facts)


def words(facts: Iterable[Fact]) -> str:
    """Return what everybody is told, a line a fact."""
    return "\n".join(fact.words() for fact in facts if fact.audience() is Audience.ALL)


def fleet(tf: str, *screen: str, core: Iterable[str] = (), at: str = SEA, **more: Any) -> dict[str, Any]:
    """Return a task force as a scenario has it."""
    side = "JP" if tf.startswith("J") else "AL"
    return {"id": tf, "side": side, "hex": at, "core": [*core], "screen": [*screen], **more}


def joined(scene: str, *dice: int, sure: tuple[int, int] = (5, 5), **kind: Any) -> Table:
    """Return a table on which both have engaged; `sure` are the dice for Surprise."""
    table = table_at(scene, NavalBattles(), *sure, *dice, **kind)
    act(table, JAPAN, d.Engage())
    act(table, ALLIES, d.Engage())
    return table


def ranges(table: Table, japan: Decision, allies: Decision) -> list[Fact]:
    """Let both pick the range; return the facts of the second command."""
    act(table, JAPAN, japan)
    return act(table, ALLIES, allies)


def orders(*given: tuple[str, str, bool]) -> list[Decision]:
    """Return fire orders as decisions: ship, target, torpedoes; the last is Done."""
    picks: list[Decision] = []
    for ship, target, torpedoes in given:
        picks += [d.Fire(ship), d.At(target, torpedoes)]
    return [*picks, d.Done()]
