"""The worked examples of P38, laid out with their dice and decisions; what the rulebook shows of them."""

from collections.abc import Callable, Sequence
from copy import copy
from typing import NamedTuple

from msgspec.structs import replace

from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision, Procedure
from domain.kernel.table import Table
from domain.match.game import Game
from domain.match.parts import Part, Parts
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.sequence import BattleCycle
from domain.pacific_war.board.table import Open
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import PhaseBegan
from tests.films import Film
from tests.pacific_war.board import Die, again_at, battle, table_at, take

JAPAN, ALLIES = 0, 1

Command = tuple[int, Sequence[Decision]]
"""A side, and what it decides at once."""


class Board:
    """A table with what has happened on it since it was laid out."""

    def __init__(self, laid: Table, procedure: Procedure, dice: Sequence[Die]) -> None:
        self.before = PACIFIC_WAR.encode(laid.state)
        """The state as it was laid out."""
        self.table = again_at(laid, procedure, *dice)
        self.facts: list[Fact] = list(self.table.facts)

    def take(self, *commands: Command) -> None:
        """Let the sides decide, one after the other."""
        for side, decisions in commands:
            self.facts += take(self.table, side, *decisions)


def carriers() -> Board:
    """P38.3 Two carriers on each side, 3 hexes apart, as the Allies begin to move."""
    scene = battle(
        "E1",
        "38.3",
        area={"lat": (-16.9, -8.3), "lon": (157, 169)},
        month="1942-05",
        tfs=[
            {
                "id": "J1",
                "side": "JP",
                "hex": "5540",
                "core": ["cv_shokaku", "cv_zuikaku"],
                "screen": ["ca_myoko_haguro", "dd_jp27", "dd_jp7"],
            },
            {
                "id": "A1",
                "side": "AL",
                "hex": "5543",
                "core": ["cv_lexington", "cv_yorktown"],
                "screen": ["ca_us1", "ca_us2", "dd_us2", "dd_us4"],
            },
        ],
        air=[
            {"id": "cvg_lexington", "steps": 5, "level": 1},
            {"id": "cvg_yorktown", "steps": 6, "level": 1},
            {"id": "cvg_shokaku", "steps": 4, "level": 1},
            {"id": "cvg_zuikaku", "steps": 4, "level": 1},
        ],
    )
    search, strike = (5,), (4, 7, 1, 5, 0, 8, 2, 6, 4, 1, 2, 6, 0)
    table = table_at(scene, None, advantage=ALLIES, detected=["A1"])
    return Board(table, BattleCycle(cycle=1, at="movement"), (*search, *strike))


SEARCH: Sequence[Command] = [(ALLIES, [d.CommitSearch("cvg_yorktown")]), (ALLIES, [d.Done()])]
STRIKE: Sequence[Command] = [
    (ALLIES, [d.AssignCAP("cvg_lexington", 1), d.AssignCAP("cvg_yorktown", 1), d.Done()]),
    (JAPAN, [d.AssignCAP("cvg_shokaku", 1), d.AssignCAP("cvg_zuikaku", 1), d.Done()]),
    (
        ALLIES,
        [
            d.DeclareMission("strike_tf", "A1"),
            d.Target("J1"),
            d.AddSteps("cvg_lexington", "strike", 3),
            d.AddSteps("cvg_yorktown", "strike", 3),
            d.AddSteps("cvg_yorktown", "escort", 1),
            d.Done(),
        ],
    ),
    (
        JAPAN,
        [
            d.SimultaneousStrike(),
            d.AddSteps("cvg_shokaku", "strike", 2),
            d.AddSteps("cvg_zuikaku", "strike", 2),
            d.AddSteps("cvg_zuikaku", "escort", 1),
            d.Done(),
        ],
    ),
    (
        ALLIES,
        [
            d.AllotStrike("cvg_lexington", "cv_shokaku"),
            d.WithSteps(2),
            d.AllotStrike("cvg_yorktown", "cv_shokaku"),
            d.WithSteps(1),
            d.AllotStrike("cvg_yorktown", "cv_zuikaku"),
            d.WithSteps(2),
        ],
    ),
    (
        JAPAN,
        [
            d.AllotStrike("cvg_shokaku", "cv_lexington"),
            d.WithSteps(1),
            d.AllotStrike("cvg_zuikaku", "cv_lexington"),
            d.WithSteps(1),
        ],
    ),
]


