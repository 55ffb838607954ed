"""N21 The catalogue of decisions, with the words of the rules. `Resign` is the kernel's."""

from typing import ClassVar

from domain.kernel.procedures import Decision
from domain.nimitz.facts import number
from domain.nimitz.table import RAID, SB


class Purchase(Decision, frozen=True):
    """N4.3: buy a force of the US reinforcements."""

    says: ClassVar[str] = "buy [{force}]"

    force: str


class Repair(Decision, frozen=True):
    """N4.4: repair a damaged force."""

    says: ClassVar[str] = "repair [{force}]"

    force: str


class GiveSupply(Decision, frozen=True):
    """N20.3: pass supply points to the other commander."""

    amount: int = 1

    def words(self) -> str:
        """Say how many."""
        return f"give the other commander {number(self.amount, 'supply point')}"


class DoneResupply(Decision, frozen=True):
    """N4.5: end the resupply."""

    says: ClassVar[str] = "end the resupply"


class PlaceScout(Decision, frozen=True):
    """N5.3: scout an area."""

    says: ClassVar[str] = "scout [{area}]"

    area: str


class DoneScouting(Decision, frozen=True):
    """N5.3: end the placing of scouts."""

    says: ClassVar[str] = "end the scouting"


class ReserveForInvasion(Decision, frozen=True):
    """N6.1: send a force to the invasion box for good."""

    says: ClassVar[str] = "reserve [{force}] for the invasion of Japan"

    force: str


class DoneReserving(Decision, frozen=True):
    """N6.1: end the reserving."""

    says: ClassVar[str] = "reserve no more for the invasion"


class MoveForce(Decision, frozen=True):
    """N6.2 to N6.4: move a force to an area, to raid, or to bomb Japan."""

    force: str
    target: str

    def words(self) -> str:
        """Say where to, or what it goes out for."""
        if self.target == RAID:
            return f"send [{self.force}] to raid the sea lanes"
        if self.target == SB:
            return f"send [{self.force}] to bomb Japan"
        return f"move [{self.force}] to [{self.target}]"


class LendForce(Decision, frozen=True):
    """N20.3: let the other commander move a ship from Hawaii this turn."""

    says: ClassVar[str] = "lend [{force}] to the other commander"

    force: str


class DoneMoving(Decision, frozen=True):
    """N6.5: end the movement."""

    says: ClassVar[str] = "end the movement"


class PickBombed(Decision, frozen=True):
    """N19.2: choose the kind of force that a bomber wing bombs."""

    says: ClassVar[str] = "bomb [{kind}] in Japan"

    kind: str


class ChooseBattle(Decision, frozen=True):
    """N8.3: fight the battle of an area now."""

    says: ClassVar[str] = "fight the battle of [{area}]"

    area: str


class PlaceShip(Decision, frozen=True):
    """N9.2: place a surface ship on the battle board."""

    says: ClassVar[str] = "place [{ship}] in [{area}]"

    ship: str
    area: str


class PlaceSub(Decision, frozen=True):
    """N9.6: place a submarine on the battle board."""

    says: ClassVar[str] = "place [{ship}] in [{area}]"

    ship: str
    area: str


class BuyPoints(Decision, frozen=True):
    """N9.11: pay a supply point for three battle plan points."""

    says: ClassVar[str] = "pay a supply point for three battle plan points"


class BuyPlan(Decision, frozen=True):
    """N9.11: buy a battle plan."""

    says: ClassVar[str] = "buy [{plan}]"

    plan: str


class DonePlans(Decision, frozen=True):
    """N9.11: end the buying."""

    says: ClassVar[str] = "buy no more plans"


class RollFirstLight(Decision, frozen=True):
    """N10.3: try to attack at first light."""

    says: ClassVar[str] = "try to attack at first light"


class PassFirstLight(Decision, frozen=True):
    """N10.3: keep the plan."""

    says: ClassVar[str] = "keep First Light for later"


class PickCarrier(Decision, frozen=True):
    """N10.3: choose the carrier that attacks at first light."""

    says: ClassVar[str] = "attack at first light from [{ship}]"

    ship: str


class SendAircraft(Decision, frozen=True):
    """N10.3, N10.4: send an aircraft to a battle area."""

    says: ClassVar[str] = "send [{aircraft}] to [{area}]"

    aircraft: str
    area: str


class DoneAir(Decision, frozen=True):
    """N10.3, N10.4: leave the others at home."""

    says: ClassVar[str] = "send no more aircraft"


class UsePlan(Decision, frozen=True):
    """N11.7: use a battle plan, on somebody where it needs one."""

    plan: str
    subject: str = ""

    def words(self) -> str:
        """Say which, and on whom."""
        return f"use [{self.plan}] for [{self.subject}]" if self.subject else f"use [{self.plan}]"


class PassPlan(Decision, frozen=True):
    """N11.7: use none."""

    says: ClassVar[str] = "use no plan"


class AllocateHit(Decision, frozen=True):
    """N11.1, N11.2, N11.4: choose who takes a hit."""

    says: ClassVar[str] = "let [{target}] take the hit"

    target: str


class CancelHit(Decision, frozen=True):
    """N11.7: cancel the hit with a plan."""

    says: ClassVar[str] = "cancel the hit by [{plan}]"

    plan: str


class TakeHit(Decision, frozen=True):
    """N11.7: let the hit fall."""

    says: ClassVar[str] = "let the hit fall"


class LoseAircraft(Decision, frozen=True):
    """N10.12, N10.13: choose the aircraft that has no place to land."""

    says: ClassVar[str] = "lose [{aircraft}]"

    aircraft: str


class AdjustLength(Decision, frozen=True):
    """N10.14: make the battle a turn longer or shorter."""

    by: int

    def words(self) -> str:
        """Say which of the two."""
        return f"make the battle a turn {'longer' if self.by > 0 else 'shorter'}"


class JaNextArea(Decision, frozen=True):
    """N20.2: choose the next area among those tied for fewest."""

    says: ClassVar[str] = "give orders in [{area}] next"

    area: str


class JaDestination(Decision, frozen=True):
    """N20.2: choose the destination of an order."""

    says: ClassVar[str] = "send the order to [{area}]"

    area: str


class JaPickUnit(Decision, frozen=True):
    """N20.2: choose a force for an order."""

    says: ClassVar[str] = "let [{force}] carry out the order"

    force: str


class JaEscort(Decision, frozen=True):
    """N20.2: choose among tied escorts."""

    says: ClassVar[str] = "let [{ship}] escort the carriers"

    ship: str


class JaPlanOrder(Decision, frozen=True):
    """N20.2: choose the plan that takes effect next."""

    says: ClassVar[str] = "let [{plan}] take effect first"

    plan: str


class JaFirstLightCarrier(Decision, frozen=True):
    """N20.2: choose the carrier that attacks at first light."""

    says: ClassVar[str] = "attack at first light from [{ship}]"

    ship: str


class JaSendGroup(Decision, frozen=True):
    """N20.2: send an air group to a battle area."""

    says: ClassVar[str] = "send [{group}] to [{area}]"

    group: str
    area: str


class JaLoseAircraft(Decision, frozen=True):
    """N20.2: choose the aircraft that is lost."""

    says: ClassVar[str] = "lose [{aircraft}]"

    aircraft: str


class JaKeepForce(Decision, frozen=True):
    """N20.2: choose the force that stays."""

    says: ClassVar[str] = "let [{force}] stay"

    force: str


class JaByRule(Decision, frozen=True):
    """N20.2, R-88: let the automated rules choose; what a Japan seat does whose time has run out."""

    says: ClassVar[str] = "leave it to the automated rules"
