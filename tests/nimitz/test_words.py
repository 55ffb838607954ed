"""What readers are told: each fact as a sentence, why Japan chose, and the table as plain JSON."""

from random import Random
from re import findall

import pytest
from msgspec import Struct, json

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact, Rolled
from domain.kernel.procedures import Decision
from domain.match.parts import Part
from domain.match.views import View, Views, patch, patched
from domain.nimitz import FACTS, NIMITZ, rows
from domain.nimitz.automaton import Chose, Narrowed
from domain.nimitz.blows import (
    Advanced,
    AirborneOver,
    AirfieldsAre,
    CombatBegan,
    Damaged,
    Destroyed,
    Dived,
    Grounded,
    GroupLost,
    Rehomed,
)
from domain.nimitz.charts import COUNTERS
from domain.nimitz.decisions import (
    AdjustLength,
    AllocateHit,
    BuyPlan,
    BuyPoints,
    CancelHit,
    ChooseBattle,
    DoneAir,
    DoneMoving,
    DonePlans,
    DoneReserving,
    DoneResupply,
    DoneScouting,
    GiveSupply,
    JaByRule,
    JaDestination,
    JaEscort,
    JaFirstLightCarrier,
    JaKeepForce,
    JaLoseAircraft,
    JaNextArea,
    JaPickUnit,
    JaPlanOrder,
    JaSendGroup,
    LendForce,
    LoseAircraft,
    MoveForce,
    PassFirstLight,
    PassPlan,
    PickBombed,
    PickCarrier,
    PlaceScout,
    PlaceShip,
    PlaceSub,
    Purchase,
    Repair,
    ReserveForInvasion,
    RollFirstLight,
    SendAircraft,
    TakeHit,
    UsePlan,
)
from domain.nimitz.facts import (
    BattlesFound,
    Bought,
    CampaignEnded,
    CampaignSetUp,
    ForceMoved,
    InPort,
    Landed,
    Lent,
    ObjectivesHeld,
    OutOfSupply,
    Repaired,
    Reserved,
    ScoutPlaced,
    ScoutSpent,
    StepBegan,
    SupplyIs,
    TurnBegan,
    WarEnded,
)
from domain.nimitz.happenings import (
    BattalionDug,
    BattleBegan,
    BattleEnded,
    BattleTurnBegan,
    CupFilled,
    FlightsReady,
    IslandOccupied,
    LengthIs,
    PlanBought,
    PlanDrawn,
    PlansInOrder,
    PlanUsed,
    PlanVoid,
    PointsAre,
    Screening,
    ShipsPlaced,
)
from domain.nimitz.marches import (
    AutoHeld,
    BattalionBack,
    BattalionsCame,
    CounterIs,
    HeldBack,
    NotPerformed,
    OrderDone,
    Ordered,
    Reinforced,
    Returned,
)
from domain.nimitz.table import Force, Open, Plane
from tests.fuzz.matches import Play, choose
from tests.nimitz.board import battle, begun, given
from tests.nimitz.invariants import nameless
from tests.seen import table

KAGA, SORYU, FLETCHER = "42-ja-kaga", "42-ja-soryu", "42-us-desron-1"

