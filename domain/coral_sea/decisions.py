"""C25 Decisions: all that may be chosen, tagged with the words of the rules."""

from collections.abc import Iterable
from typing import ClassVar, Literal

from domain.kernel.procedures import Decision


class ChooseMode(Decision, frozen=True, tag="choose_mode"):
    """D1: Card or Map."""

    mode: Literal["card", "map"]

    def words(self) -> str:
        """Say which."""
        return self.mode.title()


class PlayCard(Decision, frozen=True, tag="play_card"):
    """D2: play an Operational card."""

    says: ClassVar[str] = "play [{card}]"

    card: str


class DrawCard(Decision, frozen=True, tag="draw_card"):
    """D2: draw the top card."""

    says: ClassVar[str] = "draw a card"


class DiscardForRp(Decision, frozen=True, tag="discard_for_rp"):
    """D2: discard a card for a resource point."""

    says: ClassVar[str] = "discard [{card}] for a resource point"

    card: str


class PlaceRp(Decision, frozen=True, tag="place_rp"):
    """D3: where the resource point goes."""

    says: ClassVar[str] = "place the resource point at [{area}]"

    area: str


class PlaceUnitsAt(Decision, frozen=True, tag="place_units_at"):
    """D4: where the reinforcements go, all together."""

    says: ClassVar[str] = "let the reinforcements arrive at [{area}]"

    area: str


class PlaceUnitAt(Decision, frozen=True, tag="place_unit_at"):
    """D4: where the next of the reinforcements goes."""

    says: ClassVar[str] = "let [{unit}] arrive at [{area}]"

    unit: str
    area: str


class TrukEntry(Decision, frozen=True, tag="truk_entry"):
    """D5: where the Truk Fleet appears."""

    says: ClassVar[str] = "let the Truk Fleet appear in [{area}]"

    area: str


class RemoveUnit(Decision, frozen=True, tag="remove_unit"):
    """D6: which unit leaves the map."""

    says: ClassVar[str] = "take [{unit}] off the map"

    unit: str


class Refit(Decision, frozen=True, tag="refit"):
    """D7: rebuild or reorganise a unit."""

    unit: str
    what: Literal["rebuild", "reorganize"]

    def words(self) -> str:
        """Say which and how."""
        return f"{'rebuild' if self.what == 'rebuild' else 'reorganise'} [{self.unit}]"


class TargetArea(Decision, frozen=True, tag="target_area"):
    """D8: where the air attack goes."""

    says: ClassVar[str] = "attack [{area}] from the air"

    area: str


class TargetUnit(Decision, frozen=True, tag="target_unit"):
    """D9: whom the disease strikes."""

    says: ClassVar[str] = "let disease strike [{unit}]"

    unit: str


class MoveRp(Decision, frozen=True, tag="move_rp", rename={"origin": "from"}):
    """D10: carry a resource point by barge."""

    says: ClassVar[str] = "carry a resource point from [{origin}] to [{to}] by barge"

    origin: str
    to: str


class FlyUnit(Decision, frozen=True, tag="fly_unit"):
    """D10: fly a ground unit."""

    says: ClassVar[str] = "fly [{unit}] to [{to}]"

    unit: str
    to: str


class FlyRp(Decision, frozen=True, tag="fly_rp", rename={"origin": "from"}):
    """D10: fly a resource point."""

    says: ClassVar[str] = "fly a resource point from [{origin}] to [{to}]"

    origin: str
    to: str


class OpenOperation(Decision, frozen=True, tag="open_operation"):
    """D11: spend a resource point there."""

    says: ClassVar[str] = "open an operation at [{area}]"

    area: str


class StartGroundMove(Decision, frozen=True, tag="start_ground_move"):
    """D12: move ground units out of an area."""

    says: ClassVar[str] = "march from [{area}]"

    area: str


class StartNavalMove(Decision, frozen=True, tag="start_naval_move"):
    """D12: move ships out of the marker's area."""

    says: ClassVar[str] = "set sail"


class Reorganize(Decision, frozen=True, tag="reorganize"):
    """D12: take the marker off a disorganised unit."""

    says: ClassVar[str] = "reorganise [{unit}]"

    unit: str


class Rebuild(Decision, frozen=True, tag="rebuild"):
    """D12: bring a depleted unit to full strength."""

    says: ClassVar[str] = "rebuild [{unit}]"

    unit: str


class BuildAirfield(Decision, frozen=True, tag="build_airfield"):
    """D12: build an airfield."""

    says: ClassVar[str] = "build an airfield at [{area}] with [{unit}]"

    area: str
    unit: str


class RemoveAirfield(Decision, frozen=True, tag="remove_airfield"):
    """D12: take an own airfield counter back."""

    says: ClassVar[str] = "take back the airfield at [{area}] with [{unit}]"

    area: str
    unit: str


