"""What readers are told: each fact as a sentence, and the table as plain JSON."""

from random import Random
from re import findall, search
from typing import Any

import pytest

from domain.coral_sea import CORAL_SEA, FACTS, reactions
from domain.coral_sea.charts import AREAS
from domain.coral_sea.decisions import (
    DiscardForRp,
    Pass,
    PickUnit,
    PlaceRp,
    PlayChit,
    PlayReaction,
    StartGroundMove,
    StartNavalMove,
    StepTo,
    Stop,
)
from domain.coral_sea.facts import (
    CardActionBegan,
    CardPlayed,
    HandHas,
    ModesRevealed,
    OperationOpened,
    OperationWon,
    SequenceBegan,
    SupplyLeft,
    WindowClosed,
    WindowOpened,
)
from domain.coral_sea.fighting import BattleBegan, BattleEnded, CheckRolled, ChitShown
from domain.coral_sea.happenings import (
    StackUnderWay,
    UnitDepleted,
    UnitDestroyed,
    UnitDisorganised,
    UnitLeft,
    UnitsMoved,
)
from domain.coral_sea.places import AirfieldSet, HiddenStackSeen, RpHas
from domain.coral_sea.secrets import (
    CardDiscarded,
    CardDrawn,
    HandSeen,
    HiddenOrder,
    HiddenStackUnderWay,
    HiddenUnits,
    ModeHeld,
    StandingPasses,
)
from domain.coral_sea.sequence import CardAction, CoralSea, Sequence
from domain.coral_sea.table import MAP, Move, Unit, pile
from domain.coral_sea.view import WINDOWS
from domain.kernel.audience import Audience
from domain.kernel.dice import seeded
from domain.kernel.facts import Decided, Fact, Paused, evolve
from tests.coral_sea.board import AL, JP, Board, action, given, of, operation, sail
from tests.kernel.playing import Playing, any_choice
from tests.seen import view

SENTENCES: list[tuple[Fact, str]] = [
    (SequenceBegan(3, JP), "Sequence 3 begins: [japan] has the initiative"),
    (ModesRevealed(("card", "map")), "[japan] chose Card and the [allied] chose Map"),
    (
        OperationWon(AL, (5, 6)),
        "the [allied] conduct the operation: the total of [japan] is 5, that of the [allied] 6",
    ),
    (
        OperationWon(JP, (6, 6)),
        "[japan] conducts the operation: both totals are 6, and the initiative breaks the tie",
    ),
    (HandHas(JP, 1, 20, 2), "[japan] holds 1 card; 20 cards left to draw, 2 discarded"),
    (CardPlayed(AL, "A03", permanent=True), "the [allied] play [A03]"),
    (OperationOpened(AL, "noumea", 6), "the [allied] open an operation at [noumea] with 6 supply points"),
    (SupplyLeft(1, "stacking"), "Supply for stacking: 1 point left"),
    (UnitsMoved(("a_30",), "abau", "lae", "march"), "[a_30] marches from [abau] to [lae]"),
    (UnitsMoved(("a_30", "a_7"), "abau", "lae"), "[a_30], [a_7] move from [abau] to [lae]"),
    (UnitDestroyed("j_shokaku", JP, "lost", 3), "[j_shokaku] is lost: 3 points for the [allied]"),
    (
        UnitDestroyed("a_30", AL, "destroyed", 1, "with a ship (C10.11)"),
        "[a_30] is destroyed with a ship (C10.11): 1 point for [japan]",
    ),
    (UnitDepleted("a_30"), "[a_30] is depleted (C4.3)"),
    (UnitDisorganised("a_30"), "[a_30] is disorganised (C4.3)"),
    (UnitDisorganised("a_30", "by [J18] (C12.11)"), "[a_30] is disorganised by [J18] (C12.11)"),
    (UnitLeft("j_shoho", "withdrawn"), "[j_shoho] leaves the map"),
    (RpHas(JP, "rabaul", 1, "new"), "[japan] has 1 resource point at [rabaul] (new)"),
    (AirfieldSet("buna", AL, 2, captured=True), "the [allied] capture the airfield at [buna]"),
    (HiddenStackSeen(JP, "rabaul", "rp", 3), "[japan] has 3 counters at [rabaul], on top [rp]"),
    (HiddenStackSeen(JP, "rabaul", "", 0), "Nothing of [japan] is left at [rabaul]"),
    (
        BattleBegan("buna", AL, "ground", "kokoda", (("j_144",), ("a_30",)), ("j_144",)),
        "[a_30] attacks [j_144] at [buna]; isolated: [j_144]",
    ),
    (ChitShown(JP, "j_n_long_lance", "of no use now"), "[japan] sets [j_n_long_lance] aside: of no use now"),
    (CheckRolled("a_30", 5, 2, 6, passed=False), "[a_30] fails: 7 against cohesion 6"),
    (
        CheckRolled("a_30", 5, 0, 6, passed=True, rerolled=True),
        "[a_30] holds the second roll: 5 against cohesion 6",
    ),
    (BattleEnded("buna", ((), ())), "The battle at [buna] is over: nobody is left"),
    (CardDrawn(AL, "A01"), "the [allied] draw [A01]"),
    (ModeHeld(JP, "map"), "The choice of [japan], kept secret: Map"),
    (HandSeen(AL, ()), "the [allied] see an empty hand"),
    (CardActionBegan(JP), "[japan] takes a card action"),
    (WindowOpened("op_after_action"), "Cards may be played in reaction: [window:op_after_action] (C6.5)"),
    (WindowClosed(), "No more cards in reaction (C6.5)"),
    (
        StackUnderWay(Move("sail", ("a_tf44",), ("a_7",), 1, "noumea", 4)),
        "[a_tf44] with [a_7] is under way from [noumea]; Range left: 4",
    ),
    (
        HiddenStackUnderWay(AL, Move("march", ("a_30",), (), 0, "lae", 1)),
        "[a_30] is under way from [lae]; Movement left: 1",
    ),
    (HiddenStackUnderWay(AL, Move()), "The move of the [allied] is over"),
    (
        HiddenUnits(
            JP,
            {
                "j_144": Unit(MAP, "rabaul", depleted=True),
                "j_28": Unit(MAP, "lae"),
            },
            "by the jungle (C8.3)",
        ),
        "Hidden units of [japan]: [j_144] at [rabaul], depleted; [j_28] at [lae], by the jungle (C8.3)",
    ),
    (
        HiddenUnits(AL, {"a_30": Unit(), "a_7": Unit(), "a_tf17": Unit(MAP, "noumea", acted=True)}),
        "Hidden units of the [allied]: [a_30], [a_7] not hidden any more; [a_tf17] at [noumea], has acted",
    ),
    (
        HiddenOrder(JP, "rabaul", ("j_144", "rp", "rp", "j_28", "rp")),
        "The stack of [japan] at [rabaul]: [j_144], 2 resource points, [j_28], [rp]",
    ),
    (
        StandingPasses(AL, ("op_open",)),
        "Standing passes of the [allied] until the operation ends: [window:op_open] (C6.9)",
    ),
]


