"""What readers are told: each fact as a sentence, and the table as plain JSON."""

from random import Random
from re import findall

import pytest

from domain.coral_sea import CORAL_SEA, FACTS
from domain.coral_sea.charts import AREAS
from domain.coral_sea.decisions import PlayChit
from domain.coral_sea.facts import (
    CardPlayed,
    HandHas,
    ModesRevealed,
    OperationOpened,
    OperationWon,
    SequenceBegan,
    SupplyLeft,
)
from domain.coral_sea.fighting import BattleBegan, BattleEnded, CheckRolled, ChitShown
from domain.coral_sea.happenings import UnitDestroyed, UnitsMoved
from domain.coral_sea.places import AirfieldSet, HiddenStackSeen, RpHas
from domain.coral_sea.secrets import CardDrawn, HandSeen, ModeHeld
from domain.coral_sea.sequence import CoralSea
from domain.kernel.dice import seeded
from domain.kernel.facts import Decided, Fact, Paused
from domain.kernel.views import view
from tests.coral_sea.board import AL, JP, given, operation, sail
from tests.kernel.playing import Playing, any_choice

SENTENCES: list[tuple[Fact, str]] = [
    (SequenceBegan(3, JP), "Sequence 3 begins: [japan] has the initiative"),
    (ModesRevealed(("card", "map")), "[japan] chose Card, [allied] chose Map"),
    (OperationWon(AL, (5, 6)), "[allied] gets the operation, by 5 for [japan] and 6 for [allied]"),
    (HandHas(JP, 1, 20, 2), "[japan] holds 1 card; 20 cards left to draw, 2 discarded"),
    (CardPlayed(AL, "A03", permanent=True), "[allied] plays [A03]"),
    (OperationOpened(AL, "noumea", 6), "[allied] opens an operation at [noumea] with 6 supply points"),
    (SupplyLeft(1, "stacking"), "Supply for stacking: 1 point left"),
    (UnitsMoved(("a_30",), "abau", "lae", "march"), "[a_30] marches from [abau] to [lae]"),
    (UnitsMoved(("a_30", "a_7"), "abau", "lae"), "[a_30], [a_7] move from [abau] to [lae]"),
    (UnitDestroyed("j_shokaku", JP, "lost", 3), "[j_shokaku] is lost: 3 points for [allied]"),
    (RpHas(JP, "rabaul", 1, "new"), "[japan] has 1 resource point at [rabaul] (new)"),
    (AirfieldSet("buna", AL, 2, captured=True), "[allied] captures the airfield at [buna]"),
    (HiddenStackSeen(JP, "rabaul", "rp", 3), "[japan] has 3 counters at [rabaul], on top [rp]"),
    (HiddenStackSeen(JP, "rabaul", "", 0), "Nothing of [japan] is left at [rabaul]"),
    (
        BattleBegan("buna", AL, "ground", "kokoda", (("j_144",), ("a_30",)), ("j_144",)),
        "[a_30] attack [j_144] at [buna]; isolated: [j_144]",
    ),
    (ChitShown(JP, "j_n_long_lance", "of no use now"), "[japan] sets [j_n_long_lance] aside: of no use now"),
    (CheckRolled("a_30", 5, 2, 6, passed=False), "[a_30] fails: 7 against cohesion 6"),
    (BattleEnded("buna", ((), ())), "The battle at [buna] is over: nobody is left"),
    (CardDrawn(AL, "A01"), "[allied] draws [A01]"),
    (ModeHeld(JP, "map"), "[japan] keeps its choice: Map"),
    (HandSeen(AL, ()), "[allied] sees an empty hand"),
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

    assert len(FACTS) - 20 < len(told)


def test_the_view_is_complete_in_itself() -> None:
    board = operation(JP, "lae", {"j_144": ("lae", "d"), "a_30": "port_moresby"}, control={"lae": JP})
    table = view(CORAL_SEA, board.table.state, JP)["table"]

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
    battle = view(CORAL_SEA, board.table.state, AL)["table"]["battle"]

    assert ("coral_sea_west", "papuan_coast", "japan") == (
        battle["area"],
        battle["origin"],
        battle["attacker"],
    )
    assert {"japan": ["j_crudiv6"], "allied": ["a_tf17"]} == battle["units"]
    assert {"japan": 2, "allied": 3} == battle["chits"]
    assert "japan" == battle["revealed"]["side"]
    assert "passed" in battle["check"]
    mine = view(CORAL_SEA, board.table.state, AL)["table"]["own"]
    assert 3 == len(mine["chits"])
    assert len(board.own(AL).cup) == sum(mine["cup"].values())


def test_c5_1_the_view_says_which_step_of_the_sequence_it_is() -> None:
    choice = given(None, CoralSea(at="sequence"))
    operating = operation(JP, "papuan_coast", {"j_crudiv6": "papuan_coast", "a_tf17": "coral_sea_west"})
    steps = [view(CORAL_SEA, b.table.state, None)["table"]["step"] for b in (choice, operating)]
    sail(operating, ["j_crudiv6"], "coral_sea_west")
    table = view(CORAL_SEA, operating.table.state, None)["table"]

    assert ["choice", "operation", "battle"] == [*steps, table["step"]]
    assert table["step"] in {row["step"] for row in table["sequence_of_play"]}


def test_the_view_of_fortresses_leaders_and_the_end() -> None:
    board = given(None, scenario="fortress", change={"sieges": {"rabaul": AL}, "points": (7, 9)})
    table = view(CORAL_SEA, board.table.state, None)["table"]

    assert {"side": "japan", "factor": 1, "besieger": "allied"} == table["areas"]["rabaul"]["fortress"]
    assert {"name": "Tomitaro Horii", "unit": "j_144"} == table["leaders"]["l_horii"]
    assert {"japan": 7, "allied": 9} == table["count"]


def test_c27_the_view_of_a_side_and_of_onlookers() -> None:
    board = given(None, hands=(("J07",), ("A10",)))
    mine = view(CORAL_SEA, board.table.state, JP)["table"]
    onlookers = view(CORAL_SEA, board.table.state, None)["table"]

    assert {"J07"} == set(mine["own"]["hand"])
    assert "Place 2 resource points at Rabaul." == mine["own"]["hand"]["J07"]["text"]
    assert "own" not in onlookers
    assert (1, 1) == tuple(onlookers["tracks"][side]["hand"] for side in ("japan", "allied"))
    assert "null" not in CORAL_SEA.encode(mine).decode()
