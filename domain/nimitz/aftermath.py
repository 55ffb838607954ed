"""N10.11 to N10.14 The end of a battle turn: advance, return of aircraft, airfield losses, length."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.nimitz.automaton import BY_ID, Chose, Narrowed, narrowed, or_by_rule
from domain.nimitz.blows import NO_DECK, Advanced, AirfieldsAre, Destroyed, Grounded, GroupLost, Rehomed
from domain.nimitz.board import (
    aircraft,
    allocator,
    fit,
    flights,
    length,
    on_airfields,
    on_beach,
    on_board,
    transported,
)
from domain.nimitz.charts import COUNTERS, JA, SIDE_OF, SIDES, US
from domain.nimitz.decisions import AdjustLength, JaByRule, JaLoseAircraft, LoseAircraft, PassPlan
from domain.nimitz.facts import number
from domain.nimitz.happenings import TURN_OVER, LengthIs, PlanUsed
from domain.nimitz.marches import Returned
from domain.nimitz.table import TWO_PLAYERS, Open, Sight, Table, fighting, is_damaged

ENGAGED = "us.engaged"


def infantry_advances(table: Table) -> None:
    """N10.11: beach to foxhole; transport to beach, but US Marines straight into foxholes (R-59)."""
    for side in (US, JA):
        board = table.open
        aboard = transported(board, side)
        marines = [name for name in aboard if COUNTERS[name].type == "MARINE"]
        foxhole = (*on_beach(board, side), *marines)
        beach = tuple(name for name in aboard if name not in marines)
        if foxhole or beach:
            table.record(Advanced(side, foxhole, beach))


def land(table: Table) -> None:
    """N10.12: aircraft return; those without a fit carrier fill the free places of the others, by id."""
    board = table.open
    battle = fighting(board)
    flying = tuple(name for name in sorted(battle.planes) if battle.planes[name].at)
    if flying:
        table.record(Grounded(flying))
    for side in (US, JA):
        decks = fit(board, side)
        for name in aircraft(board, side):
            home = battle.planes[name].home
            if home and home not in decks:
                free = next(ship for ship in decks if len(flights(board, ship)) < battle.rooms[ship])
                table.record(Rehomed(name, free))


def lose_with_decks(table: Table, side: int) -> None:
    """R-86: aircraft on the deck of a carrier that is damaged or sunk are lost; those in the air are not."""
    decks = fit(table.open, side)
    for name, plane in sorted(fighting(table.open).planes.items()):
        if SIDE_OF[name] == side and plane.home and plane.home not in decks and not plane.at:
            table.record(Destroyed(name, f"the loss of [{plane.home}]'s deck"))


def flown_from_ships(open: Open, side: int) -> list[str]:
    """Return a side's carrier aircraft, by id."""
    return [name for name in aircraft(open, side) if COUNTERS[name].kind == "CAG"]


def first_to_lose(open: Open, names: list[str]) -> tuple[list[str], list[Narrowed]]:
    """Return whom Japan loses first, ties left open, and why: damaged, then the lowest value (N10.12)."""
    why: list[Narrowed] = []
    hurt = [name for name in names if is_damaged(open, name)] or names
    narrowed(why, "damaged ones first", hurt, names)
    least = min(COUNTERS[name].value for name in hurt)
    low = [name for name in hurt if COUNTERS[name].value == least]
    narrowed(why, f"the lowest value, {least}", low, hurt)
    return low, why


def asked(many: int, excess: int) -> str:
    """Say which of many is chosen now, when so many are lost: where all are, the order alone."""
    if excess == many:
        return "all are lost, in the order that you choose"
    return "choose the one that is lost" if excess == 1 else f"choose the next of {excess} that are lost"


LEAST = 2
"""A choice among fewer is none."""


