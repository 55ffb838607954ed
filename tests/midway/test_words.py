"""What readers are told: each fact as a sentence, and the board as plain JSON."""

import pytest

from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision
from domain.midway import DECISIONS, FACTS, MIDWAY
from domain.midway.choices import (
    Committed,
    FleetFound,
    HitsDesignated,
    LossProposed,
    ProposalAnswered,
    ProposalSettled,
    SearchAssigned,
    Targeted,
)
from domain.midway.decisions import (
    Accept,
    Advance,
    CapVsBombers,
    CapVsFighters,
    Done,
    HitType,
    Land,
    Launch,
    Lose,
    Recall,
    Refuse,
    SearchAssign,
    SearchStart,
    Spot,
    StrikeBelow,
    Target,
    TurnBack,
)
from domain.midway.facts import (
    CarrierCrippled,
    CarrierDamaged,
    CarrierRestored,
    CarrierSunk,
    Counted,
    GroupLost,
    GroupMoved,
    Repaired,
    StepEnded,
    StepStarted,
    StrengthLost,
    TurnStarted,
)
from domain.midway.scenarios import set_up
from tests.midway.board import DUEL, begun, given
from tests.seen import table

SENTENCES: list[tuple[Fact, str]] = [
    (
        set_up(DUEL, MIDWAY.set_up(DUEL, {})),
        "Duel: Kaga against Enterprise is set up for 8 turns: 17 groups with [KAGA], [ENTERPRISE]",
    ),
    (TurnStarted(3), "Turn 3 begins"),
    (StepStarted(4, 1), "Step 4: [US], Move Planes"),
    (StepStarted(5, 0), "Step 5: [JP], CAP Attacks"),
    (StepEnded(4, 1), "Step 4 ends: [US], Move Planes"),
    (StepEnded(5, 0), "Step 5 ends: [JP], CAP Attacks"),
    (GroupMoved("KAG-F1", "MOVING", "READY"), "[KAG-F1] goes from [JP:MOVING] to [JP:READY]"),
    (GroupMoved("KAG-F1", "READY", "HOME"), "[KAG-F1] turns back from [JP:READY] to [JP:HOME]"),
    (GroupMoved("KAG-F1", "ATTACKING", "HOME"), "[KAG-F1] leaves the attack for [JP:HOME]"),
    (GroupMoved("KAG-F1", "CAP:1", "CAP:2"), "[KAG-F1] goes from [JP:CAP:1] to [JP:CAP:2]"),
    (GroupMoved("KAG-F1", "WAITING", "HANGAR:AKAGI"), "[KAG-F1] lands in the [HANGAR:AKAGI]"),
    (GroupMoved("KAG-F1", "DECK:KAGA", "CAP:1"), "[KAG-F1] is launched from the [DECK:KAGA] to [JP:CAP:1]"),
    (
        GroupMoved("ENT-D1", "DECK:HORNET", "HANGAR:HORNET"),
        "[ENT-D1] goes from the [DECK:HORNET] to the [HANGAR:HORNET]",
    ),
    (Targeted("ENT-D1", "KAGA"), "[ENT-D1] will attack [KAGA]"),
    (Committed("KAG-F1", "bombers"), "[KAG-F1] attacks the bombers"),
    (Committed("KAG-F1", "fighters"), "[KAG-F1] attacks the escorts"),
    (HitsDesignated("D", 1), "One hit goes to the dive bombers, 1 in all"),
    (HitsDesignated("T", 2), "One hit goes to the torpedo bombers, 2 in all"),
    (StrengthLost("ENT-D1", 1, 4, "AA"), "[ENT-D1] loses 1 SP to anti-aircraft fire: 4 left"),
    (GroupLost("ENT-D1", 2, "DITCHING"), "[ENT-D1] loses its last 2 SP to ditching and is lost"),
    (GroupLost("ENT-D1", 1, "AA"), "[ENT-D1] loses its last SP to anti-aircraft fire and is lost"),
    (CarrierDamaged("KAGA", 1, 7), "[KAGA] takes 1 hit: 7 damage"),
    (CarrierDamaged("KAGA", 2, 8), "[KAGA] takes 2 hits: 8 damage"),
    (CarrierCrippled("KAGA"), "[KAGA] is crippled"),
    (CarrierSunk("KAGA", 1, ()), "[KAGA] takes 1 hit and sinks"),
    (CarrierSunk("KAGA", 2, ()), "[KAGA] takes 2 hits and sinks"),
    (
        CarrierSunk("KAGA", 3, ("KAG-D1", "KAG-T1")),
        "[KAGA] takes 3 hits and sinks; lost with her: [KAG-D1], [KAG-T1]",
    ),
    (Repaired("KAGA", 6), "[KAGA] repairs one damage: 6 left"),
    (CarrierRestored("KAGA"), "[KAGA] is operational again"),
    (SearchAssigned("ENT-D1", 2), "[ENT-D1] flies with search group 2"),
    (FleetFound(1, 2, ()), "Search group 2 of the [US] finds the enemy fleet"),
    (LossProposed("ENT-D1", 2), "The admiral proposes that [ENT-D1] lose one SP, 2 in all"),
    (ProposalAnswered(4, True), "[seat:4] accepted the proposal"),
    (ProposalAnswered(4, False), "[seat:4] refused the proposal"),
    (ProposalSettled(1, True), "The proposal is accepted by all"),
    (ProposalSettled(1, False), "The hits are split evenly between the seats"),
    (
        Counted((30, 5), (20, 40), "decisive"),
        "[JP] has 30 points and lost 20 SP, the [US] has 5 points and lost 40 SP; the victory is decisive",
    ),
    (Counted((1, 1), (2, 2)), "[JP] has 1 point and lost 2 SP, the [US] has 1 point and lost 2 SP"),
]


