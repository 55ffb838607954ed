"""C25 Decisions: all that may be chosen, tagged with the words of the rules."""

from collections.abc import Iterable
from typing import Literal

from domain.kernel.frames import Decision


class ChooseMode(Decision, frozen=True, tag="choose_mode"):
    """D1: Card or Map."""

    mode: Literal["card", "map"]


class PlayCard(Decision, frozen=True, tag="play_card"):
    """D2: play an Operational card."""

    card: str


class DrawCard(Decision, frozen=True, tag="draw_card"):
    """D2: draw the top card."""


class DiscardForRp(Decision, frozen=True, tag="discard_for_rp"):
    """D2: discard a card for a resource point."""

    card: str


class PlaceRp(Decision, frozen=True, tag="place_rp"):
    """D3: where the resource point goes."""

    area: str


class PlaceUnitsAt(Decision, frozen=True, tag="place_units_at"):
    """D4: where the reinforcements go, all together."""

    area: str


class PlaceUnitAt(Decision, frozen=True, tag="place_unit_at"):
    """D4: where the next of the reinforcements goes."""

    unit: str
    area: str


class TrukEntry(Decision, frozen=True, tag="truk_entry"):
    """D5: where the Truk Fleet appears."""

    area: str


class RemoveUnit(Decision, frozen=True, tag="remove_unit"):
    """D6: which unit leaves the map."""

    unit: str


class Refit(Decision, frozen=True, tag="refit"):
    """D7: rebuild or reorganise a unit."""

    unit: str
    what: Literal["rebuild", "reorganize"]


class TargetArea(Decision, frozen=True, tag="target_area"):
    """D8: where the air attack goes."""

    area: str


class TargetUnit(Decision, frozen=True, tag="target_unit"):
    """D9: whom the disease strikes."""

    unit: str


class MoveRp(Decision, frozen=True, tag="move_rp", rename={"origin": "from"}):
    """D10: carry a resource point by barge."""

    origin: str
    to: str


class FlyUnit(Decision, frozen=True, tag="fly_unit"):
    """D10: fly a ground unit."""

    unit: str
    to: str


class FlyRp(Decision, frozen=True, tag="fly_rp", rename={"origin": "from"}):
    """D10: fly a resource point."""

    origin: str
    to: str


class OpenOperation(Decision, frozen=True, tag="open_operation"):
    """D11: spend a resource point there."""

    area: str


class StartGroundMove(Decision, frozen=True, tag="start_ground_move"):
    """D12: move ground units out of an area."""

    area: str


class StartNavalMove(Decision, frozen=True, tag="start_naval_move"):
    """D12: move ships out of the marker's area."""


class Reorganize(Decision, frozen=True, tag="reorganize"):
    """D12: take the marker off a disorganised unit."""

    unit: str


class Rebuild(Decision, frozen=True, tag="rebuild"):
    """D12: bring a depleted unit to full strength."""

    unit: str


class BuildAirfield(Decision, frozen=True, tag="build_airfield"):
    """D12: build an airfield."""

    area: str
    unit: str


class RemoveAirfield(Decision, frozen=True, tag="remove_airfield"):
    """D12: take an own airfield counter back."""

    area: str
    unit: str


class RepairAirfield(Decision, frozen=True, tag="repair_airfield"):
    """D12: repair an airfield that is out of order."""

    area: str


class Besiege(Decision, frozen=True, tag="besiege"):
    """D12: press the siege of a fortress."""

    area: str


class Sortie(Decision, frozen=True, tag="sortie"):
    """D12: attack the besiegers from inside."""

    area: str


class EndOperation(Decision, frozen=True, tag="end_operation"):
    """D12: end the operation."""


class PickUnit(Decision, frozen=True, tag="pick_unit"):
    """D13, D17: take a unit along."""

    unit: str


class LoadUnit(Decision, frozen=True, tag="load_unit"):
    """D14: take a ground unit aboard."""

    unit: str


class LoadRp(Decision, frozen=True, tag="load_rp"):
    """D14: take a resource point aboard."""


class StepTo(Decision, frozen=True, tag="step"):
    """D15, D16: go on to the next area."""

    to: str


class Stop(Decision, frozen=True, tag="stop"):
    """D15, D16: end the move here."""


class EmbarkFrom(Decision, frozen=True, tag="embark_from"):
    """D16: pause to take units aboard from a coast."""

    area: str


class LandAt(Decision, frozen=True, tag="land_at"):
    """D16: pause to land units on a coast."""

    area: str


class UnloadUnit(Decision, frozen=True, tag="unload_unit"):
    """D16: put a unit ashore in this port."""

    unit: str


class UnloadRp(Decision, frozen=True, tag="unload_rp"):
    """D16: unload a resource point in this port."""


class PlayChit(Decision, frozen=True, tag="play_chit"):
    """D18: play a chit."""

    chit: str


class ChooseUnit(Decision, frozen=True, tag="choose_unit"):
    """D19: the unit that is affected."""

    unit: str


class RetreatTo(Decision, frozen=True, tag="retreat_to"):
    """D20: where the unit retreats to."""

    area: str


class PlayReaction(Decision, frozen=True, tag="play_reaction"):
    """D21: play a card in a window."""

    card: str


class Pass(Decision, frozen=True, tag="pass"):
    """D21: play no card, or no more."""


class LoseUnit(Decision, frozen=True, tag="lose_unit"):
    """D22: which cargo is lost."""

    unit: str


class SetTop(Decision, frozen=True, tag="set_top"):
    """D23: what lies on top of a hidden stack; a unit, or `rp`."""

    area: str
    item: str


class TakeRefuge(Decision, frozen=True, tag="take_refuge"):
    """D24: send a unit into the fortress."""

    unit: str


class Done(Decision, frozen=True, tag="done"):
    """End a row of picks."""


DECISIONS: tuple[type[Decision], ...] = (
    ChooseMode,
    PlayCard,
    DrawCard,
    DiscardForRp,
    PlaceRp,
    PlaceUnitsAt,
    PlaceUnitAt,
    TrukEntry,
    RemoveUnit,
    Refit,
    TargetArea,
    TargetUnit,
    MoveRp,
    FlyUnit,
    FlyRp,
    OpenOperation,
    StartGroundMove,
    StartNavalMove,
    Reorganize,
    Rebuild,
    BuildAirfield,
    RemoveAirfield,
    RepairAirfield,
    Besiege,
    Sortie,
    EndOperation,
    PickUnit,
    LoadUnit,
    LoadRp,
    StepTo,
    Stop,
    EmbarkFrom,
    LandAt,
    UnloadUnit,
    UnloadRp,
    PlayChit,
    ChooseUnit,
    RetreatTo,
    PlayReaction,
    Pass,
    LoseUnit,
    SetTop,
    TakeRefuge,
    Done,
)


def picks(units: Iterable[str], chosen: int) -> list[Decision]:
    """Return the units that may still be picked, with Done once one has been (D13, D17)."""
    options: list[Decision] = [PickUnit(unit) for unit in units]
    return [*options, Done()] if chosen else options


def more_to_pick(options: Iterable[Decision]) -> list[Decision]:
    """Return the picks of a list after which another unit may be picked, or Done."""
    units: list[Decision] = [option for option in options if isinstance(option, PickUnit)]
    return units if len(units) > 1 else []
