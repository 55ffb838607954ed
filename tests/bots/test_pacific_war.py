"""The bot of Pacific War: it beats chance from either side, and its odds are exact."""

from random import Random
from typing import Any

import pytest
from msgspec import convert, structs, to_builtins

from clients.bots import pacific_war, strengths
from clients.bots.pacific_war.air_odds import Guard, Raid, passage, shares
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.odds import Mark, chances, gain
from clients.bots.pacific_war.strikes import Bombs, Group, best
from clients.bots.pacific_war.table import Table
from clients.bots.pacific_war.targets import chunks
from clients.bots.typed import TypedPrompt
from domain.kernel.audience import Audience
from domain.kernel.procedures import Decision
from domain.match.views import View
from domain.pacific_war.sight import shown
from domain.titles import TITLES
from server.bench import compare
from tests.bots.pacific_war_matches import SCENARIOS, played, report
from tests.kernel.playing import finished

GAME = TITLES["pacific_war"]
STEADY = strengths("pacific_war")["steady"]


@pytest.mark.parametrize(("games", "least"), [(3, 3), pytest.param(50, 45, marks=pytest.mark.soak)])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("scenario", ["E1", "B1"])
def test_steady_beats_random_from_either_side(scenario: str, side: int, games: int, least: int) -> None:
    bots = ("steady", "random") if side == 0 else ("random", "steady")

    won = [played(scenario, bots, seed).winner for seed in range(1, games + 1)]

    assert won.count(side) >= least


