"""What readers are told: each fact as a sentence, why Japan chose, and the table as plain JSON."""

from random import Random
from re import findall

import pytest
from msgspec import Struct

from domain.kernel.facts import Fact
from domain.kernel.frames import Decision
from domain.kernel.views import patch, patched
from domain.nimitz import NIMITZ, rows
from domain.nimitz.automaton import Chose, Narrowed
from domain.nimitz.blows import (
    BLOWS,
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
from domain.nimitz.decisions import AdjustLength, AllocateHit, GiveSupply, MoveForce, PickBombed, UsePlan
from domain.nimitz.facts import (
    FACTS,
    CampaignEnded,
    ForceMoved,
    InPort,
    Landed,
    Lent,
    OutOfSupply,
    Reserved,
    StepBegan,
    SupplyIs,
    WarEnded,
)
from domain.nimitz.happenings import HAPPENINGS, LengthIs, PlanDrawn, PlansInOrder, PlanUsed, ShipsPlaced
from domain.nimitz.marches import MARCHES, BattalionsCame, HeldBack, OrderDone, Ordered
from domain.nimitz.view import view
from tests.fuzz.matches import Play, choose
from tests.nimitz.board import battle, begun
from tests.nimitz.invariants import nameless

KAGA, SORYU, FLETCHER = "42-ja-kaga", "42-ja-soryu", "42-us-desron-1"

SENTENCES: list[tuple[Fact, str]] = [
    (SupplyIs(0, -5, 16, "for a purchase"), "[seat:0] has 16 SP, -5 for a purchase"),
    (
        ForceMoved("42-us-25th-inf", "HI", "SI", aboard=True),
        "[42-us-25th-inf] goes from [HI] to [SI] on transports",
    ),
    (Lent(FLETCHER, 1), "[42-us-desron-1] is lent to [seat:1]"),
    (Landed(("us-bn-01",), "GI"), "[us-bn-01] lands in [GI] unopposed"),
    (InPort((FLETCHER,), "P1"), "[42-us-desron-1] returns to [P1]"),
    (OutOfSupply("NC", ("us-bn-01",), ()), "[NC] is out of supply: [us-bn-01] damaged"),
    (HeldBack((KAGA,), "SI", "alone there", "N5.1"), "[42-ja-kaga] in [SI] may not move: alone there (N5.1)"),
    (Ordered("CI", "SOUTH", "rolled 12"), "[CI] tries [SOUTH]: rolled 12"),
    (
        OrderDone("PH", "SOUTH", went=(KAGA,), to="BO", to_japan=("42-ja-24-sentai",)),
        "[SOUTH] in [PH]: [42-ja-kaga] goes to [BO]; [42-ja-24-sentai] goes to [JA]",
    ),
    (
        BattalionsCame(("ja-bn-06",), "SI", aboard=True, arrived=True, why="for infantry that did not come"),
        "[ja-bn-06] comes to [SI] on transports: for infantry that did not come",
    ),
    (ShipsPlaced((KAGA,), "JO"), "[42-ja-kaga] is placed in [JO]"),
    (
        PlanDrawn("ja.duration", aside=False, of=22),
        "Japan draws [ja.duration], 1 of 22 counters in the cup",
    ),
    (PlanUsed("us.furball", "one hit more"), "[us.furball]: one hit more"),
    (AirborneOver(("42-us-mag-13",), "JO"), "[42-us-mag-13] flies to [JO]"),
    (Dived("42-ja-8-sentai"), "[42-ja-8-sentai] dives into the enemy: one hit more"),
    (CombatBegan("Dogfight", "UO"), "Dogfight in [UO]"),
    (Grounded(("42-us-mag-13",), flown=True), "[42-us-mag-13] will not fly again this turn"),
    (Grounded(("42-us-mag-13", "42-us-mag-21")), "[42-us-mag-13], [42-us-mag-21] return"),
    (Rehomed("42-us-hornet:2SBD", "42-us-wasp"), "[42-us-hornet:2SBD] lands on [42-us-wasp]"),
    (Advanced(0, ("us-bn-01",), ()), "[us-bn-01] digs in"),
    (
        Advanced(0, ("us-bn-01", "us-bn-02"), ("42-us-25th-inf",)),
        "[us-bn-01], [us-bn-02] dig in; [42-us-25th-inf] reaches the beach",
    ),
    (AirfieldsAre(1, 2, "hit by Bomb runs"), "[JA] has 2 airfields left: hit by Bomb runs"),
    (Damaged(KAGA, "AAA"), "[42-ja-kaga] is damaged by AAA"),
    (Destroyed(KAGA, "Bomb runs"), "[42-ja-kaga] is destroyed by Bomb runs"),
    (GroupLost("42-us-mag-13", 0), "[42-us-mag-13] has lost its airfield and goes back to [US_RE]"),
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
        "Ships for [HOLD]: [42-ja-soryu], [42-ja-kaga]; all there are (N7.5)",
    ),
    (LengthIs(-1, "a battle turn is over"), "no battle turns left: a battle turn is over"),
    (LengthIs(1, "rolled 2"), "1 battle turn left: rolled 2"),
    (AirfieldsAre(0, 1, "hit by Infantry"), "[US] has 1 airfield left: hit by Infantry"),
    (
        PlanUsed("us.charge", "attacks once more", FLETCHER),
        "[us.charge] for [42-us-desron-1]: attacks once more",
    ),
    (
        CampaignEnded(1942, 1, "Replaced", "N17.2", "1 objective, too few"),
        "The campaign of 1942 ends Replaced with 1 objective: too few (N17.2)",
    ),
    (
        CampaignEnded(1942, 5, "Historical", "N18.2", "5 objectives"),
        "The campaign of 1942 ends Historical with 5 objectives (N18.2)",
    ),
    (Chose("N10.5", "Area for", (), (), about="bombers:LBA"), "Area for [bombers:LBA]: none (N10.5)"),
]


@pytest.mark.parametrize(("fact", "sentence"), SENTENCES, ids=lambda value: type(value).__name__)
def test_n22_a_fact_says_what_happened(fact: Fact, sentence: str) -> None:
    assert sentence == fact.words()


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
    missing = {*FACTS, *MARCHES, *HAPPENINGS, *BLOWS} - RARE
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
    shown = view(begun(1942).open, None)

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
    shown = view(board.open, None)["battle"]

    assert {"42-us-enterprise": "UO", KAGA: "JO"} == shown["ships"]
    assert {"US": ["42-us-25th-inf"], "JA": []} == shown["transports"]
    assert {"US": 1, "JA": 0} == shown["airfields"]
    assert {"home": "42-us-enterprise"} == shown["planes"]["42-us-enterprise:1F4F"]
    assert (22, ["42-ja-55th-inf"]) == (shown["cup"], shown["foxhole"])


def test_what_is_printed_is_never_sent_again() -> None:
    board = begun()
    before = view(board.open, None)
    seat, prompt = next(iter(board.table.prompts.items()))
    board.table.decide(seat, prompt.options[0])
    after = view(board.open, None)

    change = patch(before, after)
    assert {"forces", "supply"} == set(change)
    assert after == patched(before, change)


def test_a_view_stays_as_it_was_when_the_table_goes_on() -> None:
    random, play = Random(3), Play(NIMITZ, "1944", {"mode": 1}, 3)
    kept: list[tuple[dict[str, object], bytes]] = []
    while not play.over:
        shown = view(play.table.open, None)
        kept.append((shown, NIMITZ.encode(shown)))
        play.decide(*choose(play, random, 0.95))

    assert all(NIMITZ.encode(shown) == before for shown, before in kept[::10])


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
