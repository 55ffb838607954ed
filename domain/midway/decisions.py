"""M3.5 The catalogue of decisions, tagged with the words of the rules. DONE ends a voluntary stage (M3.4)."""

from collections.abc import Iterable
from typing import Literal

from domain.kernel.frames import Decision


class Land(Decision, frozen=True, tag="LAND"):
    """M4.4: land a waiting group on a carrier."""

    group: str
    ship: str


class Advance(Decision, frozen=True, tag="ADVANCE"):
    """M5.3: move a group one box along the circuit."""

    group: str


class SearchStart(Decision, frozen=True, tag="SEARCH_START"):
    """M12.2: begin the search."""


class SearchAssign(Decision, frozen=True, tag="SEARCH_ASSIGN"):
    """M12.4: put a group into a search group, 1 to 4."""

    group: str
    search_group: int


class CapVsFighters(Decision, frozen=True, tag="CAP_VS_FIGHTERS"):
    """M6.3: commit a CAP group against the escorts."""

    group: str


class CapVsBombers(Decision, frozen=True, tag="CAP_VS_BOMBERS"):
    """M6.4: commit a CAP group against the bombers."""

    group: str


class HitType(Decision, frozen=True, tag="HIT_TYPE"):
    """M6.9: designate a hit to dive bombers or to torpedo bombers."""

    plane_type: Literal["D", "T"]


class Lose(Decision, frozen=True, tag="LOSE"):
    """M6.8, M7.7: take one hit on a group."""

    group: str


class Target(Decision, frozen=True, tag="TARGET"):
    """M7.3: send a bomber group against an enemy carrier."""

    group: str
    ship: str


class Launch(Decision, frozen=True, tag="LAUNCH"):
    """M8.3: launch a group to Moving to Attack or to the CAP centre."""

    group: str
    to: Literal["MOVING", "CAP:1"]


class Spot(Decision, frozen=True, tag="SPOT"):
    """M9.4: bring a group from the hangar to the deck."""

    group: str


class StrikeBelow(Decision, frozen=True, tag="STRIKE_BELOW"):
    """M9.4: take a group from the deck to the hangar."""

    group: str


class Accept(Decision, frozen=True, tag="ACCEPT"):
    """M14.6: agree to the admiral's proposal."""


class Refuse(Decision, frozen=True, tag="REFUSE"):
    """M14.6: refuse it, so that the hits are split evenly."""


class Recall(Decision, frozen=True, tag="RECALL"):
    """M15.3: call a CAP group back to Waiting to Land."""

    group: str


class TurnBack(Decision, frozen=True, tag="TURN_BACK"):
    """M15.8: send a group home that is under way."""

    group: str


class Done(Decision, frozen=True, tag="DONE"):
    """M3.4: end the stage."""


DECISIONS = (
    Land,
    Advance,
    SearchStart,
    SearchAssign,
    CapVsFighters,
    CapVsBombers,
    HitType,
    Lose,
    Target,
    Launch,
    Spot,
    StrikeBelow,
    Accept,
    Refuse,
    Recall,
    TurnBack,
    Done,
)


def or_done(picks: Iterable[Decision]) -> list[Decision]:
    """Return the picks of a voluntary stage with DONE; nothing if only DONE were legal (M3.4)."""
    options = list(picks)
    return [*options, Done()] if options else []
