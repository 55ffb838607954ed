"""N10.3 First light: an attack before all others, by plan of either side."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.nimitz.aftermath import AirfieldLosses, lose_with_decks
from domain.nimitz.attacks import BOMBS
from domain.nimitz.automaton import BY_ID, Chose, Narrowed, d10, narrowed, or_by_rule
from domain.nimitz.blows import Destroyed, Grounded
from domain.nimitz.board import ORDER, WATERS, fit, flights
from domain.nimitz.charts import JA, US
from domain.nimitz.combat import Clash
from domain.nimitz.decisions import JaByRule, JaFirstLightCarrier, PassFirstLight, PickCarrier, RollFirstLight
from domain.nimitz.flak import Flak
from domain.nimitz.flight import BOMBERS, FIXED, UsAircraft, fly, members
from domain.nimitz.happenings import PlanUsed, PlanVoid
from domain.nimitz.planning import FIRST_LIGHT
from domain.nimitz.table import Open, Sight, Table, fighting, japan

US_FIRST_LIGHT = "us.first_light"
NEED = 7


class FirstLight(Procedure):
    """N10.3 FIRST LIGHT."""

    @step("N10.3")
    def both(self, table: Table) -> Flow:
        """If both sides have the plan, both are void (R-55)."""
        battle = fighting(table.open)
        if FIRST_LIGHT in battle.in_force and US_FIRST_LIGHT in battle.held:
            table.record(PlanUsed(US_FIRST_LIGHT, "comes to nothing against the Japanese one"))
            table.record(PlanVoid(FIRST_LIGHT, "comes to nothing against the US one"))
            return DONE
        return None

    @step("N10.3")
    def japanese(self, table: Table) -> Flow:
        """Japan's plan sends the bombers of a carrier."""
        return JapaneseFirstLight() if FIRST_LIGHT in fighting(table.open).in_force else None

    @step("N10.3")
    def american(self, table: Table) -> Flow:
        """With the US plan the bombers of a carrier may attack."""
        return UsFirstLight() if US_FIRST_LIGHT in fighting(table.open).held else None


class Dawn(Procedure):
    """N10.3 AN ATTACK AT FIRST LIGHT: AAA, then bombs, then home."""

    side: int
    planes: tuple[str, ...]
    area: str

    def flying(self, open: Open) -> tuple[str, ...]:
        """Return who is left of the attack."""
        planes = fighting(open).planes
        return tuple(name for name in self.planes if name in planes and planes[name].at == self.area)

    @step("N10.7")
    def flak(self, _table: Table) -> Flow:
        """First the enemy's AAA fires, at this group alone."""
        return Flak(side=1 - self.side, area=self.area, only=self.planes) if self.area in WATERS else None

    @step("N10.8")
    def bombs(self, table: Table) -> Flow:
        """Then it bombs."""
        left = self.flying(table.open)
        return Clash(kind=BOMBS, area=self.area, sides=(self.side,), only=left) if left else None

    @step("N11.6")
    def kamikaze(self, table: Table) -> None:
        """Those who dived are destroyed."""
        end_dives(table)

    @step("N10.3")
    def home(self, table: Table) -> None:
        """Then it returns, and does not move again this turn."""
        left = self.flying(table.open)
        if left:
            table.record(Grounded(left, flown=True))

    @step("N10.3")
    def decks(self, table: Table) -> None:
        """Enemy aircraft on the deck of a carrier that was hit are destroyed (R-86)."""
        lose_with_decks(table, 1 - self.side)


class JapaneseFirstLight(Procedure):
    """N10.3 b JAPAN AT FIRST LIGHT."""

    ship: str = ""

    def japan(self, open: Open) -> tuple[int, ...]:
        """Return the seat of Japan, if there is one."""
        return japan(open)

    @ask("N20.2", by="japan")
    def carrier(self, sight: Sight) -> list[Decision]:
        """Choose among the carriers with the most aircraft."""
        return or_by_rule(map(JaFirstLightCarrier, most_aircraft(sight.open)))

    @carrier.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        tied = most_aircraft(sight.open)
        many = len(flights(sight.open, tied[0]))
        return f"First Light: {len(tied)} carriers have {many} aircraft each. Choose whose bombers attack."

    @carrier.chosen
    def _(self, _table: Table, decision: JaFirstLightCarrier | JaByRule) -> None:
        if isinstance(decision, JaFirstLightCarrier):
            self.ship = decision.ship

    @step("N10.3")
    def attack(self, table: Table) -> Flow:
        """Send the bombers of the undamaged carrier with the most aircraft; ties go by id."""
        board = table.open
        if not self.ship:
            self.ship = pick_carrier(table)
        group = f"{BOMBERS}:{self.ship}"
        if not self.ship or not members(board, group):
            what = "bombers on its carrier" if self.ship else "carrier with aircraft"
            table.record(PlanVoid(FIRST_LIGHT, f"has no {what}"))
            return DONE
        area = fly(table, group, FIXED)
        if not area:
            return DONE
        planes = [name for name in flights(board, self.ship) if fighting(board).planes[name].at]
        return Dawn(side=JA, planes=tuple(planes), area=area)

    @step("N10.3")
    def after(self, table: Table) -> Flow:
        """Nothing of this carrier moves again."""
        board = table.open
        stay = tuple(n for n in flights(board, self.ship) if not fighting(board).planes[n].flown)
        if stay:
            table.record(Grounded(stay, flown=True))
        return AirfieldLosses()