class RepairAirfield(Decision, frozen=True, tag="repair_airfield"):
    """D12: repair an airfield that is out of order."""

    says: ClassVar[str] = "repair the airfield at [{area}]"

    area: str


class Besiege(Decision, frozen=True, tag="besiege"):
    """D12: press the siege of a fortress."""

    says: ClassVar[str] = "besiege the fortress of [{area}]"

    area: str


class Sortie(Decision, frozen=True, tag="sortie"):
    """D12: attack the besiegers from inside."""

    says: ClassVar[str] = "make a sortie from the fortress of [{area}]"

    area: str


class EndOperation(Decision, frozen=True, tag="end_operation"):
    """D12: end the operation."""

    says: ClassVar[str] = "end the operation"


class PickUnit(Decision, frozen=True, tag="pick_unit"):
    """D13, D17: take a unit along."""

    says: ClassVar[str] = "take [{unit}] along"

    unit: str


class LoadUnit(Decision, frozen=True, tag="load_unit"):
    """D14: take a ground unit aboard."""

    says: ClassVar[str] = "take [{unit}] aboard"

    unit: str


class LoadRp(Decision, frozen=True, tag="load_rp"):
    """D14: take a resource point aboard."""

    says: ClassVar[str] = "take a resource point aboard"


class StepTo(Decision, frozen=True, tag="step"):
    """D15, D16: go on to the next area."""

    says: ClassVar[str] = "go on to [{to}]"

    to: str


class Stop(Decision, frozen=True, tag="stop"):
    """D15, D16: end the move here."""

    says: ClassVar[str] = "end the move here"


class EmbarkFrom(Decision, frozen=True, tag="embark_from"):
    """D16: pause to take units aboard from a coast."""

    says: ClassVar[str] = "take units aboard from [{area}]"

    area: str


class LandAt(Decision, frozen=True, tag="land_at"):
    """D16: pause to land units on a coast."""

    says: ClassVar[str] = "land at [{area}]"

    area: str


class UnloadUnit(Decision, frozen=True, tag="unload_unit"):
    """D16: put a unit ashore in this port."""

    says: ClassVar[str] = "put [{unit}] ashore"

    unit: str


class UnloadRp(Decision, frozen=True, tag="unload_rp"):
    """D16: unload a resource point in this port."""

    says: ClassVar[str] = "put a resource point ashore"


class PlayChit(Decision, frozen=True, tag="play_chit"):
    """D18: play a chit."""

    says: ClassVar[str] = "play [{chit}]"

    chit: str


class ChooseUnit(Decision, frozen=True, tag="choose_unit"):
    """D19: the unit that is affected."""

    says: ClassVar[str] = "choose [{unit}]"

    unit: str


class RetreatTo(Decision, frozen=True, tag="retreat_to"):
    """D20: where the unit retreats to."""

    says: ClassVar[str] = "retreat to [{area}]"

    area: str


class PlayReaction(Decision, frozen=True, tag="play_reaction"):
    """D21: play a card in a window."""

    says: ClassVar[str] = "play [{card}]"

    card: str


class Pass(Decision, frozen=True, tag="pass"):
    """D21: play no card, or no more."""

    says: ClassVar[str] = "pass"


class PassOn(Decision, frozen=True, tag="pass_on"):
    """D21: pass, and pass in every window of this kind until the operation ends (C6.9)."""

    says: ClassVar[str] = "pass in every window of this kind until the operation ends"


class AskAgain(Decision, frozen=True, tag="ask_again"):
    """D21: pass, and be asked in every window again (C6.9)."""

    says: ClassVar[str] = "pass, and be asked in every window again"


class LoseUnit(Decision, frozen=True, tag="lose_unit"):
    """D22: which cargo is lost."""

    says: ClassVar[str] = "lose [{unit}]"

    unit: str


class SetTop(Decision, frozen=True, tag="set_top"):
    """D23: what lies on top of a hidden stack; a unit, or `rp`."""

    says: ClassVar[str] = "put [{item}] on top at [{area}]"

    area: str
    item: str


class TakeRefuge(Decision, frozen=True, tag="take_refuge"):
    """D24: send a unit into the fortress."""

    says: ClassVar[str] = "send [{unit}] into the fortress"

    unit: str


class Done(Decision, frozen=True, tag="done"):
    """End a row of picks."""

    says: ClassVar[str] = "be done"


def picks(units: Iterable[str], chosen: int) -> list[Decision]:
    """Return the units that may still be picked, with Done once one has been (D13, D17)."""
    options: list[Decision] = [PickUnit(unit) for unit in units]
    return [*options, Done()] if chosen else options


def more_to_pick(options: Iterable[Decision]) -> list[Decision]:
    """Return the picks of a list after which another unit may be picked, or Done."""
    units: list[Decision] = [option for option in options if isinstance(option, PickUnit)]
    return units if len(units) > 1 else []
