"""N9 Battle set-up, in the order of its numbers."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.nimitz.automaton import BY_ID, Chose, Narrowed, d10, narrowed, or_by_rule
from domain.nimitz.board import (
    COASTAL,
    OCEAN,
    US_OCEAN,
    WATERS,
    carriers,
    land_based,
    landed,
    ships,
    subs,
    surface_targets,
    to,
    transported,
)
from domain.nimitz.charts import COUNTERS, FLIGHTS, JA, LENGTH, PLAN_COUNT, US
from domain.nimitz.decisions import JaByRule, JaEscort, PlaceShip, PlaceSub
from domain.nimitz.facts import number
from domain.nimitz.happenings import CupFilled, FlightsReady, IslandOccupied, LengthIs, ShipsPlaced
from domain.nimitz.planning import Planning, full_cup
from domain.nimitz.rows import row_of
from domain.nimitz.table import (
    CARRIERS,
    ESCORTS,
    MARIANAS,
    SB,
    SUBMARINE,
    Open,
    Sight,
    Table,
    at,
    fighting,
    japan,
    of_type,
    rated,
)


class Deployment(Procedure):
    """N9 BATTLE SET-UP."""

    def commander(self, open: Open) -> int:
        """Return the US commander of the battle."""
        return fighting(open).seat

    @step("N9.2")
    def us_carriers(self, table: Table) -> None:
        """US carriers stand in the US Ocean."""
        place(table, self.waiting(table.open, US, CARRIERS), US_OCEAN)

    @ask("N9.2", by="commander")
    def place_ship(self, sight: Sight) -> list[Decision]:
        """Place your surface ships in the US Ocean or in Coastal."""
        names = self.waiting(sight.open, US, ESCORTS)
        return [PlaceShip(name, area) for name in names for area in (US_OCEAN, COASTAL)]

    @place_ship.says
    def _(self, _sight: Sight, options: Sequence[PlaceShip]) -> str:
        left = number(len({one.ship for one in options}), "surface ship")
        return f"Place {left}, in the US Ocean or in Coastal. The last one ends this."

    @place_ship.chosen
    def _(self, table: Table, decision: PlaceShip) -> Flow:
        place(table, [decision.ship], decision.area)
        return self.place_ship

    @place_ship.quiet
    def _(self, _sight: Sight, options: Sequence[PlaceShip]) -> Sequence[Decision]:
        return options if len({one.ship for one in options}) > 1 else ()

    @step("N9.3")
    def us_island(self, table: Table) -> None:
        """US aircraft are on the airfield, infantry ashore in foxholes, the transport group in Coastal."""
        occupy(table, US)

    @step("N9.4")
    def japanese_island(self, table: Table) -> None:
        """Japan does the same."""
        occupy(table, JA)

    @step("N9.5")
    def japanese_ships(self, table: Table) -> Flow:
        """Japanese carriers and escorts stand by what there is to protect."""
        board = table.open
        flat = self.waiting(board, JA, CARRIERS)
        escorts = self.waiting(board, JA, ESCORTS)
        if not flat:
            place(table, escorts, COASTAL, "no carriers are there")
            return None
        ashore = landed(board, JA) or transported(board, JA) or land_based(board, JA) or land_based(board, US)
        if not ashore:
            place(table, [*flat, *escorts], OCEAN, "nothing to cover on the island")
            return None
        place(table, flat, OCEAN)
        return Escorts(carriers=len(flat))

    @step("N9.6")
    def japanese_submarines(self, table: Table) -> None:
        """They all go where the US carriers are, else where US surface ships are in Coastal."""
        board = table.open
        boats = self.waiting(board, JA, (SUBMARINE,))
        if carriers(board, US):
            place(table, boats, US_OCEAN, "a US carrier is there")
        elif surface_targets(board, US, COASTAL):
            place(table, boats, COASTAL, "US ships are there")
        else:
            place(table, boats, OCEAN, "no US ship is in reach")

    @ask("N9.6", by="commander", forced=True)
    def place_sub(self, sight: Sight) -> list[Decision]:
        """Place your submarines where Japanese ships are."""
        board = sight.open
        areas = [a for a in WATERS if surface_targets(board, JA, a) or subs(board, JA, a)]
        return [PlaceSub(name, area) for name in self.waiting(board, US, (SUBMARINE,)) for area in areas]

    @place_sub.says
    def _(self, _sight: Sight, options: Sequence[PlaceSub]) -> str:
        left = len({one.ship for one in options})
        return (
            f"Place {number(left, 'submarine')} where Japanese ships are. "
            "After the last one a die says how long the battle is."
        )

    @place_sub.chosen
    def _(self, table: Table, decision: PlaceSub) -> Flow:
        place(table, [decision.ship], decision.area)
        return self.place_sub

    @place_sub.quiet
    def _(self, _sight: Sight, options: Sequence[PlaceSub]) -> Sequence[Decision]:
        """Return all while a choice is left; the last that is placed by force is followed by the dice."""
        left = len(options) - len({one.area for one in options})
        return options if left > 1 else ()

    @step("N9.7")
    def carrier_aircraft(self, table: Table) -> None:
        """Each undamaged carrier has a full group, a damaged one none."""
        for side in (US, JA):
            for ship in carriers(table.open, side):
                if not table.open.forces[ship].damaged:
                    table.record(FlightsReady(ship, FLIGHTS[ship]))

    @step("N9.8")
    def length(self, table: Table) -> None:
        """Roll for the length of the battle."""
        face = d10(table, "battle length", target="1-2 one turn, 3-5 two, 6-8 three, 9-10 four")
        table.record(LengthIs(row_of(LENGTH, face).turns, f"rolled {face}"))

    @step("N9.9")
    def japanese_plans(self, table: Table) -> None:
        """Count the Japanese forces for the plans per turn; all counters go into the cup (N9.10)."""
        board = table.open
        count = len(ships(board, JA)) + len(subs(board, JA)) + len(land_based(board, JA))
        count += len(at(board, fighting(board).area, JA, "INF"))
        plans = row_of(PLAN_COUNT, count).plans if count else 0
        table.record(CupFilled(full_cup(), (), plans))

    @step("N9.11")
    def us_plans(self, _table: Table) -> Flow:
        """Then the US buy theirs."""
        return Planning()

    def waiting(self, open: Open, side: int, types: tuple[str, ...]) -> list[str]:
        """Return a side's ships of some types that are not placed yet, by id."""
        battle = fighting(open)
        return [n for n in of_type(at(open, battle.area, side, "SHIP"), *types) if n not in battle.ships]


