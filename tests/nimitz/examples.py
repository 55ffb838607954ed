"""The worked examples of N25, laid out with their decisions; and the boards that the rulebook shows."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from domain.kernel.procedures import Decision
from domain.nimitz import NIMITZ
from domain.nimitz.decisions import (
    AllocateHit,
    BuyPlan,
    DoneAir,
    DonePlans,
    PlaceScout,
    PlaceShip,
    SendAircraft,
    UsePlan,
)
from domain.nimitz.orders import Orders
from domain.nimitz.planning import full_cup
from domain.nimitz.sequence import Turn
from tests.films import Film
from tests.nimitz.board import Board, battle, begun, given

CUP = [plan.removeprefix("ja.") for plan in full_cup()]


def drawn(*plans: str) -> list[int]:
    """The places, from 1, at which these plans lie in what is left of the cup."""
    left, places = list(CUP), []
    for plan in plans:
        places.append(left.index(plan) + 1)
        left.remove(plan)
    return places


def orders() -> Board:
    return given(
        {
            "HI": ["25th-inf"],
            "MI": ["mag-22"],
            "SI": ["us-bn-01"],
            "NC": ["us-bn-02"],
            "SA": ["mag-13"],
            "AK": ["28th-bg"],
        },
        {
            "CI": [
                "furutaka-kako",
                "aoba-kinugasa",
                "destroyer-gp-4",
                "destroyer-gp-5",
                "sub-gp-3",
                "ja-bn-01",
            ],
            "GI": ["ja-bn-02"],
            "WI": ["ja-bn-03"],
            "JA": ["kaga", "akagi", "ja-bn-04", "ja-bn-05"],
            "ML": ["6th-base", "1-kokutai"],
            "NG": ["55th-inf", "tainan-kokutai"],
            "PH": ["ashigara-nachi", "14-sentai", "24-sentai"],
        },
        Orders(),
        spare=8,
        dice=[9, 10, 1, 1, 9],
        # forces are drawn by their places among those left, in the order of their ids
        draws=[1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    )


def carrier_battle() -> Board:
    return battle(
        "MI",
        ["enterprise", "chester-louisville", "desron-1", "mag-22", "us-bn-01"],
        ["hiryu", "tone-chikuma", "destroyer-gp-1", "ja-bn-01~"],
        elsewhere={"HI": ["25th-inf"]},
        spare=8,
        dice=[3, 5, 8, 6, 9, 3, 2, 7, 3, 8, 2, 4, 6, 3, 3, 4, 9],
        draws=drawn("attack_plan", "no_contact"),
    )


def landing() -> Board:
    return battle(
        "SI",
        ["colorado-maryland", "25th-inf", "1st-marine~", "43rd-inf~"],
        ["55th-inf", "ja-bn-01", "4-kokutai", "59-sentai"],
        spare=8,
        dice=[1, 4, 7, 4, 4, 2, 5, 4],
        draws=drawn("artillery"),
    )


def end_of_turn() -> Board:
    return given(
        {
            "SI": ["colorado-maryland", "abda", "1st-marine", "43rd-inf"],
            "HI": ["25th-inf"],
            "AK": ["28th-bg"],
            "MI": ["mag-22"],
            "NC": ["us-bn-01"],
            "RAID": ["sub-gp-1"],
            "P1": ["yorktown"],
        },
        {
            "SA": ["ja-bn-01"],
            "SI": ["55th-inf*", "4-kokutai", "59-sentai"],
            "CI": ["destroyer-gp-4*", "furutaka-kako"],
            "PH": ["14-sentai*", "24-sentai"],
            "JA_RE": ["junyo", "hiyo", "unyo", "6th-inf", "misawa-kokutai"],
        },
        Turn(at="reinforcement"),
        turn=3,
        counter=7,
        spare=8,
        dice=[8],
        draws=[2, 1],
    )


class Example(NamedTuple):
    """How a worked example is laid out, and what is decided in it, stage by stage."""

    laid: Callable[[], Board]
    stages: Sequence[Sequence[Decision]] = ()

    def played(self) -> Board:
        board = self.laid()
        for stage in self.stages:
            board.decide(*stage)
        return board


ENTERPRISE = "42-us-enterprise"
EXAMPLES = {
    "N25.1": Example(orders),
    "N25.2": Example(
        carrier_battle,
        [
            [PlaceShip("42-us-chester-louisville", "CO"), PlaceShip("42-us-desron-1", "UO")],
            [BuyPlan("us.furball"), BuyPlan("us.charge"), BuyPlan("us.ranging_shots"), DonePlans()],
            [
                SendAircraft(f"{ENTERPRISE}:1F4F", "UO"),
                *(SendAircraft(f"{ENTERPRISE}:{slot}", "JO") for slot in ("2SBD", "3SBD", "4TBD")),
                SendAircraft("42-us-mag-22", "CO"),
                DoneAir(),
            ],
            [AllocateHit(f"{ENTERPRISE}:2SBD"), UsePlan("us.ranging_shots")],
            [DoneAir()],
        ],
    ),
    "N25.3": Example(
        landing,
        [
            [PlaceShip("42-us-colorado-maryland", "CO")],
            [BuyPlan("us.artillery"), BuyPlan("us.charge"), BuyPlan("us.leathernecks"), DonePlans()],
            [UsePlan("us.charge", "42-us-25th-inf"), UsePlan("us.artillery")],
        ],
    ),
    "N25.4": Example(end_of_turn),
}


def scouted() -> Board:
    """Scouts over the home fleet and the Carolines, in the first turn of 1942."""
    board = begun()
    board.until("N5.3")
    board.decide(PlaceScout("JA"), PlaceScout("JA"), PlaceScout("CI"))
    return board


def films() -> list[Film]:
    """The examples, and the board on which scouts lie."""
    examples = [
        Film(name, NIMITZ, board.before, board.facts)
        for name, example in EXAMPLES.items()
        for board in [example.played()]
    ]
    scouting = scouted()
    return [*examples, Film("scouting", NIMITZ, scouting.before, scouting.facts, still=True)]
