"""P40 Decisions that begin, lead and end Operations, tagged with the words of the rules."""

from typing import ClassVar, Literal

from domain.kernel.procedures import Decision
from domain.pacific_war.decisions.cycle import Slot
from domain.pacific_war.facts.wording import hexes, number


class BidFrom(Decision, frozen=True, tag="bid_from"):
    """P18.1: the headquarters that bids."""

    says: ClassVar[str] = "bid from [{hq}]"

    hq: str


class Bid(Decision, frozen=True, tag="bid"):
    """P18.1: how many Command Points."""

    amount: int

    def words(self) -> str:
        """Say how many."""
        return f"bid {number(self.amount, 'Command Point')}"


class NoBid(Decision, frozen=True, tag="no_bid"):
    """P18.1: bid nothing."""

    says: ClassVar[str] = "bid nothing"


class ClaimOperation(Decision, frozen=True, tag="claim_operation"):
    """P5.4.2: become Operation player after a month end, or do not."""

    yes: bool

    def words(self) -> str:
        """Say which."""
        return "take over the Operation" if self.yes else "do not take over the Operation"


class PlaceOSB(Decision, frozen=True, tag="place_osb"):
    """P11.3.1: where the free Offensive Support Base goes."""

    says: ClassVar[str] = "place a support base at [{location}]"

    location: str


class PayFrom(Decision, frozen=True, tag="pay_from"):
    """P20.2.2: the headquarters that pays for what follows."""

    says: ClassVar[str] = "pay from [{hq}]"

    hq: str


class Activate(Decision, frozen=True, tag="activate"):
    """P20.2.2: activate a unit."""

    says: ClassVar[str] = "activate [{unit}]"

    unit: str


class AssignToTF(Decision, frozen=True, tag="assign_to_tf"):
    """P20.2.2: the task force that a ship joins, and its place in it."""

    says: ClassVar[str] = "to [{tf}], in the {slot}"

    tf: str
    slot: Slot


class FormTF(Decision, frozen=True, tag="form_tf"):
    """P20.2.2: a ship forms a task force, in this place of it."""

    says: ClassVar[str] = "form a task force, in its {slot}"

    slot: Slot


class UndoActivation(Decision, frozen=True, tag="undo_activation"):
    """P20.2.2: take an activation of this phase back."""

    says: ClassVar[str] = "do not activate [{unit}] after all"

    unit: str


class TimeMultiple(Decision, frozen=True, tag="time_multiple"):
    """P20.2.5: by so many times 14 days the Operation lasts longer."""

    k: int

    def words(self) -> str:
        """Say for how long."""
        return f"plan for {number(14 * (1 + self.k), 'day')}"


class Forfeit(Decision, frozen=True, tag="forfeit"):
    """P20.2.2: activate nothing and lose the bid."""

    says: ClassVar[str] = "activate nothing and lose the bid"


class Ferry(Decision, frozen=True, tag="ferry"):
    """P23.4: an air unit that flies to another airbase."""

    says: ClassVar[str] = "ferry [{air}]"

    air: str


class EndDay(Decision, frozen=True, tag="end_day"):
    """P23.4: let the day pass."""

    says: ClassVar[str] = "end the day"


class Continue(Decision, frozen=True, tag="continue"):
    """P23.4: go on with another day."""

    says: ClassVar[str] = "go on with another day"


class EndContact(Decision, frozen=True, tag="end_contact"):
    """P23.4: end the Contact Phase."""

    says: ClassVar[str] = "end the contact movement"


class ForceEnd(Decision, frozen=True, tag="force_end"):
    """P23.5: force the end of the enemy's Contact Phase."""

    says: ClassVar[str] = "force the end of the contact movement"


class StandingOrder(Decision, frozen=True, tag="standing_order"):
    """P0.9.5: pass until a Detected enemy task force is so near; 0: to the end of the phase."""

    n: int

    def words(self) -> str:
        """Say until when."""
        if not self.n:
            return "pass to the end of the phase"
        return f"pass until a Detected enemy task force is within {hexes(self.n)}"


class ChooseLighting(Decision, frozen=True, tag="lighting"):
    """P26.1: when the first cycle is fought."""

    lighting: Literal["Day", "Night"]

    def words(self) -> str:
        """Say when."""
        return f"fight {'by day' if self.lighting == 'Day' else 'at night'}"