SENTENCES: list[tuple[Fact, str]] = [
    (SupplyIs(0, -5, 16, "for a purchase"), "[seat:0] has 16 SP, -5 for a purchase"),
    (
        ForceMoved("42-us-25th-inf", "HI", "SI", aboard=True),
        "[42-us-25th-inf] goes from the [HI] to the [SI] on transports",
    ),
    (Lent(FLETCHER, 1), "[42-us-desron-1] is lent to [seat:1]"),
    (Landed(("us-bn-01",), "GI"), "[us-bn-01] lands in the [GI] unopposed"),
    (InPort((FLETCHER,), "P1"), "[42-us-desron-1] returns to [P1]"),
    (OutOfSupply("NC", ("us-bn-01",), ()), "Out of supply in [NC]: [us-bn-01] damaged"),
    (
        HeldBack((KAGA,), "SI", "alone there", "N5.1"),
        "[42-ja-kaga] in the [SI] may not move: alone there (N5.1)",
    ),
    (Ordered("CI", "SOUTH", "rolled 12"), "[SOUTH] is tried in the [CI]: rolled 12"),
    (
        OrderDone("PH", "SOUTH", went=(KAGA,), to="BO", to_japan=("42-ja-24-sentai",)),
        "[SOUTH] in the [PH]: [42-ja-kaga] goes to [BO]; [42-ja-24-sentai] goes to [JA]",
    ),
    (
        BattalionsCame(("ja-bn-06",), "SI", aboard=True, arrived=True, why="for infantry that did not come"),
        "[ja-bn-06] comes to the [SI] on transports: for infantry that did not come",
    ),
    (ShipsPlaced((KAGA,), "JO"), "[42-ja-kaga] is placed in the [JO]"),
    (
        PlanDrawn("ja.duration", aside=False, of=22),
        "Japan draws [ja.duration], 1 of 22 counters in the cup",
    ),
    (PlanUsed("us.furball", "one hit more"), "[us.furball]: one hit more"),
    (AirborneOver(("42-us-mag-13",), "JO"), "[42-us-mag-13] flies to the [JO]"),
    (Dived("42-ja-8-sentai"), "[42-ja-8-sentai] dives into the enemy: one hit more"),
    (CombatBegan("Dogfight", "UO"), "Dogfight in the [UO]"),
    (Grounded(("42-us-mag-13",), flown=True), "[42-us-mag-13] will not fly again this turn"),
    (Grounded(("42-us-mag-13", "42-us-mag-21")), "[42-us-mag-13], [42-us-mag-21] return"),
    (Rehomed("42-us-hornet:2SBD", "42-us-wasp"), "[42-us-hornet:2SBD] lands on [42-us-wasp]"),
    (Advanced(0, ("us-bn-01",), ()), "[us-bn-01] digs in"),
    (
        Advanced(0, ("us-bn-01", "us-bn-02"), ("42-us-25th-inf",)),
        "[us-bn-01], [us-bn-02] dig in; [42-us-25th-inf] reaches the beach",
    ),
    (AirfieldsAre(1, 2, "hit by Bomb runs"), "2 airfields left to [JA]: hit by bombs"),
    (Damaged(KAGA, "AAA"), "[42-ja-kaga] is damaged by anti-aircraft fire"),
    (Destroyed(KAGA, "Bomb runs"), "[42-ja-kaga] is destroyed by bombs"),
    (GroupLost("42-us-mag-13", 0), "[42-us-mag-13] has lost its airfield and goes back to the [US_RE]"),
    (GroupLost("42-ja-8-sentai", 1), "[42-ja-8-sentai] has lost its airfield"),
    (StepBegan(2), "Step 2: US resupply"),
    (Reserved(KAGA), "[42-ja-kaga] is reserved for the invasion of Japan"),
    (
        Chose(
            "N7.5",
            "Destination of [SOUTH] from",
            ("ML", "SI"),
            ("SI",),
            (Narrowed("the fewest Japanese forces there", ("SI",)),),
            about="CI",
        ),
        "Destination of [SOUTH] from [CI]: [SI]; among [ML], [SI]: the fewest Japanese forces there (N7.5)",
    ),
    (
        Chose("N7.3", "Areas in order", tuple("ABCDEFG"), ("A",)),
        "Areas in order: [A]; among 7 (N7.3)",
    ),
    (
        Chose("N7.3", "Areas in order", tuple("ABCDEF"), ("A",)),
        "Areas in order: [A]; among [A], [B], [C], [D], [E], [F] (N7.3)",
    ),
    (
        Chose("N7.3", "Areas in order", tuple("ABCDEFGH"), ("A",), (Narrowed("near", tuple("ABCDEF")),)),
        "Areas in order: [A]; among 8: near ([A], [B], [C], [D], [E], [F]) (N7.3)",
    ),
    (
        Chose("N7.3", "Areas in order", tuple("ABCDEFGH"), ("A",), (Narrowed("near", tuple("ABCDEFG")),)),
        "Areas in order: [A]; among 8: near (7 left) (N7.3)",
    ),
    (
        Chose(
            "N7.5",
            "Destination of [SUPPORT] from",
            ("BO", "CI", "MA", "ML", "NG", "PH", "WI"),
            ("WI",),
            (Narrowed("the fewest there", ("ML", "WI")), Narrowed("by the die", ("WI",))),
            (9,),
            "SI",
        ),
        "Destination of [SUPPORT] from [SI]: [WI]; among 7: the fewest there ([ML], [WI]), by the die (N7.5)",
    ),
    (
        Chose(
            "N7.5",
            "Ships for [HOLD]",
            (KAGA, SORYU),
            (SORYU, KAGA),
            (Narrowed("drawn", (SORYU, KAGA)),),
            (2, 1),
        ),
        "Ships for [HOLD]: [42-ja-soryu], [42-ja-kaga] (N7.5)",
    ),
    (LengthIs(-1, "a battle turn is over"), "This battle turn is over: no battle turns left"),
    (
        Chose("N10.12", "Aircraft lost", (KAGA, SORYU), (KAGA,), (Narrowed("by id", (KAGA,)),)),
        "Aircraft lost: [42-ja-kaga]; among [42-ja-kaga], [42-ja-soryu]: by the fixed order of N0.5 (N10.12)",
    ),
    (
        Chose(
            "N7.3",
            "Areas in order",
            ("CI", "WI"),
            ("CI", "WI"),
            (Narrowed("the fewest forces first, ties by id: Caroline Islands, Wake Island", ("CI", "WI")),),
        ),
        (
            "Areas in order: [CI], [WI]; the fewest forces first, "
            "ties by the fixed order of N0.5: Caroline Islands, Wake Island (N7.3)"
        ),
    ),
    (
        Chose(
            "N10.5",
            "Area for",
            ("JO", "CO"),
            ("JO",),
            (Narrowed("by the die", ("IS",)), Narrowed("the next lower that is legal", ("JO",))),
            (4,),
            "bombers:LBA",
        ),
        (
            "Area for [bombers:LBA]: [JO]; among [JO], [CO]: by the die ([IS]), "
            "where it may not fly: the next area downward where it may (N10.5)"
        ),
    ),
    (Destroyed(KAGA, "Dogfight"), "[42-ja-kaga] is destroyed in a dogfight"),
    (Destroyed(KAGA, "Infantry"), "[42-ja-kaga] is destroyed by infantry"),
    (Destroyed(KAGA, "lack of a deck"), "[42-ja-kaga] is lost for want of a deck to land on"),
    (Destroyed(KAGA, "its dive"), "[42-ja-kaga] is destroyed by its dive"),
    (LengthIs(1, "rolled 2"), "1 battle turn left: rolled 2"),
    (AirfieldsAre(0, 1, "hit by Infantry"), "1 airfield left to the [US]: hit by infantry"),
    (
        PlanUsed("us.charge", "attacks once more", FLETCHER),
        "[us.charge] for [42-us-desron-1]: attacks once more",
    ),
    (
        CampaignEnded(1942, 1, "Replaced", "N17.2", "1 objective, too few"),
        "The campaign of 1942 ends at the level Replaced, with 1 objective: too few (N17.2)",
    ),
    (
        CampaignEnded(1942, 5, "Historical", "N18.2", "5 objectives"),
        "The campaign of 1942 ends at the level Historical, with 5 objectives (N18.2)",
    ),
    (Chose("N10.5", "Area for", (), (), about="bombers:LBA"), "Area for [bombers:LBA]: none (N10.5)"),
    (
        CampaignSetUp(1945, 1, False, {0: 0}, {KAGA: Force("JA"), SORYU: Force("JA")}),
        "The campaign of 1945 is set up, 4 turns, 2 forces",
    ),
    (TurnBegan(1), "Turn 1, Jan-Feb, begins"),
    (TurnBegan(6), "Turn 6, Nov-Dec, begins"),
    (Bought(FLETCHER, "WC", -1), "[42-us-desron-1] is bought and comes to the [WC]"),
    (Repaired(FLETCHER), "[42-us-desron-1] is repaired"),
    (ForceMoved(FLETCHER, "HI", "SI", aboard=False), "[42-us-desron-1] goes from the [HI] to the [SI]"),
    (ScoutPlaced("ML", 1), "A scout goes to the [ML]"),
    (ScoutPlaced("ML", 2), "A scout goes to the [ML], 2 in all"),
    (ScoutSpent("ML", 1, lost=False), "The scout in the [ML] reports"),
    (ScoutSpent("ML", 0, lost=True), "The scout in the [ML] is lost: nothing can be ordered"),
    (BattlesFound(("NG", "SI")), "There are battles in [NG], the [SI]"),
    (BattlesFound(()), "There are no battles"),
    (Landed(("us-bn-01", "us-bn-02"), "GI"), "[us-bn-01], [us-bn-02] land in the [GI] unopposed"),
    (InPort((FLETCHER, "42-us-hornet"), "P1"), "[42-us-desron-1], [42-us-hornet] return to [P1]"),
    (OutOfSupply("NC", (), ("us-bn-01",)), "Out of supply in [NC]: [us-bn-01] destroyed"),
    (
        OutOfSupply("NC", ("us-bn-02",), ("us-bn-01",)),
        "Out of supply in [NC]: [us-bn-02] damaged; [us-bn-01] destroyed",
    ),
    (ObjectivesHeld(2, ("HI",)), "At the end of turn 2 the US hold 1 objective: the [HI]"),
    (ObjectivesHeld(3, ()), "At the end of turn 3 the US hold no objectives"),
    (WarEnded(35, "Historical"), "The linked war ends at the level Historical, with 35 objectives in all"),
    (CounterIs(4, "+4 for [HOLD]"), "The Japanese resupply counter stands at 4: +4 for [HOLD]"),
    (NotPerformed("CI", "EAST", "nobody"), "[EAST] cannot be performed in the [CI]: nobody"),
    (AutoHeld("NG"), "In [NG], an objective, the first order is an automatic HOLD"),
    (OrderDone("PH", "HOLD", stayed=(KAGA,)), "[HOLD] in the [PH]: [42-ja-kaga] holds"),
    (OrderDone("PH", "HOLD", stayed=(KAGA, SORYU)), "[HOLD] in the [PH]: [42-ja-kaga], [42-ja-soryu] hold"),
    (
        OrderDone("PH", "SOUTH", went=(KAGA, SORYU), to="BO", to_japan=("42-ja-8-sentai", "42-ja-junyo")),
        (
            "[SOUTH] in the [PH]: [42-ja-kaga], [42-ja-soryu] go to [BO]; "
            "[42-ja-8-sentai], [42-ja-junyo] go to [JA]"
        ),
    ),
    (
        BattalionsCame(("ja-bn-06", "ja-bn-07"), "JA", aboard=False, arrived=False, why="missing"),
        "[ja-bn-06], [ja-bn-07] come to [JA]: missing",
    ),
    (Returned(KAGA, "SHIP", "for repair"), "[42-ja-kaga] returns to the [JA_RE_SHIP], for repair"),
    (Returned(KAGA, "INF", ""), "[42-ja-kaga] returns to the [JA_RE_INF]"),
    (BattalionBack("ja-bn-06", "for repair"), "[ja-bn-06] goes back to the [JA_BN], for repair"),
    (Reinforced(KAGA, "SHIP"), "[42-ja-kaga] appears in [JA]"),
    (BattleBegan("SI", 0), "The battle of the [SI] begins"),
    (
        ShipsPlaced((KAGA, SORYU), "JO", "nothing to cover"),
        "[42-ja-kaga], [42-ja-soryu] are placed in the [JO]: nothing to cover",
    ),
    (IslandOccupied(0, (), (), (), 0), "At the island the [US] has no airfields"),
    (
        IslandOccupied(1, ("ja-bn-01",), ("ja-bn-02",), ("42-ja-8-sentai",), 1),
        "At the island [JA] has 1 airfield; [ja-bn-01] in foxholes; [ja-bn-02] on transports",
    ),
    (FlightsReady(KAGA, ("a", "b", "c")), "[42-ja-kaga] has 3 aircraft ready"),
    (
        CupFilled(("ja.duration", "ja.artillery"), (), 1),
        "2 Japanese plans in the cup; 1 of them in force each battle turn",
    ),
    (PointsAre(3, 0, "free"), "3 battle plan points: free"),
    (PlanBought("us.aaa", 1), "The US buy [us.aaa]: 1 battle plan point left"),
    (BattleTurnBegan(2), "Battle turn 2 begins"),
    (
        PlanDrawn("ja.duration", aside=True, of=1),
        "Japan draws [ja.duration], 1 of 1 counter in the cup, and sets it aside: its kind was drawn before",
    ),
    (
        PlansInOrder(("ja.battalion", "ja.first_light")),
        "The plans take effect in this order: [ja.battalion], [ja.first_light]",
    ),
    (PlanVoid("ja.kamikaze", "is void"), "[ja.kamikaze] is void"),
    (Screening(waits=True), "[ja.screening_ship] stands by the carriers"),
    (Screening(waits=False), "[ja.screening_ship] takes the hit on the carrier"),
    (BattalionDug("ja-bn-01"), "[ja-bn-01] appears in a foxhole"),
    (BattleEnded("SI", "its time is up", ()), "The battle of the [SI] ends: its time is up"),
]