@pytest.mark.parametrize(("fact", "words"), SENTENCES)
def test_c26_1_facts_have_words(fact: Fact, words: str) -> None:
    assert words == fact.words()


def test_every_fact_that_happens_has_words_and_every_id_in_them_a_name() -> None:
    told: set[str] = set()
    for seed, (scenario, dark) in enumerate(
        [("campaign", False), ("fortress", False), ("fortress", True)] * 3
    ):
        chance = Random(seed)
        playing = Playing(CORAL_SEA, scenario, {"limited_intelligence": dark}, seeded(seed))
        while not playing.state.match.over:
            playing.decide(*any_choice(playing.table, chance))
        for _, fact in playing.log:
            if not isinstance(fact, Decided | Paused):
                words = fact.words()
                ids = {i for i in findall(r"\[(.*?)\]", words) if not i.startswith("seat:")}
                assert set() == ids - set(CORAL_SEA.names)
                told.add(type(fact).__name__)
                if isinstance(fact, UnitDepleted | UnitDisorganised | UnitDestroyed | UnitLeft):
                    assert search(r"\(C\d+\.\d+\)", fact.why)

    assert len(FACTS) - 20 < len(told)


def test_the_view_is_complete_in_itself() -> None:
    board = operation(JP, "lae", {"j_144": ("lae", "d"), "a_30": "port_moresby"}, control={"lae": JP})
    table = view(CORAL_SEA, board.table.state, Audience.of(JP))["table"]

    assert set(AREAS) == set(table["areas"])
    lae = table["areas"]["lae"]
    assert ("japan", True, {"printed": True, "works": True}) == (lae["control"], lae["port"], lae["airfield"])
    assert {"finschhafen": "land", "huon_gulf": "coast"}.items() <= lae["next"].items()
    assert (7, 2, 2, True) == tuple(
        table["units"]["j_144"][key] for key in ("cohesion", "move", "tactical", "depleted")
    )
    assert {"japan": {"units": ["j_144"]}} == table["stacks"]["lae"]
    assert ("japan", 6) == (table["operation"]["side"], table["operation"]["sp"])


