"""N10 The battle turn, in its order (N10.1)."""

from collections.abc import Sequence

from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.nimitz.aftermath import Advance, AirfieldLosses, DeckLosses, infantry_advances, land
from domain.nimitz.attacks import BOMBS, DEPTH, DOGFIGHT, GUNS, INFANTRY, TORPEDOES, Kind, attackers
from domain.nimitz.board import COASTAL, ISLAND, ORDER, WATERS, airborne
from domain.nimitz.charts import JA, US
from domain.nimitz.combat import Clash
from domain.nimitz.decisions import PassPlan, UsePlan
from domain.nimitz.first_light import FirstLight, end_dives
from domain.nimitz.flak import Flak
from domain.nimitz.flight import JapaneseAircraft, UsAircraft
from domain.nimitz.happenings import BattleTurnBegan, PlanUsed
from domain.nimitz.planning import JapanesePlans, LatePlans
from domain.nimitz.table import Open, Sight, Table, fighting

ASW = "us.asw"


class Everywhere(Procedure):
    """N0.8 A COMBAT STEP in one battle area after the other."""

    kind: Kind
    areas: tuple[str, ...]
    sides: tuple[int, ...] = (US, JA)

    @step("N0.8")
    def fight(self, table: Table) -> Flow:
        """Fight in the next area."""
        while self.areas:
            area, self.areas = self.areas[0], self.areas[1:]
            if self.kind == INFANTRY or self.fought(table.open, area):
                return Clash(kind=self.kind, area=area, sides=self.sides)
        return None

    @step("N0.8")
    def again(self, _table: Table) -> Flow:
        """Until all are done."""
        return self.fight if self.areas else None

    def fought(self, open: Open, area: str) -> bool:
        """Return whether anybody attacks there."""
        if self.kind == DOGFIGHT and not (airborne(open, US, area) and airborne(open, JA, area)):
            return False
        return any(attackers(open, side, self.kind, area) for side in self.sides)


class BattleTurn(Procedure):
    """N10 THE BATTLE TURN."""

    asw: bool = False
    flak: tuple[tuple[str, int], ...] = ()

    def commander(self, open: Open) -> int:
        """Return the US commander of the battle."""
        return fighting(open).seat

    @step("N10.1")
    def begin(self, table: Table) -> None:
        """Begin the next battle turn."""
        table.record(BattleTurnBegan(fighting(table.open).turn + 1))

    @step("N10.2")
    def japanese_plans(self, _table: Table) -> Flow:
        """Draw the Japanese plans."""
        return JapanesePlans()

    @step("N10.3")
    def first_light(self, _table: Table) -> Flow:
        """Whoever has First Light attacks."""
        return FirstLight()

    @step("N11.6")
    def late_plans(self, _table: Table) -> Flow:
        """Plans that take effect after it."""
        return LatePlans()

    @step("N10.4")
    def us_aircraft(self, _table: Table) -> Flow:
        """US aircraft fly."""
        return UsAircraft()

    @step("N10.5")
    def japanese_aircraft(self, _table: Table) -> Flow:
        """Japanese bombers fly, then fighters."""
        return JapaneseAircraft()

    @step("N10.6")
    def dogfights(self, _table: Table) -> Flow:
        """Aircraft fight where both sides have some in the air."""
        return Everywhere(kind=DOGFIGHT, areas=ORDER)

    @step("N10.7")
    def aaa(self, _table: Table) -> None:
        """In each area first the US ships fire, then the Japanese."""
        self.flak = tuple((area, side) for area in WATERS for side in (US, JA))

    @step("N10.7")
    def next_aaa(self, table: Table) -> Flow:
        """Area by area."""
        while self.flak:
            (area, side), self.flak = self.flak[0], self.flak[1:]
            if airborne(table.open, 1 - side, area):
                return Flak(side=side, area=area)
        return None

    @step("N10.7")
    def more_aaa(self, _table: Table) -> Flow:
        """Until all are done."""
        return self.next_aaa if self.flak else None

    @step("N10.8")
    def bomb_runs(self, _table: Table) -> Flow:
        """Bombers attack."""
        return Everywhere(kind=BOMBS, areas=ORDER)

    @step("N11.6")
    def kamikaze(self, table: Table) -> None:
        """Those who dived are destroyed."""
        end_dives(table)

    @ask("N11.7", by="commander")
    def before_torpedoes(self, sight: Sight) -> list[Decision]:
        """Let depth charges come before torpedoes, or not."""
        board = sight.open
        hunting = any(attackers(board, US, DEPTH, area) for area in WATERS)
        return [UsePlan(ASW), PassPlan()] if hunting and ASW in fighting(board).held else []

    @before_torpedoes.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        return "Torpedoes come next. By [us.asw] your depth charges come before them: use it now, or keep it."

    @before_torpedoes.chosen
    def _(self, table: Table, decision: UsePlan | PassPlan) -> Flow:
        if isinstance(decision, PassPlan):
            return self.torpedoes
        table.record(PlanUsed(ASW, "depth charges come first"))
        self.asw = True
        return Everywhere(kind=DEPTH, areas=WATERS, sides=(US,))

    @step("N10.9")
    def torpedoes(self, _table: Table) -> Flow:
        """Submarines attack surface ships and transports."""
        return Everywhere(kind=TORPEDOES, areas=WATERS)

    @step("N10.9")
    def depth_charges(self, _table: Table) -> Flow:
        """Ships attack submarines; the US not again after ASW."""
        return Everywhere(kind=DEPTH, areas=WATERS, sides=(JA,) if self.asw else (US, JA))

    @step("N10.9")
    def naval_guns(self, _table: Table) -> Flow:
        """Surface ships in Coastal fire."""
        return Everywhere(kind=GUNS, areas=(COASTAL,))

    @step("N10.10")
    def infantry(self, _table: Table) -> Flow:
        """Infantry in foxholes attacks."""
        return Everywhere(kind=INFANTRY, areas=(ISLAND,))

    @step("N10.11")
    def infantry_advance(self, table: Table) -> None:
        """Infantry comes ashore and digs in."""
        infantry_advances(table)

    @step("N10.12")
    def us_return(self, _table: Table) -> Flow:
        """US carrier aircraft without room are lost."""
        return DeckLosses(side=US)

    @step("N10.12")
    def japanese_return(self, _table: Table) -> Flow:
        """So are Japanese ones."""
        return DeckLosses(side=JA)

    @step("N10.12")
    def landing(self, table: Table) -> None:
        """All others land."""
        land(table)

    @step("N10.13")
    def airfield_losses(self, _table: Table) -> Flow:
        """Land-based aircraft without an airfield are lost."""
        return AirfieldLosses()

    @step("N10.14")
    def advance(self, _table: Table) -> Flow:
        """End the battle turn."""
        return Advance()
