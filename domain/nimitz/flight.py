"""N10.4 US aircraft, N10.5 Japanese aircraft: who flies where."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.nimitz.attacks import kamikaze
from domain.nimitz.automaton import NEXT_HIGHER, NEXT_LOWER, NOWHERE, Chose, Narrowed, d10, or_by_rule
from domain.nimitz.blows import AirborneOver
from domain.nimitz.board import (
    ISLAND,
    OCEAN,
    ORDER,
    airborne,
    aircraft,
    bombers,
    carriers,
    flights,
    land_based,
    landed,
    side_ashore,
    surface_targets,
)
from domain.nimitz.charts import BATTLE_AREAS, JA, US
from domain.nimitz.decisions import DoneAir, JaByRule, JaSendGroup, SendAircraft
from domain.nimitz.facts import number
from domain.nimitz.table import Open, Sight, Table, fighting, japan

AREA_NUMBERS = ", ".join(
    f"{'-'.join(map(str, sorted({*area.roll})))} {area.name}" for area in BATTLE_AREAS.values()
)
FIXED = 10
"""The area number of Carrier Attack, Kamikaze and First Light (N11.6, N10.3)."""
BOMBERS, FIGHTERS, LAND_BASED = "bombers", "fighters", "LBA"


class UsAircraft(Procedure):
    """N10.4 US AIRCRAFT; `ship` names the carrier whose bombers fly at first light (N10.3)."""

    ship: str = ""

    def commander(self, open: Open) -> int:
        """Return the US commander of the battle."""
        return fighting(open).seat

    @ask("N10.4", by="commander")
    def send(self, sight: Sight) -> list[Decision]:
        """Send aircraft to battle areas; who is not sent stays at home."""
        board = sight.open
        battle = fighting(board)
        who = bombers(flights(board, self.ship)) if self.ship else aircraft(board, US)
        who = [name for name in who if not battle.planes[name].flown]
        if not who:
            return []
        where = [a for a in ORDER if a != OCEAN or "ja.no_contact" not in battle.in_force]
        home = [name for name in who if not battle.planes[name].at]
        return [*(SendAircraft(name, area) for name in home for area in where), DoneAir()]

    @send.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        left = len({one.aircraft for one in options if isinstance(one, SendAircraft)})
        who = f"First Light, bombers of [{self.ship}]" if self.ship else "Aircraft"
        return (
            f"{who}: {left} at home. Choose one, then where it flies." if left else "All aircraft are sent."
        )

    @send.chosen
    def _(self, table: Table, decision: SendAircraft | DoneAir) -> Flow:
        if isinstance(decision, DoneAir):
            return DONE
        table.record(AirborneOver((decision.aircraft,), decision.area))
        return self.send

    @send.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [option for option in options if isinstance(option, SendAircraft)]


class JapaneseAircraft(Procedure):
    """N10.5 JAPANESE AIRCRAFT, group by group: bombers, then fighters, carriers before land bases."""

    groups: tuple[str, ...] = ()
    group: str = ""

    def japan(self, open: Open) -> tuple[int, ...]:
        """Return Japan's seat, unless a plan says where the group flies (N20.2)."""
        return () if self.fixed(open) else japan(open)

    @step("N10.5")
    def form(self, table: Table) -> None:
        """Form one group of bombers and one of fighters for each carrier, and one each on land (R-38)."""
        board = table.open
        bases = [*carriers(board, JA), LAND_BASED]
        names = [f"{kind}:{base}" for kind in (BOMBERS, FIGHTERS) for base in bases]
        self.groups = tuple(name for name in names if members(board, name))

    @step("N10.5")
    def next_group(self, _table: Table) -> Flow:
        """They fly one after the other."""
        if not self.groups:
            return DONE
        self.group, self.groups = self.groups[0], self.groups[1:]
        return None

    @ask("N20.2", by="japan", forced=True)
    def send(self, sight: Sight) -> list[Decision]:
        """Send the group to one of its legal areas."""
        board = sight.open
        picks = [JaSendGroup(self.group, area) for area in legal_areas(board, self.group)]
        return or_by_rule(picks) or [*picks]

    @send.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        kind, _, base = self.group.partition(":")
        count = len(members(sight.open, self.group))
        whose = "on land" if base == LAND_BASED else f"of [{base}]"
        more = f", before {number(len(self.groups), 'more group')}" if self.groups else ""
        return f"The {kind} {whose} ({count} aircraft) fly now{more}: choose where."

    @send.chosen
    def _(self, table: Table, decision: JaSendGroup | JaByRule) -> Flow:
        if isinstance(decision, JaByRule):
            return self.by_the_die
        table.record(AirborneOver(tuple(members(table.open, self.group)), decision.area))
        return self.next_group

    @step("N10.5")
    def roll(self, table: Table) -> Flow:
        """Roll for the area; a group without a legal one stays at home."""
        board = table.open
        if self.fixed(board):
            fly(table, self.group, FIXED)
            return self.next_group
        return self.next_group if japan(board) else None

    @step("N10.5")
    def by_the_die(self, table: Table) -> Flow:
        """Let the die say where it flies."""
        fly(table, self.group)
        return self.next_group

    def fixed(self, open: Open) -> bool:
        """Return whether the group's area number is 10 without a roll (N11.6)."""
        planned = "ja.carrier_attack" in fighting(open).in_force or kamikaze(open)
        return planned and self.group.startswith(BOMBERS)


def members(open: Open, group: str) -> list[str]:
    """Return the aircraft of a group that may still fly this turn, by id."""
    kind, _, base = group.partition(":")
    names = land_based(open, JA) if base == LAND_BASED else flights(open, base)
    bombing = bombers(names)
    names = bombing if kind == BOMBERS else [name for name in names if name not in bombing]
    return [name for name in names if not fighting(open).planes[name].flown]


def legal_areas(open: Open, group: str) -> list[str]:
    """Return the areas a Japanese group may fly to (N10.5), in the order of the board."""
    if group.startswith(FIGHTERS):
        return [area for area in ORDER if airborne(open, US, area) or airborne(open, JA, area)]
    areas = {area for area in ORDER if surface_targets(open, US, area)}
    if land_based(open, US) or (landed(open, US) and side_ashore(open, JA)):
        areas.add(ISLAND)
    return [area for area in ORDER if area in areas]


def fly(table: Table, group: str, number: int = 0) -> str:
    """Send a Japanese group where the die, or a given number, says; return the area, or nothing."""
    face = number or d10(table, "air group", target=AREA_NUMBERS, subject=group)
    wanted = next(area.id for area in BATTLE_AREAS.values() if area.roll[0] <= face <= area.roll[1])
    legal = legal_areas(table.open, group)
    place = ORDER.index(wanted)
    higher = [area for area in ORDER[place:] if area in legal]
    lower = [area for area in reversed(ORDER[:place]) if area in legal]
    area = next(iter([*higher, *lower]), "")
    why = [Narrowed("by plan" if number else "by the die", (wanted,))]
    if area != wanted:
        reason = NEXT_HIGHER if higher else NEXT_LOWER
        why.append(Narrowed(reason if area else NOWHERE, (area,) if area else ()))
    die = () if number else (face,)
    chosen = (area,) if area else ()
    table.record(Chose("N10.5", "Area for", tuple(legal), chosen, tuple(why), die, group))
    if area:
        table.record(AirborneOver(tuple(members(table.open, group)), area))
    return area