@pytest.mark.parametrize(("fact", "sentence"), SENTENCES, ids=lambda value: type(value).__name__)
def test_n22_a_fact_says_what_happened(fact: Fact, sentence: str) -> None:
    assert sentence == fact.words()


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("Dogfight", "N10.6"),
        ("Bomb runs", "N10.8"),
        ("Torpedoes", "N10.9"),
        ("Depth charges", "N10.9"),
        ("Naval guns", "N10.9"),
        ("Infantry", "N10.10"),
    ],
)
def test_n22_an_attack_is_said_to_be_rolled_by_the_rule_that_asks_for_it(kind: str, rule: str) -> None:
    roll = Rolled(0, "N0.8", kind, 0, 10, (2,), "3 or less hits", KAGA)

    said = NIMITZ.words(roll)

    assert f"The [side:0] rolled 1d10, {kind} ([42-ja-kaga]): 2, 3 or less hits: 1 hit ({rule})" == said


@pytest.mark.parametrize(
    ("decision", "sentence"),
    [
        (GiveSupply(), "give the other commander 1 supply point"),
        (GiveSupply(2), "give the other commander 2 supply points"),
        (MoveForce(FLETCHER, "SI"), "move [42-us-desron-1] to [SI]"),
        (MoveForce("42-us-sub-gp-1", "RAID"), "send [42-us-sub-gp-1] to raid the sea lanes"),
        (MoveForce("45-us-20th-af", "SB"), "send [45-us-20th-af] to bomb Japan"),
        (PickBombed("LBA"), "bomb [LBA] in Japan"),
        (UsePlan("us.aaa"), "use [us.aaa]"),
        (UsePlan("us.charge", "us-bn-01"), "use [us.charge] for [us-bn-01]"),
        (AllocateHit("airfield"), "let [airfield] take the hit"),
        (AdjustLength(1), "make the battle a turn longer"),
        (AdjustLength(-1), "make the battle a turn shorter"),
        (Purchase(FLETCHER), "buy [42-us-desron-1]"),
        (Repair(FLETCHER), "repair [42-us-desron-1]"),
        (DoneResupply(), "end the resupply"),
        (PlaceScout("ML"), "scout [ML]"),
        (DoneScouting(), "end the scouting"),
        (ReserveForInvasion(FLETCHER), "reserve [42-us-desron-1] for the invasion of Japan"),
        (DoneReserving(), "reserve no more for the invasion"),
        (LendForce(FLETCHER), "lend [42-us-desron-1] to the other commander"),
        (DoneMoving(), "end the movement"),
        (ChooseBattle("SI"), "fight the battle of [SI]"),
        (PlaceShip(FLETCHER, "CO"), "place [42-us-desron-1] in [CO]"),
        (PlaceSub("42-us-sub-gp-1", "JO"), "place [42-us-sub-gp-1] in [JO]"),
        (BuyPoints(), "pay a supply point for three battle plan points"),
        (BuyPlan("us.aaa"), "buy [us.aaa]"),
        (DonePlans(), "buy no more plans"),
        (RollFirstLight(), "try to attack at first light"),
        (PassFirstLight(), "keep First Light for later"),
        (PickCarrier("42-us-hornet"), "attack at first light from [42-us-hornet]"),
        (SendAircraft("42-us-mag-13", "JO"), "send [42-us-mag-13] to [JO]"),
        (DoneAir(), "send no more aircraft"),
        (PassPlan(), "use no plan"),
        (CancelHit("us.seabees"), "cancel the hit by [us.seabees]"),
        (TakeHit(), "let the hit fall"),
        (LoseAircraft("42-us-mag-13"), "lose [42-us-mag-13]"),
        (JaNextArea("CI"), "give orders in [CI] next"),
        (JaDestination("MA"), "send the order to [MA]"),
        (JaPickUnit(KAGA), "let [42-ja-kaga] carry out the order"),
        (JaEscort("42-ja-tone-chikuma"), "let [42-ja-tone-chikuma] escort the carriers"),
        (JaPlanOrder("ja.battalion"), "let [ja.battalion] take effect first"),
        (JaFirstLightCarrier(KAGA), "attack at first light from [42-ja-kaga]"),
        (JaSendGroup("bombers:LBA", "IS"), "send [bombers:LBA] to [IS]"),
        (JaLoseAircraft("42-ja-8-sentai"), "lose [42-ja-8-sentai]"),
        (JaKeepForce("42-ja-2nd-inf"), "let [42-ja-2nd-inf] stay"),
        (JaByRule(), "leave it to the automated rules"),
    ],
)
def test_n22_a_decision_says_what_is_done(decision: Decision, sentence: str) -> None:
    assert sentence == decision.words()


