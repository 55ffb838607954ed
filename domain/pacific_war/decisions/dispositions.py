"""P40 Decisions of the months: what may be chosen in 5.1.I to 5.1.M. Lists keep the order of P40.

Where points are spent, the decision names the headquarters that pays (P11.8). Deliberately absent: what only
the months of the war have (`orders_of_war`).
"""

from typing import ClassVar, Literal

from domain.kernel.procedures import Decision
from domain.pacific_war.facts.wording import number


class To(Decision, frozen=True, tag="to"):
    """P13.1, P14.1, P16.3: where a unit or a headquarters goes."""

    says: ClassVar[str] = "to [{place}]"

    place: str


class With(Decision, frozen=True, tag="with"):
    """P15.2, P16.5: the other unit; P11.7: what keeps up a link, for submarines their Command."""

    says: ClassVar[str] = "with [{unit}]"

    unit: str


class Transport(Decision, frozen=True, tag="transport"):
    """P13.1: which unit is carried."""

    says: ClassVar[str] = "transport [{unit}]"

    unit: str


class MoveHQ(Decision, frozen=True, tag="move_hq"):
    """P13.1: which headquarters moves."""

    says: ClassVar[str] = "move [{hq}]"

    hq: str


class BoxTransfer(Decision, frozen=True, tag="box_transfer"):
    """P13.1, P13.2.4: which unit goes into a box, out of one, or to another."""

    says: ClassVar[str] = "transfer [{unit}] by a box"

    unit: str


class PlaceHQ(Decision, frozen=True, tag="place_hq"):
    """P11.2.1: a headquarters that was disbanded is placed again."""

    says: ClassVar[str] = "place [{hq}] at [{site}]"

    hq: str
    site: str


class PlaceReinforcement(Decision, frozen=True, tag="place_reinforcement"):
    """P14.1, P20.2.3: which unit comes to the map."""

    says: ClassVar[str] = "place [{unit}]"

    unit: str


class MaintainECL(Decision, frozen=True, tag="maintain_ecl"):
    """P11.7: keep up an emergency link for another month."""

    says: ClassVar[str] = "keep up the emergency link to [{location}], paid by [{hq}]"

    location: str
    hq: str


class DropECL(Decision, frozen=True, tag="drop_ecl"):
    """P11.7: let an emergency link end."""

    says: ClassVar[str] = "drop the emergency link to [{location}]"

    location: str


class EstablishECL(Decision, frozen=True, tag="establish_ecl"):
    """P11.7: where an emergency link is established, and of which kind; what keeps it up must follow."""

    says: ClassVar[str] = "establish an emergency link to [{location}], by {kind}, paid by [{hq}]"

    location: str
    kind: Literal["destroyer", "submarine", "air"]
    hq: str


class RecallSubs(Decision, frozen=True, tag="recall_subs"):
    """P14.2: take submarine points off a Command."""

    command: str
    points: int

    def words(self) -> str:
        """Say how many, and where from."""
        return f"recall {number(self.points, 'submarine point')} from [{self.command}]"


class AssignSubs(Decision, frozen=True, tag="assign_subs"):
    """P14.2: give submarine points to a Command."""

    command: str
    points: int

    def words(self) -> str:
        """Say how many, and where to."""
        return f"assign {number(self.points, 'submarine point')} to [{self.command}]"


class BuildSubCommand(Decision, frozen=True, tag="build_sub_command"):
    """P14.6: build a Submarine Command."""

    says: ClassVar[str] = "build a Submarine Command at [{port}], paid by [{hq}]"

    port: str
    hq: str


class RepairUnit(Decision, frozen=True, tag="repair_unit"):
    """P15.1: take a hit off a naval unit."""

    says: ClassVar[str] = "repair [{unit}]"

    unit: str


class Recombine(Decision, frozen=True, tag="recombine"):
    """P15.2: which of two damaged naval units is kept."""

    says: ClassVar[str] = "recombine [{unit}]"

    unit: str


class ReplaceAir(Decision, frozen=True, tag="replace_air"):
    """P16.2: give a step to an air unit."""

    says: ClassVar[str] = "a step to [{unit}]"

    unit: str


