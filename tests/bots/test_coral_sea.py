"""The bot of Coral Sea: it beats chance from either side, and its matches look like those of C31."""

from collections import Counter
from random import Random
from statistics import median
from typing import Any

import pytest
from msgspec import convert, to_builtins

from clients.bots import coral_sea_board as sight
from clients.bots import strengths
from clients.bots.typed import TypedPrompt
from domain.coral_sea.decisions import ChooseUnit, EndOperation, LoadUnit, LoseUnit, PlayChit
from domain.coral_sea.shown import Table
from domain.coral_sea.table import GROUND, at
from domain.kernel.audience import Audience
from domain.kernel.procedures import Decision
from domain.match.views import View
from domain.titles import TITLES
from server.bench import compare
from tests.coral_sea.board import AL, JP, Board, Where, land_battle, operation, sail
from tests.seen import view

GAME = TITLES["coral_sea"]
STEADY, RANDOM = strengths("coral_sea")["steady"], strengths("coral_sea")["random"]
OF_THE_BOOK = "Japan 45 %, Allies 53 %, drawn 2 %; length 59; Port Moresby 34 %, Turn of the Tide 10 %"
"""C31.2, C31.3."""


@pytest.mark.parametrize(("games", "least"), [(3, 3), pytest.param(60, 45, marks=pytest.mark.soak)])
@pytest.mark.parametrize("side", [0, 1])
def test_steady_beats_random_from_either_side(side: int, games: int, least: int) -> None:
    bots = (STEADY, RANDOM) if side == 0 else (RANDOM, STEADY)

    won = compare.tally(GAME, "campaign", bots, games)

    assert won[side] >= least


@pytest.mark.parametrize("games", [5, pytest.param(500, marks=pytest.mark.soak)])
def test_c31_2_c31_3_shares_of_wins_and_lengths_are_printed(
    games: int, capsys: pytest.CaptureFixture[str]
) -> None:
    played = [compare.play(GAME, "campaign", (STEADY, STEADY), seed) for seed in range(1, games + 1)]
    won = Counter(match.winner for match in played)
    ends = Counter(match.reason for match in played)
    lengths = [match.end["table"]["sequence"] for match in played]
    with capsys.disabled():
        print(f"\n  coral_sea: {compare.line(GAME, ('steady', 'steady'), won)}")  # noqa: T201 to be read
        print(f"  length {median(lengths):.0f} sequences; " + ends_of(ends, games))  # noqa: T201
        print(f"  the book: {OF_THE_BOOK}")  # noqa: T201

    assert won[0] >= games // 5
    assert won[1] >= games // 5
    assert 41 <= median(lengths) <= 69


def ends_of(ends: Counter[str], games: int) -> str:
    return ", ".join(f"{reason} {count / games:.0%}" for reason, count in ends.most_common())


def test_it_plays_every_option_and_the_other_scenario() -> None:
    options = dict.fromkeys(GAME.options, True)

    match = compare.play(GAME, "fortress", (STEADY, STEADY), 3, **options)

    assert match.reason