def test_the_view_of_a_battle() -> None:
    board = operation(JP, "papuan_coast", {"j_crudiv6": "papuan_coast", "a_tf17": "coral_sea_west"})
    sail(board, ["j_crudiv6"], "coral_sea_west")
    board.go(board.offered(PlayChit)[0])
    battle = view(CORAL_SEA, board.table.state, Audience.of(AL))["table"]["battle"]

    assert ("coral_sea_west", "papuan_coast", "japan") == (
        battle["area"],
        battle["origin"],
        battle["attacker"],
    )
    assert {"japan": ["j_crudiv6"], "allied": ["a_tf17"]} == battle["units"]
    assert {"japan": 2, "allied": 3} == battle["chits"]
    assert "japan" == battle["revealed"]["side"]
    assert "passed" in battle["check"]
    mine = view(CORAL_SEA, board.table.state, Audience.of(AL))["table"]["own"]
    assert 3 == len(mine["chits"])
    assert len(board.own(AL).cup) == sum(mine["cup"].values())


def test_c5_1_the_view_says_which_step_of_the_sequence_it_is() -> None:
    choice = given(None, CoralSea(at="sequence"))
    opening = given(None, CoralSea(at="again"), Sequence(at="operation"), dice=[1, 10])
    cards = given(None, CoralSea(at="again"), CardAction(side=JP))
    operating = operation(JP, "papuan_coast", {"j_crudiv6": "papuan_coast", "a_tf17": "coral_sea_west"})
    steps = [
        view(CORAL_SEA, b.table.state, Audience.ONLOOKERS)["table"]["step"]
        for b in (choice, opening, cards, operating)
    ]
    sail(operating, ["j_crudiv6"], "coral_sea_west")
    table = view(CORAL_SEA, operating.table.state, Audience.ONLOOKERS)["table"]

    assert ["choice", "opening", "cards", "operation", "battle"] == [*steps, table["step"]]
    assert {*steps, table["step"]} < {row["step"] for row in table["sequence_of_play"]}


def test_c9_2_the_view_of_a_naval_move_under_way() -> None:
    units = {"a_tf44": "papuan_coast", "a_desron2": "papuan_coast", "a_7": "papuan_coast"}
    board = operation(AL, "papuan_coast", units, rp=({}, {"papuan_coast": 1}))
    board.go(StartNavalMove())
    board.go(PickUnit("a_tf44"))
    picking = moving(board)
    board.go(PickUnit("a_desron2"))
    board.go(StepTo("gulf_of_papua"))

    assert {
        "how": "sail",
        "units": ["a_tf44"],
        "from": "papuan_coast",
        "at": "papuan_coast",
        "left": 6,
    } == picking
    assert {
        "how": "sail",
        "units": ["a_tf44", "a_desron2"],
        "cargo": ["a_7"],
        "rp": 1,
        "from": "papuan_coast",
        "at": "gulf_of_papua",
        "left": 3,
    } == moving(board)
    assert "sail" == view(CORAL_SEA, board.table.state, Audience.ONLOOKERS)["table"]["step"]

    board.go(Stop())

    assert {} == moving(board)


def test_c8_2_the_view_of_a_ground_move_under_way() -> None:
    board = operation(JP, "lae", {"j_144": "lae"}, control={"lae": JP})
    board.go(StartGroundMove("lae"))
    board.go(StepTo("finschhafen"))
    under_way = moving(board)
    board.go(Stop())

    assert ("march", ["j_144"], "lae", "finschhafen", 2) == tuple(
        under_way[key] for key in ("how", "units", "from", "at", "left")
    )
    assert {} == moving(board)


def test_c22_2_a_hidden_move_under_way_is_seen_by_its_side_alone() -> None:
    options = {"limited_intelligence": True}
    board = operation(AL, "papuan_coast", {"a_tf44": "papuan_coast"}, options=options)
    board.go(StartNavalMove())
    board.go(StepTo("gulf_of_papua"))

    assert {} == moving(board, JP) == moving(board, None)
    assert ["a_tf44"] == moving(board, AL)["units"]
    board.go(Stop())

    assert {} == moving(board, AL)


def moving(board: Board, side: int | None = None) -> dict[str, Any]:
    """The move under way as a side sees it."""
    table = view(CORAL_SEA, board.table.state, Audience.of(side))["table"]
    seen: dict[str, Any] = table.get("move") or table.get("own", {}).get("move") or {}
    return seen