class RaiseLevel(Decision, frozen=True, tag="raise_level"):
    """P16.3: raise the level of an air unit."""

    says: ClassVar[str] = "raise the level of [{unit}]"

    unit: str


class ReplaceGround(Decision, frozen=True, tag="replace_ground"):
    """P16.4: give a step to a ground unit."""

    says: ClassVar[str] = "a step to [{unit}]"

    unit: str


class BreakDown(Decision, frozen=True, tag="break_down"):
    """P16.9: break a division down into three units."""

    says: ClassVar[str] = "break [{unit}] down"

    unit: str


class RecombineGround(Decision, frozen=True, tag="recombine_ground"):
    """P16.9: make the parts of a division one unit again."""

    says: ClassVar[str] = "recombine [{unit}]"

    unit: str


class UpgradeAA(Decision, frozen=True, tag="upgrade_aa"):
    """P15.2: fit transports out for assault."""

    says: ClassVar[str] = "fit [{unit}] out for assault, paid by [{hq}]"

    unit: str
    hq: str


class NewAirUnit(Decision, frozen=True, tag="new_air_unit"):
    """P16.3: which air unit that was eliminated comes back."""

    says: ClassVar[str] = "raise [{unit}] anew"

    unit: str


class NewGroundUnit(Decision, frozen=True, tag="new_ground_unit"):
    """P16.6: which ground unit that was eliminated comes back."""

    says: ClassVar[str] = "raise [{unit}] anew"

    unit: str


class OfSteps(Decision, frozen=True, tag="of_steps"):
    """P16.3, P16.6: with how many steps it comes back."""

    steps: int

    def words(self) -> str:
        """Say how many."""
        return f"with {number(self.steps, 'step')}"


class SwapLevels(Decision, frozen=True, tag="swap_levels"):
    """P16.5: which air unit exchanges its level with another one."""

    says: ClassVar[str] = "swap the level of [{unit}]"

    unit: str


class RepairAirbase(Decision, frozen=True, tag="repair_airbase"):
    """P17.1: repair an airbase."""

    location: str
    hits: int
    hq: str

    def words(self) -> str:
        """Say how much, and who pays."""
        return f"repair {number(self.hits, 'hit')} of the airbase of [{self.location}], paid by [{self.hq}]"


class RepairPort(Decision, frozen=True, tag="repair_port"):
    """P17.1: repair a port."""

    location: str
    hits: int
    hq: str

    def words(self) -> str:
        """Say how much, and who pays."""
        return f"repair {number(self.hits, 'hit')} of the port of [{self.location}], paid by [{self.hq}]"


class RepairResource(Decision, frozen=True, tag="repair_resource"):
    """P17.1: repair a resource hex."""

    location: str
    hits: int
    hq: str

    def words(self) -> str:
        """Say how much, and who pays."""
        return (
            f"repair {number(self.hits, 'level')} of the resource of [{self.location}], paid by [{self.hq}]"
        )


class BuildAirbase(Decision, frozen=True, tag="build_airbase"):
    """P17.1: build an airbase, or a larger one."""

    says: ClassVar[str] = "build on the airbase of [{location}], paid by [{hq}]"

    location: str
    hq: str


class BuildPort(Decision, frozen=True, tag="build_port"):
    """P17.1: build a port, or a larger one."""

    says: ClassVar[str] = "build on the port of [{location}], paid by [{hq}]"

    location: str
    hq: str


class BuildFort(Decision, frozen=True, tag="build_fort"):
    """P17.1: build a fort, or a stronger one."""

    says: ClassVar[str] = "build on the fort of [{location}], paid by [{hq}]"

    location: str
    hq: str


class BuildOSB(Decision, frozen=True, tag="build_osb"):
    """P17.1: build an Offensive Support Base."""

    says: ClassVar[str] = "build a support base at [{location}], paid by [{hq}]"

    location: str
    hq: str


class RemoveOSB(Decision, frozen=True, tag="remove_osb"):
    """P11.3, P17.1: give up an Offensive Support Base."""

    says: ClassVar[str] = "remove the support base of [{location}]"

    location: str