def test_n22_neither_an_event_nor_a_decision_nor_a_chart_is_ever_changed() -> None:
    charts = [kind for kind in vars(rows).values() if isinstance(kind, type) and issubclass(kind, Struct)]
    kinds: list[type[Struct]] = [*NIMITZ.facts, *NIMITZ.decisions, Narrowed, *charts]

    assert {rows.Counter, rows.Span} <= {*charts}
    assert [] == [kind for kind in kinds if kind is not Struct and not kind.__struct_config__.frozen]


def test_n22_every_kind_of_fact_happens_and_has_words_whose_ids_have_names() -> None:
    missing = {*FACTS} - RARE
    for seed in range(60):
        random, play = Random(seed), Play(NIMITZ, *SET_UPS[seed % len(SET_UPS)], seed)
        while missing and not play.over:
            play.decide(*choose(play, random, 0.95))
        facts = [fact for _, fact in play.log]
        missing -= {type(fact) for fact in facts}

        assert set() == nameless(facts)

    assert set() == missing


RARE: set[type[Fact]] = {PlansInOrder, WarEnded, Landed}
SET_UPS: list[tuple[str, dict[str, int]]] = [
    (year, {"mode": mode}) for year in ("1945", "1944", "1943", "1942") for mode in (1, 2, 3)
]


