"""N21 The catalogue of decisions, with the words of the rules. `Resign` is the kernel's."""

from domain.kernel.frames import Decision


class Purchase(Decision, frozen=True):
    """N4.3: buy a force of the US reinforcements."""

    force: str


class Repair(Decision, frozen=True):
    """N4.4: repair a damaged force."""

    force: str


class GiveSupply(Decision, frozen=True):
    """N20.3: pass supply points to the other commander."""

    amount: int = 1


class DoneResupply(Decision, frozen=True):
    """N4.5: end the resupply."""


class PlaceScout(Decision, frozen=True):
    """N5.3: scout an area."""

    area: str


class DoneScouting(Decision, frozen=True):
    """N5.3: end the placing of scouts."""


class ReserveForInvasion(Decision, frozen=True):
    """N6.1: send a force to the invasion box for good."""

    force: str


class DoneReserving(Decision, frozen=True):
    """N6.1: end the reserving."""


class MoveForce(Decision, frozen=True):
    """N6.2 to N6.4: move a force to an area, to raid, or to bomb Japan."""

    force: str
    target: str


class LendForce(Decision, frozen=True):
    """N20.3: let the other commander move a ship from Hawaii this turn."""

    force: str


class DoneMoving(Decision, frozen=True):
    """N6.5: end the movement."""


class PickBombed(Decision, frozen=True):
    """N19.2: choose the kind of force that a bomber wing bombs."""

    kind: str


class ChooseBattle(Decision, frozen=True):
    """N8.3: fight the battle of an area now."""

    area: str


class PlaceShip(Decision, frozen=True):
    """N9.2: place a surface ship on the battle board."""

    ship: str
    area: str


class PlaceSub(Decision, frozen=True):
    """N9.6: place a submarine on the battle board."""

    ship: str
    area: str


class BuyPoints(Decision, frozen=True):
    """N9.11: pay a supply point for three battle plan points."""


class BuyPlan(Decision, frozen=True):
    """N9.11: buy a battle plan."""

    plan: str


class DonePlans(Decision, frozen=True):
    """N9.11: end the buying."""


class RollFirstLight(Decision, frozen=True):
    """N10.3: try to attack at first light."""


class PassFirstLight(Decision, frozen=True):
    """N10.3: keep the plan."""


class PickCarrier(Decision, frozen=True):
    """N10.3: choose the carrier that attacks at first light."""

    ship: str


class SendAircraft(Decision, frozen=True):
    """N10.3, N10.4: send an aircraft to a battle area."""

    aircraft: str
    area: str


class DoneAir(Decision, frozen=True):
    """N10.3, N10.4: leave the others at home."""


class UsePlan(Decision, frozen=True):
    """N11.7: use a battle plan, on somebody where it needs one."""

    plan: str
    subject: str = ""


class PassPlan(Decision, frozen=True):
    """N11.7: use none."""


class AllocateHit(Decision, frozen=True):
    """N11.1, N11.2, N11.4: choose who takes a hit."""

    target: str


class CancelHit(Decision, frozen=True):
    """N11.7: cancel the hit with a plan."""

    plan: str


class TakeHit(Decision, frozen=True):
    """N11.7: let the hit fall."""


class LoseAircraft(Decision, frozen=True):
    """N10.12, N10.13: choose the aircraft that has no place to land."""

    aircraft: str


class AdjustLength(Decision, frozen=True):
    """N10.14: make the battle a turn longer or shorter."""

    by: int


class JaNextArea(Decision, frozen=True):
    """N20.2: choose the next area among those tied for fewest."""

    area: str


class JaDestination(Decision, frozen=True):
    """N20.2: choose the destination of an order."""

    area: str


class JaPickUnit(Decision, frozen=True):
    """N20.2: choose a force for an order."""

    force: str


class JaEscort(Decision, frozen=True):
    """N20.2: choose among tied escorts."""

    ship: str


class JaPlanOrder(Decision, frozen=True):
    """N20.2: choose the plan that takes effect next."""

    plan: str


class JaFirstLightCarrier(Decision, frozen=True):
    """N20.2: choose the carrier that attacks at first light."""

    ship: str


class JaSendGroup(Decision, frozen=True):
    """N20.2: send an air group to a battle area."""

    group: str
    area: str


class JaLoseAircraft(Decision, frozen=True):
    """N20.2: choose the aircraft that is lost."""

    aircraft: str


class JaKeepForce(Decision, frozen=True):
    """N20.2: choose the force that stays."""

    force: str


class JaByRule(Decision, frozen=True):
    """N20.2, R-88: let the automated rules choose; what a Japan seat does whose time has run out."""


DECISIONS = (
    Purchase,
    Repair,
    GiveSupply,
    DoneResupply,
    PlaceScout,
    DoneScouting,
    ReserveForInvasion,
    DoneReserving,
    MoveForce,
    LendForce,
    DoneMoving,
    PickBombed,
    ChooseBattle,
    PlaceShip,
    PlaceSub,
    BuyPoints,
    BuyPlan,
    DonePlans,
    RollFirstLight,
    PassFirstLight,
    PickCarrier,
    SendAircraft,
    DoneAir,
    UsePlan,
    PassPlan,
    AllocateHit,
    CancelHit,
    TakeHit,
    LoseAircraft,
    AdjustLength,
    JaNextArea,
    JaDestination,
    JaPickUnit,
    JaEscort,
    JaPlanOrder,
    JaFirstLightCarrier,
    JaSendGroup,
    JaLoseAircraft,
    JaKeepForce,
    JaByRule,
)
