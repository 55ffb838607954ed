"""P41.4, P41.7, P41.8, P41.11 What must hold of the course of a match: each fact in its phase."""

from collections import Counter
from collections.abc import Iterable, Iterator

from domain.kernel.facts import Fact, Rolled, RolledUnseen
from domain.pacific_war.board.campaigns import SPACES
from domain.pacific_war.board.charts import AIR
from domain.pacific_war.facts.cycle import (
    AdvantageIs,
    CycleBegan,
    LightingIs,
    PhaseBegan,
    ShipHit,
    Struck,
    UnitLost,
)
from domain.pacific_war.facts.fighting import (
    CapIs,
    GroundBattleIs,
    GroundStepsLost,
    NavalBattleIs,
    OrdersGiven,
    RaidsAre,
    TookOff,
)
from domain.pacific_war.facts.months import DayIs, OperationIs

DAYS = {"5.1.R": 1, "5.2.O": 2, "5.1.O": 0, "5.1.P": 1}
"""P41.4: days that pass in a phase; 0 stands for Month Begin. A bid is forfeited in 5.1.P (R-4)."""
SET_IN = {LightingIs: "5.2.A", AdvantageIs: "5.2.B"}
QUIET = ("5.1.R", "5.1.T", "5.2.C", "5.2.K")
"""P41.11: phases in which patrols fight, and nobody else but who hunts a submarine, which hits no ship."""
FIGHTS = (CapIs, GroundBattleIs, NavalBattleIs, OrdersGiven, RaidsAre, Struck)
HITS = (GroundStepsLost, ShipHit, UnitLost)
"""What torpedoes do; troops are lost with their ship."""
TORPEDOES = "submarine torpedoes"
"""P25.2: what a patrol rolls for."""


class Course:
    """How far a match has come, as its facts tell; `follow` says what has no place there."""

    def __init__(self, day: int = -1) -> None:
        """Begin on a day, or where the first fact says."""
        self.phase, self.day = "", day
        self.flown, self.fired = Counter[str](), False
        self.running = False

    def follow(self, facts: Iterable[Fact]) -> Iterator[str]:
        """Yield a sentence for each fact that has no place where it stands."""
        for fact in facts:
            if isinstance(fact, PhaseBegan):
                self.phase, self.fired = fact.phase, False
            yield from self._clock(fact)
            yield from self._fight(fact)

    def _clock(self, fact: Fact) -> Iterator[str]:
        """41.4, 41.7, 41.8: days, lighting, the Advantage, and one Operation at a time."""
        match fact:
            case DayIs():
                yield from self._passes(fact.day)
            case OperationIs():
                if fact.begun and self.running:
                    yield "an Operation begins within another"
                self.running = fact.operation is not None
            case LightingIs() | AdvantageIs():
                if self.phase != SET_IN[type(fact)]:
                    yield f"{fact.words()} in {self.phase}"

    def _fight(self, fact: Fact) -> Iterator[str]:
        """41.7, 41.11: who flies, and who fights where nobody may."""
        match fact:
            case CycleBegan():
                self.flown.clear()
            case Rolled() | RolledUnseen():
                self.fired |= fact.purpose == TORPEDOES
            case TookOff():
                self.flown.update(fact.units)
                for unit in fact.units:
                    if self.flown[unit] > AIR[unit].max_steps:
                        yield f"{unit} has flown {self.flown[unit]} steps in a cycle"
        if self.phase in QUIET and (isinstance(fact, FIGHTS) or (isinstance(fact, HITS) and not self.fired)):
            yield f"{type(fact).__name__} in {self.phase}"

    def _passes(self, day: int) -> Iterator[str]:
        days = DAYS.get(self.phase, -1)
        expected = (self.day + days) % SPACES if days > 0 else days
        if self.day >= 0 and day != expected:
            yield f"day {day} follows {self.day} in {self.phase}"
        self.day = day


def course(facts: Iterable[Fact], day: int = -1) -> list[str]:
    """Return what has no place in a log that begins on a day."""
    return list(Course(day).follow(facts))
