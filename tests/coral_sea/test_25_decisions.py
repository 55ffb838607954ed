"""C25 Each decision as a sentence; none is ever changed; after which more may follow in one command."""

import pytest
from msgspec import Struct

from domain.coral_sea import CORAL_SEA, DECISIONS, printed
from domain.coral_sea.decisions import (
    AskAgain,
    Besiege,
    BuildAirfield,
    ChooseMode,
    ChooseUnit,
    DiscardForRp,
    Done,
    DrawCard,
    EmbarkFrom,
    EndOperation,
    FlyRp,
    FlyUnit,
    LandAt,
    LoadRp,
    LoadUnit,
    LoseUnit,
    MoveRp,
    OpenOperation,
    Pass,
    PassOn,
    PickUnit,
    PlaceRp,
    PlaceUnitAt,
    PlaceUnitsAt,
    PlayCard,
    PlayChit,
    PlayReaction,
    Rebuild,
    Refit,
    RemoveAirfield,
    RemoveUnit,
    Reorganize,
    RepairAirfield,
    RetreatTo,
    SetTop,
    Sortie,
    StartGroundMove,
    StartNavalMove,
    StepTo,
    Stop,
    TakeRefuge,
    TargetArea,
    TargetUnit,
    TrukEntry,
    UnloadRp,
    UnloadUnit,
)
from domain.kernel.procedures import Decision
from tests.coral_sea.board import AL, operation

SENTENCES: list[tuple[Decision, str]] = [
    (ChooseMode("card"), "Card"),
    (ChooseMode("map"), "Map"),
    (PlayCard("J07"), "play [J07]"),
    (DrawCard(), "draw a card"),
    (DiscardForRp("J07"), "discard [J07] for a resource point"),
    (PlaceRp("noumea"), "place the resource point at [noumea]"),
    (PlaceUnitsAt("buin"), "let the reinforcements arrive at [buin]"),
    (PlaceUnitAt("a_14", "noumea"), "let [a_14] arrive at [noumea]"),
    (TrukEntry("nuguria_sea"), "let the Truk Fleet appear in [nuguria_sea]"),
    (RemoveUnit("j_shoho"), "take [j_shoho] off the map"),
    (Refit("j_144", "rebuild"), "rebuild [j_144]"),
    (Refit("j_144", "reorganize"), "reorganise [j_144]"),
    (TargetArea("lae"), "attack [lae] from the air"),
    (TargetUnit("a_7"), "let disease strike [a_7]"),
    (MoveRp("rabaul", "buna"), "carry a resource point from [rabaul] to [buna] by barge"),
    (FlyUnit("a_30", "buna"), "fly [a_30] to [buna]"),
    (FlyRp("port_moresby", "buna"), "fly a resource point from [port_moresby] to [buna]"),
    (OpenOperation("rabaul"), "open an operation at [rabaul]"),
    (StartGroundMove("lae"), "march from [lae]"),
    (StartNavalMove(), "set sail"),
    (Reorganize("j_144"), "reorganise [j_144]"),
    (Rebuild("j_144"), "rebuild [j_144]"),
    (BuildAirfield("buna", "a_30"), "build an airfield at [buna] with [a_30]"),
    (RemoveAirfield("buna", "a_30"), "take back the airfield at [buna] with [a_30]"),
    (RepairAirfield("lae"), "repair the airfield at [lae]"),
    (Besiege("rabaul"), "besiege the fortress of [rabaul]"),
    (Sortie("rabaul"), "make a sortie from the fortress of [rabaul]"),
    (EndOperation(), "end the operation"),
    (PickUnit("j_144"), "take [j_144] along"),
    (LoadUnit("j_144"), "take [j_144] aboard"),
    (LoadRp(), "take a resource point aboard"),
    (StepTo("morobe"), "go on to [morobe]"),
    (Stop(), "end the move here"),
    (EmbarkFrom("lae"), "take units aboard from [lae]"),
    (LandAt("buna"), "land at [buna]"),
    (UnloadUnit("a_30"), "put [a_30] ashore"),
    (UnloadRp(), "put a resource point ashore"),
    (PlayChit("j_g_ambush"), "play [j_g_ambush]"),
    (ChooseUnit("a_30"), "choose [a_30]"),
    (RetreatTo("kokoda"), "retreat to [kokoda]"),
    (PlayReaction("A24"), "play [A24]"),
    (Pass(), "pass"),
    (PassOn(), "pass in every window of this kind until the operation ends"),
    (AskAgain(), "pass, and be asked in every window again"),
    (LoseUnit("a_30"), "lose [a_30]"),
    (SetTop("rabaul", "j_144"), "put [j_144] on top at [rabaul]"),
    (TakeRefuge("j_144"), "send [j_144] into the fortress"),
    (Done(), "be done"),
]


@pytest.mark.parametrize(("decision", "sentence"), SENTENCES)
def test_c25_a_decision_says_what_is_done(decision: Decision, sentence: str) -> None:
    assert sentence == decision.words()


def test_c25_no_decision_is_without_a_sentence_here() -> None:
    assert set(DECISIONS) == {type(decision) for decision, _ in SENTENCES}


def test_c25_c26_1_neither_a_decision_nor_an_event_nor_a_chart_is_ever_changed() -> None:
    charts = [kind for kind in vars(printed).values() if isinstance(kind, type) and issubclass(kind, Struct)]
    kinds: list[type[Struct]] = [*CORAL_SEA.decisions, *CORAL_SEA.facts, *charts]

    assert {printed.Counter, printed.Card} <= {*charts}
    assert [] == [kind for kind in kinds if kind is not Struct and not kind.__struct_config__.frozen]


def test_c8_1_c25_2_the_pick_of_the_last_unit_is_not_one_after_which_there_is_a_choice() -> None:
    """After it comes Done alone, so that the move begins; before that another may be picked, or Done."""
    units = ("a_30", "a_7", "a_14")
    board = operation(AL, "port_moresby", dict.fromkeys(units, "port_moresby"))
    board.go(StartGroundMove("port_moresby"))
    quiet = [board.table.quiet(AL)]
    for unit in units[:2]:
        board.go(PickUnit(unit))
        quiet.append(board.table.quiet(AL))

    assert [tuple(map(PickUnit, units)), tuple(map(PickUnit, units[1:])), ()] == quiet
    assert [PickUnit("a_14"), Done()] == board.offered()
