"""Boards for the tests of the rules: a few units on the map, and dice and draws that fall as written.

All other units are in the pool. When the written dice are used up every die shows 1, so that all checks hold;
when the written draws are, the first of what is left is drawn. Windows that a test does not name are passed.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from msgspec.structs import replace

from domain.coral_sea import CORAL_SEA
from domain.coral_sea.cards import count
from domain.coral_sea.decisions import Done, OpenOperation, Pass, PickUnit, StartNavalMove, StepTo
from domain.coral_sea.facts import OperationOpened
from domain.coral_sea.fortress import Entering
from domain.coral_sea.happenings import UnitDepleted, UnitDestroyed, UnitDisorganised, UnitLeft
from domain.coral_sea.intelligence import board as whole_board
from domain.coral_sea.operation import OperationFrame
from domain.coral_sea.scenarios import set_up
from domain.coral_sea.secrets import CardDrawn
from domain.coral_sea.sequence import CardAction, CoralSea
from domain.coral_sea.sequence import Sequence as SequenceFrame
from domain.coral_sea.table import MAP, Open, Own, Unit, pile
from domain.kernel.facts import Decided, Drew, Fact, Paused, Rolled, State, evolve
from domain.kernel.procedures import Decision, Procedure
from domain.kernel.table import Table
from domain.match.game import Game
from domain.match.notices import Created, Started

JP, AL = 0, 1
DARK = {"limited_intelligence": True}
EXCLUSIVE = {"transport_troops_or_rp_exclusive": True}
WINDOW = "C6.5"
TRUK = ("j_shokaku", "j_zuikaku", "j_batdiv11", "j_desron10")
"""The Truk Fleet (C4.5)."""
AROUND_LAE = ("huon_gulf", "vitiaz_strait", "solomon_sea_west", "ward_hunt_strait")
"""All sea areas within two of Lae."""
Where = str | tuple[str, str]
"""An area, or an area and a state: `d` depleted, `o` disorganised, `do` both, `i` inside a fortress."""


class Dice:
    """Falls as written, then shows ones."""

    def __init__(self, faces: Sequence[int]) -> None:
        self.faces = list(faces)

    def roll(self, index: int, count: int, sides: int) -> tuple[int, ...]:  # noqa: ARG002 the kernel's shape
        return tuple(self.faces.pop(0) if self.faces else 1 for _ in range(count))


class Drawing(Table):
    """A table that draws the ids that are written, and then the first of what is left."""

    draws: list[str]

    def __init__(
        self, game: Game, state: State[Any, Any], dice: Dice, draws: Sequence[str], *first: Procedure
    ) -> None:
        self.draws = list(draws)
        super().__init__(game, state, dice, *first)

    def draw(self, purpose: str, left: int, count: int = 1, *, by: int = -1) -> tuple[int, ...]:
        lying = {
            "draw a card": pile(self.state, by),
            "draw a chit": list(self.own[by].cup),
            "lose a chit": list(self.own[by].chits),
        }[purpose.partition(",")[0]]
        assert left == len(lying)
        places = []
        for _ in range(count):
            wanted = next((i for i, chit in enumerate(self.draws) if chit in lying), None)
            place = 0 if wanted is None else lying.index(self.draws.pop(wanted))
            lying.pop(place)
            places.append(place)
        self.record(Drew(self.state.rolls, self.rule, purpose, by, left, tuple(places)))
        return tuple(places)


class Board:
    """A table with what has happened on it since it was laid out."""

    def __init__(
        self,
        state: State[Any, Any],
        dice: Sequence[int],
        draws: Sequence[str],
        procedures: Sequence[Procedure],
    ) -> None:
        self.before = CORAL_SEA.encode(state)
        self.dice = Dice(dice)
        self.table = Drawing(CORAL_SEA, state, self.dice, draws, *procedures)
        self.facts = list(self.table.facts)
        self.watch = False
        """Stop at windows after a decision instead of passing."""

    @property
    def open(self) -> Open:
        """The table as the rules know it."""
        return whole_board(self.table)

    def own(self, side: int) -> Own:
        screen: Own = self.table.own[side]
        return screen

    @property
    def asked(self) -> list[int]:
        return list(self.table.prompts)

    @property
    def rule(self) -> str:
        return next(iter({prompt.rule for prompt in self.table.prompts.values()}), "")

    @property
    def sp(self) -> int:
        assert self.open.operation is not None
        return self.open.operation.sp

    def offered(self, *kinds: type[Decision], seat: int | None = None) -> list[Decision]:
        """What is legal now, of some kinds or of all, for one seat or for all that are asked."""
        prompts = self.table.prompts if seat is None else {seat: self.table.prompts[seat]}
        options = [option for prompt in prompts.values() for option in prompt.options]
        return [option for option in options if not kinds or isinstance(option, kinds)]

    def quiet(self) -> "Board":
        """Pass in windows until something else is asked."""
        while self.rule == WINDOW:
            self._take(self.asked[0], Pass())
        return self

    def go(self, *decisions: Decision, seat: int | None = None) -> list[Fact]:
        """Take decisions one by one, passing in windows until each is on a list; return what came of them."""
        before = len(self.facts)
        for decision in decisions:
            while self.rule == WINDOW and decision not in self.offered():
                self._take(self.asked[0], Pass())
            seats = [n for n, prompt in self.table.prompts.items() if decision in prompt.options]
            assert seats, f"{decision} is not among {self.offered()} ({self.rule})"
            self._take(seats[0] if seat is None else seat, decision)
            if not self.watch:
                self.quiet()
        return happened(self.facts[before:])

    def until(self, kind: type[Decision]) -> list[Decision]:
        """Pass in windows until some kind of decision is offered; return those."""
        while self.rule == WINDOW and not self.offered(kind):
            self._take(self.asked[0], Pass())
        return self.offered(kind)

    def _take(self, seat: int, decision: Decision) -> None:
        self.facts += self.table.decide(seat, decision)

    def at(self, *names: str) -> dict[str, str]:
        """Where some units are."""
        return {name: self.open.units[name].area for name in names}

    def state(self, name: str) -> str:
        """`full`, or `d`, `o`, `do`; or why it is not on the map."""
        unit = self.open.units[name]
        if unit.status != MAP:
            return unit.status
        return "d" * unit.depleted + "o" * unit.disorganised or "full"


def given(
    units: Mapping[str, Where] | None = None,
    *procedures: Procedure,
    rp: tuple[Mapping[str, int], Mapping[str, int]] | None = None,
    control: Mapping[str, int] | None = None,
    hands: tuple[Sequence[str], Sequence[str]] = ((), ()),
    permanent: Sequence[str] = (),
    dice: Sequence[int] = (),
    draws: Sequence[str] = (),
    scenario: str = "campaign",
    options: Mapping[str, bool] | None = None,
    change: Mapping[str, Any] | None = None,
) -> Board:
    """Lay out a board; without units as the scenario does. `change` sets fields of the open table."""
    chosen = CORAL_SEA.set_up(scenario, options or {})
    seats = CORAL_SEA.seats(scenario, chosen)
    created = Created("coral_sea", scenario, chosen, CORAL_SEA.revision, "", seats)
    facts = set_up(scenario, chosen)
    if units is not None:
        facts = replace(
            facts,
            units={n: _unit(units.get(n, "")) for n in {**facts.units, **dict.fromkeys(units)}},
            rp=({}, {}),
        )
    if rp is not None:
        facts = replace(facts, rp=(dict(rp[0]), dict(rp[1])))
    facts = replace(facts, control={**facts.control, **(control or {})})
    state = evolve(CORAL_SEA.state(), [created, Started(), facts])
    table = Table(CORAL_SEA, state, Dice(()))
    state.open.modes = ("map", "map")
    state.open.sequence = 1
    for side in (JP, AL):
        for card in hands[side]:
            CardDrawn(side, card).fold(state)
        count(table, side)
    for card in permanent:
        state.open.permanent.append(card)
        state.open.played[CORAL_SEA_OWNER(card)].append(card)
    for name, value in (change or {}).items():
        setattr(state.open, name, deepcopy(value))
    return Board(state, dice, draws, procedures)


def CORAL_SEA_OWNER(card: str) -> int:  # noqa: N802
    return JP if card.startswith("J") else AL


def _unit(where: Where) -> Unit:
    if not where:
        return Unit()
    area, state = (where, "") if isinstance(where, str) else where
    return Unit(
        MAP, area, depleted="d" in state, disorganised="o" in state, acted="a" in state, inside="i" in state
    )


def action(side: int, units: Mapping[str, Where] | None = None, **more: Any) -> Board:
    """A board on which a side takes a card action."""
    return given(units, CoralSea(at="again"), CardAction(side=side), **more)


def operation(side: int, area: str, units: Mapping[str, Where] | None = None, **more: Any) -> Board:
    """A board on which a side has opened an operation; windows are passed unless `stop` says so."""
    stocks = more.pop("rp", ({}, {}))
    stop = more.pop("stop", False)
    rp = (dict(stocks[0]), dict(stocks[1]))
    rp[side][area] = rp[side].get(area, 0) + 1
    procedures = CoralSea(at="again"), SequenceFrame(at="first_card"), OperationFrame(side=side)
    board = given(units, *procedures, rp=rp, **more)
    board.watch = stop
    if OpenOperation(area) in board.offered():
        board.go(OpenOperation(area))
    return board if stop else board.quiet()


def off_papua(
    *aboard: str, ship: str = "a_tf17", others: Mapping[str, Where] | None = None, **more: Any
) -> Board:
    """A board on which the Allies have opened an operation off Papua, with a ship there and some aboard."""
    units = dict.fromkeys((ship, *aboard), "papuan_coast")
    return operation(AL, "papuan_coast", {**units, **(others or {})}, **more)


def besieged_rabaul(side: int, area: str, units: Mapping[str, Where], **more: Any) -> Board:
    """A board on which a side has opened an operation while the Marines besiege a force in Rabaul."""
    sieges = {"sieges": {"rabaul": AL}, **more.pop("change", {})}
    besieged = {"a_1m": "rabaul", "j_kure3": ("rabaul", "i"), **units}
    return operation(side, area, besieged, scenario="fortress", change=sieges, **more)


def land_battle(
    side: int,
    area: str,
    attackers: Mapping[str, str],
    defenders: Mapping[str, str],
    *,
    origin: str,
    others: Mapping[str, Where] | None = None,
    **more: Any,
) -> Board:
    """A board on which ground units have just entered an area; states as in `Where`."""
    units: dict[str, Where] = {n: (area, s) for n, s in {**attackers, **defenders}.items()}
    marker = more.pop("marker", origin)
    watch = more.pop("watch", False)
    change = more.pop("change", {})
    board = given(
        {**units, **(others or {})},
        CoralSea(at="again"),
        SequenceFrame(at="first_card"),
        Opened(side=side, area=marker),
        Entering(units=tuple(attackers), side=side, area=area, origin=origin),
        control={area: 1 - side, **more.pop("control", {})},
        change={**change, **opened(side, marker)},
        **more,
    )
    board.watch = watch
    return board if watch else board.quiet()


def opened(side: int, area: str, sp: int = 6) -> dict[str, Any]:
    """An operation that is open, as a field of the table."""
    fact = OperationOpened(side, area, sp)
    state = Open()
    fact.apply(state)
    return {"operation": state.operation}


def Opened(side: int, area: str) -> OperationFrame:  # noqa: N802, ARG001
    """An operation under way, between two actions."""
    return OperationFrame(side=side, opened=True, acting=True, at="complete")


def sail(board: Board, ships: Sequence[str], *path: str) -> list[Fact]:
    """Start a naval move with some ships and no choice of cargo, and take some steps."""
    before = len(board.facts)
    board.go(StartNavalMove())
    pick(board, *ships)
    for area in path:
        board.go(StepTo(area))
    return happened(board.facts[before:])


def pick(board: Board, *units: str) -> None:
    """Pick units one by one, then say Done; what is forced is not said."""
    for unit in units:
        if PickUnit(unit) in board.offered():
            board.go(PickUnit(unit))
    if Done() in board.offered() and board.offered(PickUnit):
        board.go(Done())


def happened(facts: Sequence[Fact]) -> list[Fact]:
    """What happened, without the umpire's notes."""
    return [fact for fact in facts if not isinstance(fact, Decided | Paused | Drew)]


def of(facts: Sequence[Fact], *kinds: type[Fact]) -> list[Any]:
    """The facts of some kinds."""
    return [fact for fact in facts if isinstance(fact, kinds)]


def fates(board: Board) -> list[str]:
    """What the sentences say has befallen units, in order."""
    return [fact.words() for fact in of(board.facts, UnitDepleted, UnitDisorganised, UnitDestroyed, UnitLeft)]


def dice_of(facts: Sequence[Fact]) -> list[int]:
    """The faces that fell, in order."""
    return [face for fact in facts if isinstance(fact, Rolled) for face in fact.dice]