@pytest.mark.parametrize("games", [1, pytest.param(200, marks=pytest.mark.soak)])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_p39_points_losses_and_levels_against_itself_are_printed(
    scenario: str, games: int, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = list(report(scenario, ("steady", "steady"), games))
    with capsys.disabled():
        print("\n  " + "\n  ".join(lines), end="")  # noqa: T201 to be read

    assert len(lines) > 1


def test_what_the_bot_reads_of_the_table_is_of_the_type_that_is_shown() -> None:
    types = {field.name: field.type for field in structs.fields(shown.Table)}
    read = {field.name: field.type for field in structs.fields(Table)}

    assert read == {name: types[name] for name in read}


def reasons(scenario: str, seed: int) -> set[str]:
    """Play a match of the bot against itself, and return the reasons that it gives."""
    table, chance, given = compare.laid_open(GAME, scenario, {}, seed), Random(seed), set[str]()
    while not table.state.match.over:
        seat = next(iter(table.prompts))
        prompt = table.prompts[seat]
        asked = TypedPrompt[Decision](seat, prompt.rule, prompt.options, prompt.text)
        seen: dict[str, Any] = compare.shown(GAME, table, Audience.of(seat))
        view = convert(seen, View[Table], str_keys=True)
        given.add(pacific_war.explained(view, asked, Random(seed))[1])
        compare.decide(table, seat, STEADY, chance)
    return given


def test_it_says_why_in_one_sentence_for_each_decision() -> None:
    given = reasons("B1", 2)

    assert len(given) > 10
    assert all(one.endswith(".") and one[0].isupper() and one.count(". ") == 0 for one in given)


# what fire comes to


def test_p3_1_chances_are_those_of_the_table() -> None:
    assert (0.3, 0.4, 0.2, 0.1) == pytest.approx(chances(5, 0))
    assert (1.0,) == chances(0, 3)
    assert (1.0,) == chances(5, -4)
    assert (0.8, 0.2) == pytest.approx(chances(5, -4, 1))


def test_p33_1_an_attack_is_worth_points_times_chance() -> None:
    mark = Mark(hits=2, sunk=10.0, crippled=3.0)
    crippling = 3.0 + 0.15 * 10 / 2

    assert 0.4 * crippling + 0.3 * 10 == pytest.approx(gain(mark, 5, 0))


def test_p28_8_without_cap_and_flak_all_steps_come_through() -> None:
    way = passage(Raid(3, 0, 1, 1, 5.0), Guard(0, 1, 0, 0))

    assert (0.0, 0.0, 0.0, 1.0) == way.left
    assert 0.0 == way.lost


def test_p28_8_free_cap_fires_at_the_strike() -> None:
    way = passage(Raid(3, 0, 1, 1, 5.0), Guard(2, 1, 0, 0))
    column_2 = chances(3, -1)

    assert column_2 == pytest.approx(tuple(reversed(way.left))[: len(column_2)])


def test_p28_5_1_steps_go_where_points_times_chance_are_highest() -> None:
    rich, poor = Mark(hits=4, sunk=12.0, crippled=5.0), Mark(hits=4, sunk=2.0, crippled=0.0)

    assert (3, 0) == shares(3, 5.0, 0, (rich, poor)).steps[3]
    assert sum(shares(12, 5.0, 0, (rich, poor)).steps[12]) <= 12


def test_p28_3_an_escort_is_sent_where_cap_waits_and_none_where_there_is_none() -> None:
    groups = (Group("cvg", 8, 1, 4, escorts=True),)
    target = (Mark(hits=4, sunk=12.0, crippled=5.0, shift=1),)

    assert not best(groups, Guard(0, 1, 5, -2), 0, target, 0.5).escort
    assert best(groups, Guard(4, 1, 5, -2), 0, target, 0.5).escort


def test_p28_3_nothing_flies_that_promises_nothing() -> None:
    groups = (Group("cvg", 1, 0, 4, escorts=True),)

    assert not best(groups, Guard(12, 2, 20, 0), 0, (Mark(4, 12.0, 5.0),), 0.5).strike
    assert not best(groups, Guard(0, 1, 9, 0), 0, Bombs(-3, (0.0,)), 0.5).strike


@pytest.mark.parametrize("grain", [1, 2, 3])
@pytest.mark.parametrize("steps", range(1, 10))
def test_p28_5_1_a_unit_is_allotted_in_whole(steps: int, grain: int) -> None:
    assert steps == sum(chunks(steps, grain))


# what it does


def board_of(table: Any, seat: int) -> Board:
    """Return the board as the bot sees it."""
    prompt = table.prompts[seat]
    asked = TypedPrompt[Decision](seat, prompt.rule, prompt.options, prompt.text)
    seen = to_builtins(compare.shown(GAME, table, Audience.of(seat)), str_keys=True)
    return Board(convert(seen, View[Table], str_keys=True), asked, Random(1))


def test_p0_4_3_a_task_force_that_was_never_seen_holds_what_it_began_with() -> None:
    table = compare.laid_open(GAME, "E1", {}, 1)
    board = board_of(table, next(iter(table.prompts)))

    tf = "J1" if board.me == "AL" else "A1"
    assert not board.table.tfs[tf].detected
    assert {ship.split("_")[0] for ship in board.members(tf)} >= {"cv", "ca", "dd"}


def test_e4_1_transports_wait_for_the_fort_to_fall() -> None:
    for seed in range(1, 6):
        table, chance = compare.laid_open(GAME, "E4", {}, seed), Random(seed)
        while not table.state.match.over:
            seat = next(iter(table.prompts))
            compare.decide(table, seat, STEADY, chance)
            laden = {ship for unit in table.own[0].ground.values() for ship in unit.aboard}
            forces = {table.own[0].ships[ship].tf for ship in laden if ship in table.own[0].ships}
            there = {table.open.tfs[tf].node for tf in forces if tf in table.open.tfs}
            if table.open.bases["wake"].fort:
                assert "5722" not in there


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_p0_3_2_it_finishes_a_command_in_sealed_steps_that_another_began(scenario: str) -> None:
    table, chance = compare.laid_open(GAME, scenario, {}, 7), Random(7)
    while not table.state.match.over:
        seat = next(iter(table.prompts))
        if table.sealed(seat):
            first = chance.choice(table.prompts[seat].options)
            table.decide_all(seat, finished(table, seat, first, chance.choice))
        else:
            compare.decide(table, seat, STEADY, chance)

    assert table.state.match.over


def test_it_leads_the_operations_of_a_campaign_to_its_end() -> None:
    match = compare.play(GAME, "C1", (STEADY, STEADY), 1)

    assert "1942-12" == match.end["table"]["month"]
    assert 1 < match.end["table"]["war"]["operations"]
    assert match.end["table"]["level"]