def test_n20_1_every_choice_of_the_automated_side_says_its_rule_and_holds_its_choice() -> None:
    random, play = Random(5), Play(NIMITZ, "1943", {"mode": 1}, 5)
    while not play.over:
        play.decide(*choose(play, random, 0.95))

    chosen = [fact for _, fact in play.log if isinstance(fact, Chose)]
    assert len(chosen) > 50
    for fact in chosen:
        assert set(fact.chosen) <= set(fact.candidates)
        assert fact.rule.startswith("N")
        assert len(fact.chosen) == len(fact.candidates) or fact.steps
        if set(fact.chosen) == set(fact.candidates):
            told = findall(r"\[([^\]]*)\]", fact.words())
            assert len(told) == len(set(told)), "all that there are, told twice"
        if fact.steps and fact.question != "Area for":
            assert set(fact.chosen) <= set(fact.steps[-1].left)


def test_the_view_is_complete_and_says_what_the_table_says() -> None:
    shown = table(NIMITZ, begun(1942).open)

    assert ("Jan-Feb 1942", 2, "US resupply", {"0": 21}) == (
        shown["date"],
        shown["step"],
        shown["step_name"],
        shown["supply"],
    )
    assert {"place": "JA"} == shown["forces"][KAGA]
    assert ("Kaga", "CV", 1) == tuple(shown["counters"][KAGA][key] for key in ("name", "type", "value"))
    assert 6 == shown["result"]
    assert "Historical" == shown["result_level"]
    assert set(shown["forces"]) <= set(shown["counters"])
    assert {"orders", "us_plans", "ja_plans", "reinforcements", "evaluation", "invasion"} <= set(
        shown["charts"]
    )


