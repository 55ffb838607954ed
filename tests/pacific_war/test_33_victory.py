"""P33.1 Points and levels."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.table import Table
from domain.match.notices import GameEnded
from domain.pacific_war.account import PacificWarAccount
from domain.pacific_war.battle.retreat import Retreat
from domain.pacific_war.battle.sequence import PacificWar
from domain.pacific_war.board.charts import SCENARIOS
from domain.pacific_war.board.table import Ship
from domain.pacific_war.facts.cycle import BaseIs, Counted
from domain.pacific_war.victory.battles import level, points, score, winner
from tests.pacific_war.board import again_at, table_at, told
from tests.pacific_war.clash import ALLIES, JAPAN


def at_the_end(scenario: str) -> Table:
    """Return a scenario as it is set up."""
    return table_at(scenario, Retreat(tfs=()), advantage=JAPAN)


def count(table: Table) -> tuple[int, int]:
    """Return the points of Japan and the Allies."""
    return points(score(table.state.open, table.state.own))


def ship(table: Table, name: str, fate: str = "", damage: int = 0) -> None:
    """Let a ship be lost, or damaged."""
    own = next(one for one in table.state.own if name in one.ships)
    if fate:
        own.ships[name] = Ship(damage=damage)
        table.state.open.lost[name] = fate
    else:
        own.ships[name] = replace(own.ships[name], damage=damage)


def without_places(scenario: str) -> tuple[Table, tuple[int, int]]:
    """Return a scenario, and the points that it gives for places at the start."""
    table = at_the_end(scenario)
    return table, count(table)


@pytest.mark.parametrize(
    ("scenario", "start"),
    # E1: no Japanese is ashore at Port Moresby; E4, B1: the Allies hold Wake and Midway; E2, E3: no places.
    [("E1", (0, 24)), ("E2", (0, 0)), ("E3", (0, 0)), ("E4", (0, 6)), ("B1", (0, 32))],
)
def test_p33_1_what_counts_for_places_at_the_start(scenario: str, start: tuple[int, int]) -> None:
    assert start == count(at_the_end(scenario))


@pytest.mark.parametrize(
    ("scenario", "name", "damage", "sunk", "crippled"),
    [
        ("E1", "cv_lexington", 3, 12, 5),
        ("E1", "cvl_shoho", 1, 7, 2),
        ("E1", "ca_cw1", 2, 4, 1),
        ("E1", "cl_cw1", 2, 3, 1),
        ("E1", "dd_us2", 2, 2, 0),
        ("E1", "aa_jp10", 2, 3, 1),
        ("E2", "cv_akagi", 2, 12, 6),
        ("E2", "bb_arizona", 3, 6, 3),
        ("E2", "cvs_us1", 1, 2, 1),
        ("E2", "ca_us1", 2, 4, 2),
        ("E3", "ca_us5", 1, 4, 2),  # Chicago alone has 2 hits
        ("E3", "aa_us1", 2, 6, 3),
        ("E4", "dd_jp29", 2, 2, 1),
        ("E4", "aa_jp13", 2, 4, 1),
        ("B1", "bb_yamato", 4, 8, 3),
        ("B1", "cvs_kamikawa", 1, 2, 0),
    ],
)
def test_p33_1_each_enemy_ship_sunk_or_crippled_at_the_end(
    scenario: str, name: str, damage: int, sunk: int, crippled: int
) -> None:
    side = ALLIES if name in at_the_end(scenario).state.own[JAPAN].ships else JAPAN
    for fate, hits, more in (("", damage, crippled), ("", damage - 1, 0), ("sunk", 9, sunk)):
        table, start = without_places(scenario)
        ship(table, name, fate, hits)
        gained = [now - before for now, before in zip(count(table), start, strict=True)]
        assert ([0, more] if side else [more, 0]) == gained


@pytest.mark.parametrize(("damage", "more"), [(3, 5), (2, 0)])
def test_p1_1_p33_1_r_103_a_ship_that_left_the_scenario_crippled_counts_as_crippled(
    damage: int, more: int
) -> None:
    """Else who is losing would send his crippled ships away."""
    table, start = without_places("E1")
    ship(table, "cv_lexington", "out of the scenario", damage)

    assert (start[0] + more, start[1]) == count(table)


def test_p33_1_r_85_a_ship_scuttled_in_port_counts_and_one_in_port_that_is_crippled() -> None:
    table, _ = without_places("E2")
    ship(table, "bb_arizona", "sunk", 0)
    ship(table, "bb_oklahoma", "", 3)

    assert (6 + 3, 0) == count(table)


@pytest.mark.parametrize(
    ("scenario", "lost", "gained"),
    [("E1", [5, 3], (1, 2)), ("E2", [1, 4], (2, 0)), ("E4", [2, 1], (1, 2)), ("B1", [7, 0], (0, 3))],
)
def test_p33_1_destroyed_air_steps_a_remainder_nothing(
    scenario: str, lost: list[int], gained: tuple[int, int]
) -> None:
    table, start = without_places(scenario)
    table.state.open.steps_lost = lost

    assert gained == tuple(now - before for now, before in zip(count(table), start, strict=True))


@pytest.mark.parametrize(
    ("scenario", "place", "holder", "ashore", "score"),
    [
        ("E1", "port_moresby", ALLIES, False, (0, 24)),
        ("E1", "port_moresby", ALLIES, True, (0, 0)),
        ("E1", "port_moresby", JAPAN, True, (20, 0)),
        ("E4", "wake", ALLIES, False, (0, 6)),
        ("E4", "wake", ALLIES, True, (0, 0)),
        ("E4", "wake", JAPAN, True, (8, 0)),
        ("E4", "wake", JAPAN, False, (8, 0)),
        ("B1", "midway", ALLIES, False, (0, 32)),
        ("B1", "midway", ALLIES, True, (0, 0)),
        ("B1", "midway", JAPAN, True, (18, 0)),
    ],
)
def test_p33_1_places_as_things_stand_at_the_end(
    scenario: str, place: str, holder: int, ashore: bool, score: tuple[int, int]
) -> None:
    table = at_the_end(scenario)
    board = table.state.open
    board.bases[place] = replace(board.bases[place], control=holder)
    board.troops[JAPAN][:] = (
        [{"port_moresby": "4440", "wake": "5722", "midway": "6617"}[place]] if ashore else []
    )

    assert score == count(table)


def test_e1_troops_aboard_off_port_moresby_are_not_ashore() -> None:
    table = at_the_end("E1")
    table.state.open.tfs["J3"] = replace(table.state.open.tfs["J3"], node="4440")

    assert (0, 24) == count(table)


@pytest.mark.parametrize(
    ("scenario", "japan", "allies", "result"),
    [
        ("E1", 22, 0, "Japanese decisive"),
        ("E1", 21, 0, "Japanese marginal"),
        ("E1", 10, 0, "Japanese marginal"),
        ("E1", 9, 0, "draw"),
        ("E1", 8, 0, "draw"),
        ("E1", 7, 0, "Allied marginal"),
        ("E1", 0, 8, "Allied marginal"),
        ("E1", 0, 9, "Allied decisive"),
        ("E1", 27, 5, "Japanese decisive"),
        ("E2", 76, 0, "Japanese decisive"),
        ("E2", 75, 0, "Japanese marginal"),
        ("E2", 72, 0, "Japanese marginal"),
        ("E2", 71, 0, "draw"),
        ("E2", 66, 0, "draw"),
        ("E2", 65, 0, "Allied marginal"),
        ("E2", 66, 10, "Allied marginal"),
        ("E2", 55, 0, "Allied decisive"),
        ("E2", 0, 20, "Allied decisive"),
        ("E3", 12, 0, "Japanese decisive"),
        ("E3", 11, 0, "Japanese marginal"),
        ("E3", 8, 0, "Japanese marginal"),
        ("E3", 7, 0, "draw"),
        ("E3", 11, 5, "draw"),
        ("E3", 5, 0, "Allied marginal"),
        ("E3", 0, 99, "Allied marginal"),
        ("E4", 7, 0, "Japanese decisive"),
        ("E4", 6, 0, "Japanese marginal"),
        ("E4", 0, 0, "Japanese marginal"),
        ("E4", 0, 1, "draw"),
        ("E4", 0, 2, "draw"),
        ("E4", 0, 3, "Allied marginal"),
        ("E4", 0, 7, "Allied marginal"),
        ("E4", 0, 8, "Allied decisive"),
        ("E4", 12, 5, "Japanese decisive"),
        ("B1", 30, 0, "Japanese decisive"),
        ("B1", 29, 0, "Japanese marginal"),
        ("B1", 5, 0, "Japanese marginal"),
        ("B1", 4, 0, "draw"),
        ("B1", 0, 0, "draw"),
        ("B1", 0, 1, "Allied marginal"),
        ("B1", 0, 22, "Allied marginal"),
        ("B1", 0, 23, "Allied decisive"),
        ("B1", 35, 5, "Japanese decisive"),
    ],
)
def test_p33_1_the_first_line_that_is_reached(scenario: str, japan: int, allies: int, result: str) -> None:
    assert result == level(scenario, japan, allies)
    assert {"Japanese": 0, "Allied": 1}.get(result.split(maxsplit=1)[0]) == winner(result)


def test_p33_1_p1_1_the_count_ends_the_match() -> None:
    table = again_at(
        at_the_end("E3"), PacificWar(scenario="E3", cycles=SCENARIOS["E3"].battle_cycles, at="again")
    )

    assert [Counted((), (0, 0), "Allied marginal")] == told(table.facts, Counted)
    assert [GameEnded(ALLIES, "Allied marginal", "33.1")] == told(table.facts, GameEnded)


def test_r_45_p0_7_if_nobody_is_activated_the_game_ends() -> None:
    table: Any = at_the_end("E3")
    for own in table.state.own:
        own.ships = {name: replace(one, active=False) for name, one in own.ships.items()}
        own.ground = {name: replace(one, active=False) for name, one in own.ground.items()}
    table = again_at(table, PacificWar(scenario="E3", cycles=0, at="again"))

    assert 1 == len(told(table.facts, GameEnded))


@pytest.mark.parametrize(("place", "told"), [("port_moresby", 0), ("lae", 1)])
def test_p33_1_a_location_that_changes_hands_is_told_once(place: str, told: int) -> None:
    """What one that scores is worth is told with who holds it; another has to be told for itself."""
    board, account = at_the_end("E1").state.open, PacificWarAccount()
    base = replace(board.bases[place], control=1 - board.bases[place].control)

    assert told == len(account.losses(board, BaseIs(place, base, "")))
    assert (place in account.held(board)) == (not told)