class UsFirstLight(Procedure):
    """N10.3 c THE US AT FIRST LIGHT."""

    ship: str = ""
    areas: tuple[str, ...] = ()

    def commander(self, open: Open) -> int:
        """Return the US commander of the battle."""
        return fighting(open).seat

    @ask("N10.3", by="commander")
    def try_it(self, sight: Sight) -> list[Decision]:
        """Roll for First Light, or keep the plan."""
        return [RollFirstLight(), PassFirstLight()] if us_carriers(sight.open) else []

    @try_it.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        return (
            f"First Light: on {NEED} or more the bombers of one carrier attack before all others. "
            "On less you keep the plan."
        )

    @try_it.chosen
    def _(self, table: Table, decision: RollFirstLight | PassFirstLight) -> Flow:
        if isinstance(decision, PassFirstLight):
            return DONE
        face = d10(table, "First Light", target=f"{NEED} or more", by=US)
        if face < NEED:
            return DONE
        table.record(PlanUsed(US_FIRST_LIGHT, "the attack succeeds in surprise"))
        return None

    @ask("N10.3", by="commander", forced=True)
    def carrier(self, sight: Sight) -> list[Decision]:
        """Choose the carrier whose bombers attack."""
        battle = fighting(sight.open)
        if US_FIRST_LIGHT in battle.held:
            return []
        return [*map(PickCarrier, us_carriers(sight.open))]

    @carrier.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        return f"First Light: choose which of {len(options)} carriers sends its bombers now."

    @carrier.chosen
    def _(self, _table: Table, decision: PickCarrier) -> Flow:
        self.ship = decision.ship
        return UsAircraft(ship=self.ship)

    @step("N10.3")
    def where(self, _table: Table) -> Flow:
        """Attack the areas in their order."""
        if not self.ship:
            return DONE
        self.areas = ORDER
        return None

    @step("N10.3")
    def attack(self, table: Table) -> Flow:
        """They suffer AAA in each area, bomb, and return."""
        if not self.areas:
            return DONE
        area, self.areas = self.areas[0], self.areas[1:]
        board = table.open
        planes = [name for name in flights(board, self.ship) if fighting(board).planes[name].at == area]
        return Dawn(side=US, planes=tuple(planes), area=area) if planes else self.attack

    @step("N10.3")
    def next_area(self, _table: Table) -> Flow:
        """Then the next area."""
        return self.attack


def us_carriers(open: Open) -> list[str]:
    """Return the undamaged US carriers with an aircraft, by id."""
    return [ship for ship in fit(open, US) if flights(open, ship)]


def most_aircraft(open: Open) -> list[str]:
    """Return the undamaged Japanese carriers with the most aircraft, by id."""
    count = {ship: len(flights(open, ship)) for ship in fit(open, JA)}
    most = max(count.values(), default=0)
    return [ship for ship, number in count.items() if number == most > 0]


def pick_carrier(table: Table) -> str:
    """Pick the first by id of the carriers with the most aircraft; nothing if there is none."""
    board = table.open
    everyone = [ship for ship in fit(board, JA) if flights(board, ship)]
    tied, why = most_aircraft(board), list[Narrowed]()
    if not tied:
        return ""
    narrowed(why, "the most aircraft", tied, everyone)
    narrowed(why, BY_ID, tied[:1], tied)
    table.record(Chose("N10.3", "Carrier for First Light", tuple(everyone), (tied[0],), tuple(why)))
    return tied[0]


def end_dives(table: Table) -> None:
    """N11.6: bombers that dived into ships are destroyed."""
    for name, plane in sorted(fighting(table.open).planes.items()):
        if plane.dived:
            table.record(Destroyed(name, "its dive"))