def test_the_view_shows_the_battle_board() -> None:
    board = battle("SI", ["enterprise", "25th-inf~", "mag-13"], ["kaga", "55th-inf"])
    shown = table(NIMITZ, board.open)["battle"]

    assert {"42-us-enterprise": "UO", KAGA: "JO"} == shown["ships"]
    assert {"US": ["42-us-25th-inf"], "JA": []} == shown["transports"]
    assert {"US": 1, "JA": 0} == shown["airfields"]
    assert {"home": "42-us-enterprise"} == shown["planes"]["42-us-enterprise:1F4F"]
    assert (22, ["42-ja-55th-inf"]) == (shown["cup"], shown["foxhole"])


def test_the_view_says_what_is_marked_on_a_force_and_on_an_aircraft() -> None:
    board = battle("SI", ["enterprise", "mag-13"], ["kaga", "55th-inf"], elsewhere={"RAID": ["sub-gp-1"]})
    assert {"place": "SI"} == table(NIMITZ, board.open)["forces"][KAGA]
    board.open.forces[KAGA] = Force("SI", damaged=True, aboard=True, moved=True, arrived=True, seat=0)
    assert board.open.battle is not None
    board.open.battle.planes["42-us-mag-13"] = Plane(at="CO", damaged=True, flown=True, dived=True)
    board.open.turn, board.open.step, board.open.mode = 6, 11, 3

    shown = table(NIMITZ, board.open)
    marks = {"damaged": True, "aboard": True, "moved": True, "arrived": True, "seat": 0}
    assert {"place": "SI", **marks} == shown["forces"][KAGA]
    marks = {"damaged": True, "flown": True, "dived": True}
    assert {"at": "CO", **marks} == shown["battle"]["planes"]["42-us-mag-13"]
    assert ("Nov-Dec 1942", "US defeat check", "c", 1) == (
        shown["date"],
        shown["step_name"],
        shown["mode"],
        shown["raids"],
    )
    assert {} == table(NIMITZ, Open())


