"""M3.5 The catalogue of decisions, tagged with the words of the rules. DONE ends a voluntary stage (M3.4)."""

from collections.abc import Iterable
from typing import ClassVar, Literal

from domain.kernel.procedures import Decision
from domain.midway.choices import TYPES


class Land(Decision, frozen=True, tag="LAND"):
    """M4.4: land a waiting group on a carrier."""

    says: ClassVar[str] = "land [{group}] on [{ship}]"

    group: str
    ship: str


class Advance(Decision, frozen=True, tag="ADVANCE"):
    """M5.3: move a group one box along the circuit."""

    says: ClassVar[str] = "advance [{group}]"

    group: str


class SearchStart(Decision, frozen=True, tag="SEARCH_START"):
    """M12.2: begin the search."""

    says: ClassVar[str] = "begin the search"


class SearchAssign(Decision, frozen=True, tag="SEARCH_ASSIGN"):
    """M12.4: put a group into a search group, 1 to 4."""

    says: ClassVar[str] = "let [{group}] fly with search group {search_group}"

    group: str
    search_group: int


class CapVsFighters(Decision, frozen=True, tag="CAP_VS_FIGHTERS"):
    """M6.3: commit a CAP group against the escorts."""

    says: ClassVar[str] = "attack the escorts with [{group}]"

    group: str


class CapVsBombers(Decision, frozen=True, tag="CAP_VS_BOMBERS"):
    """M6.4: commit a CAP group against the bombers."""

    says: ClassVar[str] = "attack the bombers with [{group}]"

    group: str


class HitType(Decision, frozen=True, tag="HIT_TYPE"):
    """M6.9: designate a hit to dive bombers or to torpedo bombers."""

    plane_type: Literal["D", "T"]

    def words(self) -> str:
        """Say which bombers it hits."""
        return f"hit the {TYPES[self.plane_type]}"


class Lose(Decision, frozen=True, tag="LOSE"):
    """M6.8, M7.7: take one hit on a group."""

    says: ClassVar[str] = "take a hit on [{group}]"

    group: str


class Target(Decision, frozen=True, tag="TARGET"):
    """M7.3: send a bomber group against an enemy carrier."""

    says: ClassVar[str] = "attack [{ship}] with [{group}]"

    group: str
    ship: str


class Launch(Decision, frozen=True, tag="LAUNCH"):
    """M8.3: launch a group to Moving to Attack or to the CAP centre."""

    group: str
    to: Literal["MOVING", "CAP:1"]

    def words(self) -> str:
        """Say where they go."""
        return f"launch [{self.group}] {'to attack' if self.to == 'MOVING' else 'on combat air patrol'}"


class Spot(Decision, frozen=True, tag="SPOT"):
    """M9.4: bring a group from the hangar to the deck."""

    says: ClassVar[str] = "bring [{group}] up on deck"

    group: str


class StrikeBelow(Decision, frozen=True, tag="STRIKE_BELOW"):
    """M9.4: take a group from the deck to the hangar."""

    says: ClassVar[str] = "strike [{group}] below"

    group: str


class Accept(Decision, frozen=True, tag="ACCEPT"):
    """M14.6: agree to the admiral's proposal."""

    says: ClassVar[str] = "accept the proposal"


class Refuse(Decision, frozen=True, tag="REFUSE"):
    """M14.6: refuse it, so that the hits are split evenly."""

    says: ClassVar[str] = "refuse the proposal"


class Recall(Decision, frozen=True, tag="RECALL"):
    """M15.3: call a CAP group back to Waiting to Land."""

    says: ClassVar[str] = "recall [{group}]"

    group: str


class TurnBack(Decision, frozen=True, tag="TURN_BACK"):
    """M15.8: send a group home that is under way."""

    says: ClassVar[str] = "turn [{group}] back"

    group: str


class Done(Decision, frozen=True, tag="DONE"):
    """M3.4: end the stage."""

    says: ClassVar[str] = "be done"


def groups_of(options: Iterable[Decision], *kinds: type[Decision]) -> list[str]:
    """Return the groups that picks are about, of some kinds or of all, each once."""
    picks = [option for option in options if not kinds or isinstance(option, kinds)]
    return [*dict.fromkeys(group for pick in picks if (group := getattr(pick, "group", "")))]


def or_done(picks: Iterable[Decision]) -> list[Decision]:
    """Return the picks of a voluntary stage with DONE; nothing if only DONE were legal (M3.4)."""
    options = list(picks)
    return [*options, Done()] if options else []