def place(table: Table, names: list[str], area: str, why: str = "") -> None:
    """Place ships in a battle area."""
    if names:
        table.record(ShipsPlaced(tuple(names), area, why))


def occupy(table: Table, side: int) -> None:
    """N9.3, N9.4: put a side's island forces on the board; bomber wings away count for airfields."""
    board = table.open
    area = fighting(board).area
    infantry = at(board, area, side, "INF")
    groups = at(board, area, side, "LBA")
    away = at(board, SB, US) if side == US and area == MARIANAS else []
    if infantry or groups or away:
        table.record(
            IslandOccupied(
                side,
                tuple(n for n in infantry if not board.forces[n].aboard),
                tuple(n for n in infantry if board.forces[n].aboard),
                tuple(groups),
                len(groups) + len(away),
            )
        )


class Escorts(Procedure):
    """N9.5 JAPANESE ESCORTS, one to the ocean and one to Coastal in turn, until the carriers have enough."""

    carriers: int
    to: str = OCEAN

    def japan(self, open: Open) -> tuple[int, ...]:
        """Return the seat of Japan, if there is one."""
        return japan(open)

    def waiting(self, open: Open) -> list[str]:
        """Return the escorts not placed yet."""
        battle = fighting(open)
        return [n for n in of_type(at(open, battle.area, JA, "SHIP"), *ESCORTS) if n not in battle.ships]

    @step("N9.5")
    def enough(self, table: Table) -> Flow:
        """When the ocean has as many escorts as there are carriers, all others go to Coastal."""
        board = table.open
        if len(ships(board, JA, OCEAN, ESCORTS)) >= self.carriers:
            place(table, self.waiting(board), COASTAL, "the carriers have their escorts")
        return None if self.waiting(board) else DONE

    @ask("N20.2", by="japan")
    def escort(self, sight: Sight) -> list[Decision]:
        """Choose among the escorts with equal surface values."""
        return or_by_rule(map(JaEscort, self.tied(sight.open)))

    @escort.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        many, least = len(self.tied(sight.open)), "lowest" if self.to == OCEAN else "highest"
        return f"{many} escorts have the {least} surface value: choose which goes {to(self.to)}."

    @escort.chosen
    def _(self, table: Table, decision: JaEscort | JaByRule) -> Flow:
        if isinstance(decision, JaByRule):
            return self.rule_picks
        self.send(table, decision.ship)
        return self.enough

    @step("N9.5")
    def rule_picks(self, table: Table) -> Flow:
        """Send the lowest surface value to the ocean, the highest to Coastal; ties by value, then id."""
        board = table.open
        everyone, tied, why = self.waiting(board), self.tied(board), list[Narrowed]()
        word = "lowest" if self.to == OCEAN else "highest"
        narrowed(why, f"the {word} surface value", tied, everyone)
        best = (min if self.to == OCEAN else max)(COUNTERS[n].value for n in tied)
        left = [n for n in tied if COUNTERS[n].value == best]
        narrowed(why, f"the {word} value", left, tied)
        narrowed(why, BY_ID, left[:1], left)
        if len(everyone) > 1:
            table.record(Chose("N9.5", f"Escort for [{self.to}]", tuple(everyone), (left[0],), tuple(why)))
        self.send(table, left[0])
        return self.enough

    def tied(self, open: Open) -> list[str]:
        """Return the waiting escorts with the lowest or highest surface value."""
        waiting = self.waiting(open)
        surface = {n: rated(open, n).surface or 0 for n in waiting}
        best = min(surface.values()) if self.to == OCEAN else max(surface.values())
        return [n for n in waiting if surface[n] == best]

    def send(self, table: Table, ship: str) -> None:
        """Place an escort and turn to the other area."""
        place(table, [ship], self.to)
        self.to = COASTAL if self.to == OCEAN else OCEAN