def test_the_view_of_1945_counts_what_is_reserved_for_the_invasion() -> None:
    marines = [f"{n}-marine" for n in ("1st", "2nd", "3rd")]
    board = given({"HI": ["us-bn-01"], "INV": marines}, {}, year=1945, mode=2)

    shown = table(NIMITZ, board.open)
    assert sum(COUNTERS[f"45-us-{name}"].buy for name in marines) == shown["invasion"]
    assert ("b", 4, 1) == (shown["mode"], shown["turns"], shown["result"])
    assert "invasion" not in table(NIMITZ, begun(1942).open)


def test_what_is_printed_is_never_sent_again() -> None:
    board = begun()
    before = table(NIMITZ, board.open)
    seat, prompt = next(iter(board.table.prompts.items()))
    board.table.decide(seat, prompt.options[0])
    after = table(NIMITZ, board.open)

    change = patch(before, after)
    assert {"forces", "supply"} == set(change)
    assert after == patched(before, change)


def test_a_view_stays_as_it_was_when_the_table_goes_on() -> None:
    random, play, views = Random(3), Play(NIMITZ, "1944", {"mode": 1}, 3), Views(NIMITZ)
    kept: list[tuple[View[Part], bytes]] = []
    while not play.over:
        shown = views.of(play.state)[Audience.ONLOOKERS]
        kept.append((shown, json.encode(shown)))
        play.decide(*choose(play, random, 0.95))

    assert all(json.encode(shown) == before for shown, before in kept)


def test_every_id_has_a_name() -> None:
    ids = {"US", "JA", "side:1", "SI", "JO", "JA_RE_SHIP", "us.furball", "ja.kamikaze", "HOLD", "bombers:LBA"}
    ids |= {
        "SHIP",
        "INF",
        "LBA",
        "bombers:42-ja-kaga",
        "42-us-hornet:2SBD",
        "ja-bn-01",
        "airfield",
        "transport",
        *COUNTERS,
    }

    assert set() == ids - set(NIMITZ.names)
    assert "SBD 2 of Hornet" == NIMITZ.names["42-us-hornet:2SBD"]
    assert SORYU in NIMITZ.names


def test_n22_no_name_stands_for_forces_of_both_sides() -> None:
    called = [
        {NIMITZ.names[name] for name in COUNTERS if COUNTERS[name].side == side} for side in ("US", "JA")
    ]

    assert set() == called[0] & called[1]
    assert ("US 41st Inf", "Japanese 41st Inf") == (
        NIMITZ.names["44-us-41st-inf"],
        NIMITZ.names["44-ja-41st-inf"],
    )