def night_battle() -> Board:
    """P38.4 A battleship with a screen on each side in one hex, before both decide whether to engage."""
    scene = battle(
        "E3",
        "38.4",
        area={"lat": (-13, -7), "lon": (155, 165)},
        month="1942-11",
        tfs=[
            {
                "id": "A1",
                "side": "AL",
                "hex": "5340",
                "core": ["bb_washington"],
                "screen": ["ca_us1", "dd_us15"],
            },
            {
                "id": "J1",
                "side": "JP",
                "hex": "5340",
                "core": ["bb_kirishima"],
                "screen": ["ca_atago_takao", "cl_sendai_yura", "dd_jp11"],
            },
        ],
    )
    before = (5, 4, 7, 3)
    one = (2, 6, 4, 1, 3, 3, 7, 0)
    two = (0, 2, 4, 3, 2, 5, 5, 8, 1, 9)
    three = (1, 3, 4, 6, 5, 2, 8)
    table = table_at(scene, None, lighting="Night", advantage=ALLIES, detected=["A1", "J1"])
    return Board(table, BattleCycle(cycle=1, at="naval"), (*before, *one, *two, *three))


def fire(side: int, *orders: tuple[str, str, bool]) -> Command:
    """Return fire orders of a side: ship, target, torpedoes."""
    picks: list[Decision] = []
    for ship, target, torpedoes in orders:
        picks += [d.Fire(ship), d.At(target, torpedoes)]
    return side, [*picks, d.Done()]


PHASES: Sequence[Sequence[Command]] = [
    [
        (ALLIES, [d.Engage()]),
        (JAPAN, [d.Engage()]),
        (ALLIES, [d.OpenRange()]),
        (JAPAN, [d.Hold()]),
        fire(ALLIES, ("ca_us1", "ca_atago_takao", False), ("dd_us15", "cl_sendai_yura", True)),
        fire(
            JAPAN,
            ("ca_atago_takao", "ca_us1", True),
            ("cl_sendai_yura", "dd_us15", False),
            ("dd_jp11", "ca_us1", True),
        ),
    ],
    [
        (ALLIES, [d.Hold()]),
        (JAPAN, [d.Close()]),
        fire(
            ALLIES,
            ("bb_washington", "bb_kirishima", False),
            ("ca_us1", "ca_atago_takao", False),
            ("dd_us15", "dd_jp11", False),
        ),
        fire(
            JAPAN,
            ("bb_kirishima", "bb_washington", False),
            ("ca_atago_takao", "ca_us1", True),
            ("cl_sendai_yura", "dd_us15", True),
            ("dd_jp11", "bb_washington", True),
        ),
    ],
    [
        (ALLIES, [d.Hold()]),
        (JAPAN, [d.Hold()]),
        fire(ALLIES, ("bb_washington", "bb_kirishima", False), ("dd_us15", "dd_jp11", False)),
        fire(
            JAPAN,
            ("bb_kirishima", "bb_washington", False),
            ("ca_atago_takao", "bb_washington", False),
            ("cl_sendai_yura", "bb_washington", True),
            ("dd_jp11", "bb_washington", False),
        ),
    ],
]


class Example(NamedTuple):
    """How a worked example is laid out, and what is decided in it, stage by stage.

    It ends with a phase; `scenario` is the one on whose map it is shown.
    """

    laid: Callable[[], Board]
    stages: Sequence[Sequence[Command]]
    last: str
    scenario: str


EXAMPLES = {
    "P38.3": Example(carriers, [SEARCH, STRIKE], "5.2.D", "E1"),
    "P38.4": Example(night_battle, PHASES, "5.2.E", "E3"),
}


def upto(facts: Sequence[Fact], phase: str) -> Sequence[Fact]:
    """The facts to the end of a phase."""
    begun = [(place, fact.phase) for place, fact in enumerate(facts) if isinstance(fact, PhaseBegan)]
    return facts[: next((place for place, began in begun if began > phase), len(facts))]


def on_the_map_of(scenario: str) -> Game:
    """The title with a scenario's name on its tables: the page has no coasts for a battle that is made up."""

    def view(open: Open, parts: Parts) -> Part:
        return replace(PACIFIC_WAR.view(open, parts), scenario=scenario)

    game = copy(PACIFIC_WAR)
    game.view = view
    return game


def films() -> list[Film]:
    """The examples, each to its end."""
    found = []
    for name, example in EXAMPLES.items():
        board = example.laid()
        for stage in example.stages:
            board.take(*stage)
        facts = upto(board.facts, example.last)
        found.append(Film(name, on_the_map_of(example.scenario), board.before, facts))
    return found