def asks(board: Board) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a bot is given for the first seat that is asked: its view and its prompt."""
    seat, prompt = next(iter(board.table.prompts.items()))
    asked = {"seat": seat, "rule": prompt.rule, "text": prompt.text, "options": to_builtins(prompt.options)}
    return to_builtins(view(GAME, board.table.state, Audience.of(seat)), str_keys=True), asked


def seen(board: Board) -> sight.Board:
    """Return the board as the bot sees it now."""
    plain, prompt = asks(board)
    asked = TypedPrompt[Decision](prompt["seat"], prompt["rule"], ())
    return sight.Board(convert(plain, View[Table], str_keys=True), asked, Random(1))


def chosen(board: Board) -> dict[str, Any]:
    """Return what the bot chooses now."""
    return STEADY(*asks(board), Random(1))


@pytest.mark.parametrize(("games", "least"), [(4, 100), pytest.param(60, 2_000, marks=pytest.mark.soak)])
def test_c20_3_rabaul_is_never_left_without_troops(games: int, least: int) -> None:
    starts = bare = 0
    for seed in range(1, games + 1):
        table, chance, sequence = compare.laid_open(GAME, "campaign", {}, seed), Random(seed), 0
        while not table.state.match.over:
            if table.open.sequence > sequence and table.open.control["rabaul"] == JP:
                starts += 1
                bare += not at(table.open, "rabaul", JP, GROUND)
            sequence = table.open.sequence
            compare.decide(table, next(iter(table.prompts)), STEADY, chance)

    assert starts > least
    assert 0 == bare


def test_c10_2_the_last_troops_of_rabaul_stay_ashore() -> None:
    units = dict.fromkeys(("j_desron6", "j_144", "j_kure3"), "rabaul")
    board = operation(JP, "rabaul", {**units, "a_30": "port_moresby"})
    sail(board, ["j_desron6"])

    assert {"type": "load_unit", "unit": "j_144"} == chosen(board)
    board.go(LoadUnit("j_144"))
    assert {"type": "done"} == chosen(board)


@pytest.mark.parametrize(("garrison", "wanted"), [(["a_30"], True), (["a_30", "a_7", "a_14"], False)])
def test_c21_4_a_weak_garrison_of_port_moresby_is_a_goal(garrison: list[str], wanted: bool) -> None:
    units = dict.fromkeys(garrison, "port_moresby") | {"a_tf17": "australia", "j_144": "buna"}
    board = operation(AL, "australia", units)

    assert wanted == ("port_moresby" in seen(board).goals())


def test_c10_11_the_loss_aboard_falls_on_the_least() -> None:
    aboard: dict[str, Where] = {
        "a_tf17": "papuan_coast",
        "a_1m": "papuan_coast",
        "a_30": ("papuan_coast", "d"),
    }
    board = operation(
        JP,
        "louisiade_sea",
        {"j_desron2": "louisiade_sea", **aboard},
        dice=[9],
        draws=["j_n_long_lance"],
    )
    sail(board, ["j_desron2"], "papuan_coast")
    board.go(PlayChit("j_n_long_lance"))

    assert {ChooseUnit("a_1m"), ChooseUnit("a_30")} == set(board.offered(ChooseUnit))
    assert {"type": "choose_unit", "unit": "a_30"} == chosen(board)


def test_c10_12_of_too_many_at_sea_the_least_is_lost() -> None:
    units = dict.fromkeys(("a_tf17", "a_1m", "a_5m", "a_7m"), "papuan_coast")
    board = operation(AL, "papuan_coast", {**units, "a_30": ("papuan_coast", "d")})
    board.go(EndOperation())

    assert LoseUnit("a_30") in board.offered()
    assert {"type": "lose_unit", "unit": "a_30"} == chosen(board)


def test_c12_18_the_heavy_ship_checks_for_gunnery() -> None:
    board = operation(
        JP,
        "papuan_coast",
        {
            "j_desron6": "papuan_coast",
            "a_yorktown": "coral_sea_west",
            "a_tf17": ("coral_sea_west", "o"),
        },
        draws=["j_n_gunnery"],
    )
    sail(board, ["j_desron6"], "coral_sea_west")
    board.go(PlayChit("j_n_gunnery"))

    assert {ChooseUnit("a_yorktown"), ChooseUnit("a_tf17")} == set(board.offered(ChooseUnit))
    assert {"type": "choose_unit", "unit": "a_tf17"} == chosen(board)


def test_c12_10_might_of_will_costs_the_least_that_is_not_depleted() -> None:
    board = land_battle(
        JP,
        "kokoda",
        {"j_144": "", "j_kure3": "", "j_base8": "d"},
        {"a_30": ""},
        origin="buna",
        draws=["j_g_might_of_will"],
    )
    board.go(PlayChit("j_g_might_of_will"))

    assert {"type": "choose_unit", "unit": "j_kure3"} == chosen(board)