def test_c6_5_the_view_says_which_window_is_open() -> None:
    board = operation(JP, "lae", {"j_144": "lae", "a_30": "wau"}, stop=True, options={"always_ask": True})
    table = view(CORAL_SEA, board.table.state, Audience.ONLOOKERS)["table"]
    board.quiet()
    after = view(CORAL_SEA, board.table.state, Audience.ONLOOKERS)["table"]

    assert ("op_open", "C6.5") == (table["window"]["id"], table["window"]["rule"])
    assert "An operation is open, before its first action" == table["window"]["name"]
    assert "window" not in after


def test_c6_5_every_window_has_words() -> None:
    assert set(reactions.WINDOWS) == set(WINDOWS)


def test_c12_9_a_window_inside_another_gives_way_to_it_again() -> None:
    facts = [WindowOpened("battle_start"), WindowOpened("check_failed"), WindowClosed()]
    state = evolve(given(None).table.state, facts)

    assert "battle_start" == view(CORAL_SEA, state, Audience.ONLOOKERS)["table"]["window"]["id"]


def test_the_view_of_fortresses_leaders_and_the_end() -> None:
    board = given(None, scenario="fortress", change={"sieges": {"rabaul": AL}, "points": (7, 9)})
    table = view(CORAL_SEA, board.table.state, Audience.ONLOOKERS)["table"]

    assert {"side": "japan", "factor": 1, "besieger": "allied"} == table["areas"]["rabaul"]["fortress"]
    assert {"name": "Tomitaro Horii", "unit": "j_144"} == table["leaders"]["l_horii"]
    assert {"japan": 7, "allied": 9} == table["count"]


def test_c5_6_c27_a_discard_cannot_be_looked_up_by_its_owner_r6() -> None:
    board = action(AL, {}, hands=((), ("A10", "A24")))
    facts = board.go(DiscardForRp("A24"), PlaceRp("noumea"))
    mine = view(CORAL_SEA, board.table.state, Audience.of(AL))["table"]

    assert {"A10"} == set(mine["own"]["hand"])
    assert (1, "allied") == (mine["tracks"]["allied"]["discards"], mine["own"]["side"])
    assert "A24" not in CORAL_SEA.encode(mine).decode()
    assert ["the [allied] discard a card, face down"] == [fact.words() for fact in of(facts, CardDiscarded)]
    assert "A24" not in pile(board.table.state, AL), "it is never drawn again"


def test_c21_1_c27_the_look_at_a_hand_is_told_once_and_is_in_no_view_r100() -> None:
    board = operation(JP, "rabaul", {"j_144": "rabaul"}, stop=True, hands=(("J07", "J24"), ("A24",)))
    board._take(JP, Pass())
    facts = board.go(PlayReaction("A24"))

    assert [HandSeen(AL, ("J07", "J24"))] == of(facts, HandSeen)
    for side in (JP, AL, None):
        table = view(CORAL_SEA, board.table.state, Audience.of(side))["table"]
        assert (side == JP) == ("J24" in CORAL_SEA.encode(table).decode())


@pytest.mark.parametrize(
    ("hands", "discards"),
    [
        ((["J07"], ["A10"]), ([], [])),
        (([], ["A10"]), ([], [])),
        ((["J07"], []), ([], [])),
        (([], []), (["J07"], ["A10"])),
        (([], []), ([], ["A10"])),
        (([], []), (["J07"], [])),
    ],
)
def test_c27_the_view_says_whose_screen_it_is_r6(hands: Any, discards: Any) -> None:
    """With an empty hand, too, though the discards are not shown."""
    board = given({}, CoralSea(at="sequence"), hands=hands)
    for side in (JP, AL):
        board.own(side).discards.extend(discards[side])
        board.table.open.discards[side] = len(discards[side])
    screens = [view(CORAL_SEA, board.table.state, Audience.of(side))["table"]["own"] for side in (JP, AL)]

    assert ["japan", "allied"] == [screen["side"] for screen in screens]
    assert [] == [screen for screen in screens if {"discards", "seen"} & set(screen)]


def test_c27_the_view_of_a_side_and_of_onlookers() -> None:
    board = given(None, hands=(("J07",), ("A10",)))
    mine = view(CORAL_SEA, board.table.state, Audience.of(JP))["table"]
    onlookers = view(CORAL_SEA, board.table.state, Audience.ONLOOKERS)["table"]

    assert {"J07"} == set(mine["own"]["hand"])
    assert "Place 2 resource points at Rabaul." == mine["own"]["hand"]["J07"]["text"]
    assert "own" not in onlookers
    assert (1, 1) == tuple(onlookers["tracks"][side]["hand"] for side in ("japan", "allied"))
    assert "null" not in CORAL_SEA.encode(mine).decode()
