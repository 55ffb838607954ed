"""5 Battle."""

from msgspec import field

from domain.kernel.facts import Modifier
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from tests.tiny import victory
from tests.tiny.charts import HIT, ROUNDS, SHELLS, SMOKE
from tests.tiny.decisions import Lose, Pass, Press
from tests.tiny.facts import CardsSpent, StepsLeft
from tests.tiny.reactions import Reactions
from tests.tiny.table import Open, Sight, Table, afloat, played


class Battle(Procedure):
    """5 BATTLE. Rounds of fire until one fleet is sunk or the admiral with the initiative breaks off."""

    islet: str
    rounds: int = 0
    hits: dict[int, int] = field(default_factory=dict)
    """Side to the hits it takes this round."""

    def initiative(self, open: Open) -> int:
        """Return the admiral with the initiative: North in even turns, South in odd ones."""
        return open.admirals[open.turn % 2]

    @step("5.1")
    def react(self, table: Table) -> Flow:
        """Before the guns speak, either side may react."""
        return Reactions.window_for("fire", table)

    @step("5.2")
    def fire(self, table: Table) -> None:
        """Both sides roll a die for each boat; 2 or less hits."""
        self.hits = {1 - side: self.volley(table, side) for side in (0, 1)}

    @step("5.3")
    def north_losses(self, table: Table) -> Flow:
        """North takes its hits."""
        return Losses(seat=table.open.captains[0], side=0, hits=self.hits[0])

    @step("5.3")
    def south_losses(self, table: Table) -> Flow:
        """South takes its hits."""
        return Losses(seat=table.open.captains[1], side=1, hits=self.hits[1])

    @step("5.4")
    def fall_silent(self, table: Table) -> None:
        """Cards are laid aside; a side without boats has lost (7.1)."""
        self.rounds += 1
        if table.open.in_play:
            table.record(CardsSpent(tuple(table.open.in_play)))
        victory.all_sunk(table)

    @ask("5.5", by="initiative")
    def press_on(self, sight: Sight) -> list[Decision]:  # noqa: ARG002 the kernel's shape
        """Press on, or break off."""
        return [Press(), Pass()] if self.rounds < ROUNDS else []

    @press_on.chosen
    def _(self, table: Table, decision: Press | Pass) -> Flow:  # noqa: ARG002 the kernel's shape
        return self.react if isinstance(decision, Press) else DONE

    def volley(self, table: Table, side: int) -> int:
        """Roll the fire of a side and return its hits."""
        modifiers = volley_modifiers(table.open, side)
        need = HIT + sum(modifier.amount for modifier in modifiers)
        dice = table.roll(
            "fire",
            len(afloat(table.open, side)),
            by=side,
            target=f"{HIT} or less hits",
            subject=self.islet,
            modifiers=modifiers,
        )
        return sum(die <= need for die in dice)


def volley_modifiers(open: Open, side: int) -> list[Modifier]:
    """Return what makes the fire of a side better or worse (5.2, 6.1)."""
    modifiers = []
    if open.night:
        modifiers.append(Modifier("night", -1))
    if played(open, side, SHELLS):
        modifiers.append(Modifier("shells", 1))
    if played(open, 1 - side, SMOKE):
        modifiers.append(Modifier("enemy smoke", -1))
    return modifiers


class Losses(Procedure):
    """5.3 LOSSES. The captain chooses the boat that takes each hit."""

    seat: int
    side: int
    hits: int

    @ask("5.3", forced=True)
    def choose(self, sight: Sight) -> list[Decision]:
        """Choose the boat that takes the hit."""
        return [Lose(boat) for boat in afloat(sight.open, self.side)] if self.hits else []

    @choose.chosen
    def _(self, table: Table, decision: Lose) -> Flow:
        table.record(StepsLeft(decision.boat, table.open.boats[decision.boat].steps - 1))
        self.hits -= 1
        return self.choose