class Losses(Procedure):
    """Aircraft of a side without a place: the US choose, Japan goes by damage, value and id."""

    side: int

    def excess(self, open: Open) -> list[str]:
        """Return the aircraft of whom one must be lost, or nobody."""
        raise NotImplementedError

    def room(self, open: Open) -> int:
        """Return for how many there is a place."""
        raise NotImplementedError

    def told(self, open: Open) -> str:
        """Say how many are lost, and why."""
        raise NotImplementedError

    def lose(self, table: Table, name: str) -> None:
        """Lose an aircraft."""
        raise NotImplementedError

    def chooser(self, open: Open) -> tuple[int, ...]:
        """Return who chooses."""
        return allocator(open, self.side) if self.side == US or open.mode == TWO_PLAYERS else ()

    @ask("", by="chooser", forced=True)
    def choose(self, sight: Sight) -> list[Decision]:
        """Choose the aircraft that is lost: any of the US, of Japan one of the equals."""
        names = self.excess(sight.open)
        if not names or self.side == US:
            return [*map(LoseAircraft, names)]
        tied, _ = first_to_lose(sight.open, names)
        return or_by_rule(map(JaLoseAircraft, tied))

    @choose.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        return self.told(sight.open)

    @choose.chosen
    def _(self, table: Table, decision: LoseAircraft | JaLoseAircraft | JaByRule) -> Flow:
        if isinstance(decision, JaByRule):
            return self.japan_loses
        self.lose(table, decision.aircraft)
        return self.choose

    @choose.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return all of them while the US choose once more after it, among two at least."""
        left = len(self.excess(sight.open)) - 1
        return [*options] if self.side == US and left >= LEAST and left > self.room(sight.open) else []

    @step("")
    def japan_loses(self, table: Table) -> Flow:
        """Japan loses damaged ones first, each lowest value first, then by id."""
        return self.choose if self.side == JA and self.by_rule(table) else None

    def by_rule(self, table: Table) -> bool:
        """Lose the next Japanese one by rule; whether there was one."""
        names = self.excess(table.open)
        if not names:
            return False
        tied, why = first_to_lose(table.open, names)
        narrowed(why, BY_ID, tied[:1], tied)
        if len(names) > 1:
            table.record(Chose(table.rule, "Aircraft lost", tuple(names), (tied[0],), tuple(why)))
        self.lose(table, tied[0])
        return True


class DeckLosses(Losses):
    """N10.12 CARRIER AIRCRAFT WITHOUT ROOM."""

    @step("N10.12")
    def went_down(self, table: Table) -> None:
        """Aircraft that never left a lost deck claim no place on another (R-86)."""
        lose_with_decks(table, self.side)

    choose = Losses.choose.under("N10.12", "Choose the aircraft that finds no deck.")
    japan_loses = Losses.japan_loses.under("N10.12")

    def excess(self, open: Open) -> list[str]:
        """Return the carrier aircraft if they are more than there is room for (R-48)."""
        names = flown_from_ships(open, self.side)
        return names if len(names) > self.room(open) else []

    def room(self, open: Open) -> int:
        """Return how many carrier aircraft there is room for."""
        rooms = fighting(open).rooms
        return sum(rooms[ship] for ship in fit(open, self.side) if ship in rooms)

    def told(self, open: Open) -> str:
        """Say how many find no deck."""
        names, room = flown_from_ships(open, self.side), self.room(open)
        have = f"{len(names)} carrier aircraft, room for {room or 'none'}"
        return f"{have}: {asked(len(names), len(names) - room)}."

    def lose(self, table: Table, name: str) -> None:
        """Destroy it."""
        table.record(Destroyed(name, NO_DECK))


class FieldLosses(Losses):
    """N10.13 AIRCRAFT WITHOUT AN AIRFIELD."""

    choose = Losses.choose.under("N10.13", "Choose the land-based group that has lost its airfield.")
    japan_loses = Losses.japan_loses.under("N10.13")

    def excess(self, open: Open) -> list[str]:
        """Return the land-based aircraft if they are more than the airfields."""
        names = on_airfields(open, self.side)
        return names if len(names) > self.room(open) else []

    def room(self, open: Open) -> int:
        """Return how many airfields are left."""
        return fighting(open).airfields.get(self.side, 0)

    def told(self, open: Open) -> str:
        """Say how many have lost their airfield."""
        names, fields = on_airfields(open, self.side), self.room(open)
        have = f"{len(names)} groups, {number(fields, 'airfield')} left"
        whose = "they go" if not fields else "it goes"
        return f"{have}: {asked(len(names), len(names) - fields)}; {whose} to the reinforcements."

    def lose(self, table: Table, name: str) -> None:
        """Send it, full, to the reinforcements (R-47)."""
        table.record(GroupLost(name, self.side))
        if self.side == JA:
            table.record(Returned(name, COUNTERS[name].kind, ""))


class AirfieldLosses(Procedure):
    """N10.13 AIRFIELD LOSSES."""

    @step("N10.13")
    def american(self, _table: Table) -> Flow:
        """Take groups off the US until they fit."""
        return FieldLosses(side=US)

    @step("N10.13")
    def japanese(self, _table: Table) -> Flow:
        """So does Japan."""
        return FieldLosses(side=JA)

    @step("N10.13")
    def empty_fields(self, table: Table) -> None:
        """Take the airfields off a side without land-based aircraft."""
        board = table.open
        for side in (US, JA):
            if fighting(board).airfields.get(side) and not on_airfields(board, side):
                table.record(AirfieldsAre(side, 0, "no aircraft are left"))


class Advance(Procedure):
    """N10.14 ADVANCE."""

    def commander(self, open: Open) -> int:
        """Return the US commander of the battle."""
        return fighting(open).seat

    @step("N10.14")
    def duration(self, table: Table) -> None:
        """By Duration the side with more counters draws the battle out, or cuts it short."""
        board = table.open
        ahead = len(on_board(board, JA)) - len(on_board(board, US))
        if "ja.duration" in fighting(board).in_force and ahead:
            change = 1 if ahead > 0 else -1
            more = "more" if ahead > 0 else "fewer"
            why = f"Duration, [{SIDES[JA]}] has {more} counters"
            table.record(LengthIs(fighting(board).left + change, why))

    @ask("N10.14", by="commander")
    def engaged(self, sight: Sight) -> list[Decision]:
        """Make the battle a turn longer or shorter, or keep the plan."""
        if ENGAGED not in fighting(sight.open).held:
            return []
        return [AdjustLength(1), AdjustLength(-1), PassPlan()]

    @engaged.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        left = length(fighting(sight.open).left) - 1
        ends = f"{number(left, 'battle turn')} would follow" if left > 0 else "the battle would end now"
        return f"[{ENGAGED}]: {ends}. Make it a turn longer or shorter, or keep the plan."

    @engaged.chosen
    def _(self, table: Table, decision: AdjustLength | PassPlan) -> Flow:
        if isinstance(decision, AdjustLength):
            change = "longer" if decision.by > 0 else "shorter"
            table.record(PlanUsed(ENGAGED, f"the battle is a turn {change}"))
            table.record(LengthIs(fighting(table.open).left + decision.by, f"[{ENGAGED}]"))
        return None

    @step("N10.14")
    def end_of_turn(self, table: Table) -> Flow:
        """Cut the length to 5; then a turn is over."""
        left = length(fighting(table.open).left) - 1
        table.record(LengthIs(left, TURN_OVER))
        return DONE