@pytest.mark.parametrize(("fact", "sentence"), SENTENCES)
def test_a_fact_is_told_in_a_sentence(fact: Fact, sentence: str) -> None:
    assert sentence == fact.words()


def test_no_fact_is_without_a_sentence_here() -> None:
    assert set(FACTS) == {type(fact) for fact, _ in SENTENCES}


ORDERS: list[tuple[Decision, str]] = [
    (Land("KAG-F1", "HIRYU"), "land [KAG-F1] on [HIRYU]"),
    (Advance("KAG-D1"), "advance [KAG-D1]"),
    (SearchStart(), "begin the search"),
    (SearchAssign("ENT-D1", 2), "let [ENT-D1] fly with search group 2"),
    (CapVsFighters("KAG-F1"), "attack the escorts with [KAG-F1]"),
    (CapVsBombers("KAG-F1"), "attack the bombers with [KAG-F1]"),
    (HitType("D"), "hit the dive bombers"),
    (HitType("T"), "hit the torpedo bombers"),
    (Lose("ENT-D1"), "take a hit on [ENT-D1]"),
    (Target("ENT-D1", "KAGA"), "attack [KAGA] with [ENT-D1]"),
    (Launch("KAG-D1", "MOVING"), "launch [KAG-D1] to attack"),
    (Launch("KAG-F1", "CAP:1"), "launch [KAG-F1] on combat air patrol"),
    (Spot("KAG-D1"), "bring [KAG-D1] up on deck"),
    (StrikeBelow("KAG-D1"), "strike [KAG-D1] below"),
    (Accept(), "accept the proposal"),
    (Refuse(), "refuse the proposal"),
    (Recall("KAG-F1"), "recall [KAG-F1]"),
    (TurnBack("KAG-D1"), "turn [KAG-D1] back"),
    (Done(), "be done"),
]


@pytest.mark.parametrize(("decision", "sentence"), ORDERS)
def test_a_decision_is_told_in_a_sentence(decision: Decision, sentence: str) -> None:
    assert sentence == decision.words()


def test_no_decision_is_without_a_sentence_here() -> None:
    assert set(DECISIONS) == {type(decision) for decision, _ in ORDERS}


def test_the_view_is_empty_before_the_setup() -> None:
    assert {} == table(MIDWAY, MIDWAY.open())


def test_the_view_names_turn_step_side_and_time() -> None:
    shown = begun().open
    board = table(MIDWAY, shown)

    assert ("historical-4-june", 1, 12, "08:00") == tuple(
        board[key] for key in ("scenario", "turn", "turn_limit", "time")
    )
    assert (1, [1], "Land Planes", ["JP"]) == tuple(
        board[key] for key in ("step", "steps", "step_name", "active")
    )
    assert "09:00" == table(MIDWAY, given({"AKA-D1": (5, "HOME")}, step=3, turn=2).open)["time"]
    both = table(MIDWAY, begun(DUEL, parallel_steps=True, free_decks=True).open)
    assert (["JP", "US"], [11, 12], 11, "Planning") == tuple(
        both[field] for field in ("active", "steps", "step", "step_name")
    )
    assert {"step": 5, "side": "JP", "name": "CAP Attacks", "rule": "M6"} == board["sequence"][4]


@pytest.mark.parametrize(
    ("turn", "time"), [(0, "08:00"), (1, "08:00"), (2, "09:00"), (17, "00:00"), (18, "01:00")]
)
def test_the_view_tells_the_time_of_day(turn: int, time: str) -> None:
    board = given({"AKA-D1": (5, "HOME")}, step=3, turn=turn, turn_limit=20)

    assert time == table(MIDWAY, board.open)["time"]


def test_the_view_shows_carriers_and_points() -> None:
    board = table(MIDWAY, given({"AKA-D1": (5, "HOME")}, step=3, damage={"KAGA": 7, "HIRYU": 10}).open)

    kaga = {"name": "Kaga", "side": "JP", "aa": 9, "repair": 6, "capacity": 40, "damage": 7, "seat": 0}
    assert {**kaga, "state": "crippled"} == board["carriers"]["KAGA"]
    assert {"JP": 0, "US": 22} == board["points"]
    assert {"JP": 131, "US": 123} == board["losses"]


def test_the_view_shows_what_matters_of_a_group_while_it_does() -> None:
    board = given({"AKA-D1": (4, "HOME"), "ENT-D1": (3, "HOME")}, step=3)
    plain: dict[str, str | int] = {
        "name": "Akagi dive bombers 1",
        "side": "JP",
        "type": "D",
        "home": "AKAGI",
        "aircraft": "D3A1 Val",
    }
    plain = {**plain, "full": 5, "strength": 4, "place": "HOME"}
    assert plain == table(MIDWAY, board.open)["groups"]["AKA-D1"]

    board.decide(Advance("AKA-D1"))

    assert {**plain, "place": "WAITING"} == table(MIDWAY, board.open)["groups"]["AKA-D1"]


def test_the_view_shows_choices_of_the_step() -> None:
    patrol = given(
        {"AKA-F1": (5, "CAP:1"), "ENT-D1": (5, "READY"), "ENT-T1": (4, "READY")},
        step=5,
        dice=[[4, 4, 1, 1, 1]],
    )
    patrol.decide(CapVsBombers("AKA-F1"), HitType("D"))
    raid = given(
        {"ENT-D1": (5, "ATTACKING"), "YOR-D1": (5, "ATTACKING")}, step=8, dice=[[4] + [1] * 6], team_play=True
    )
    raid.decide(Target("ENT-D1", "AKAGI"), Target("YOR-D1", "AKAGI"), Lose("ENT-D1"))
    search = given({f"ENT-D{n}": (5, "MOVING") for n in (1, 2, 3, 4)}, step=4, found=(True, False))
    search.decide(SearchStart(), SearchAssign("ENT-D1", 3))

    fighting, striking, searching = (table(MIDWAY, board.open) for board in (patrol, raid, search))

    assert "bombers" == fighting["groups"]["AKA-F1"]["committed"]
    assert {"D": 1} == fighting["designated"]
    assert ("AKAGI", 1) == tuple(striking["groups"]["ENT-D1"][key] for key in ("target", "proposed"))
    assert 3 == searching["groups"]["ENT-D1"]["search_group"]
    assert {"JP": True, "US": False} == searching["found"]


def test_the_view_shows_the_grade_of_a_finished_game() -> None:
    board = given({"AKA-D1": (5, "HOME")}, step=13, turn=12, damage={"HORNET": 10})

    assert "clear" == table(MIDWAY, board.open)["grade"]


def test_every_id_has_a_name() -> None:
    ids = {
        "JP",
        "side:1",
        "KAGA",
        "KAG-F1",
        "JP:MOVING",
        "US:CAP:4",
        "DECK:KAGA",
        "HANGAR:YORKTOWN",
        "US:LOST",
    }

    assert set() == ids - set(MIDWAY.names)
    assert ("Moving to Attack (Japan)", "Flight deck of Kaga") == (
        MIDWAY.names["JP:MOVING"],
        MIDWAY.names["DECK:KAGA"],
    )
    assert ("Japan", "United States", "Kaga") == tuple(
        MIDWAY.names[name] for name in ("JP", "side:1", "KAGA")
    )


def test_every_purpose_of_a_roll_has_a_name() -> None:
    rolled = ["SEARCH", "CAP_DOGFIGHT", "ESCORT_DOGFIGHT", "CAP_VS_BOMBERS", "AA", "ATTACK_D", "REROLL_D"]
    rolled += ["ATTACK_T", "REROLL_T", "ARMED_DECK", "REPAIR"]

    assert [] == [purpose for purpose in rolled if purpose not in MIDWAY.names]
    assert "attack of the dive bombers" == MIDWAY.names["ATTACK_D"]
