"""What a view shows of a hit that is allocated, of the combat step, and of a campaign's result."""

from typing import Any

from domain.kernel.audience import Audience
from domain.kernel.facts import evolve
from domain.match.notices import resign
from domain.nimitz import NIMITZ, attacks, flight
from domain.nimitz.charts import FORCES
from domain.nimitz.decisions import AllocateHit
from domain.nimitz.victory import check_defeat, invasion_points
from tests.nimitz.board import Board, battle, begun, given
from tests.nimitz.test_10_battle_turn import arena, clash
from tests.seen import view


def shown(board: Board) -> Any:
    return view(NIMITZ, board.table.state, Audience.ONLOOKERS)["table"]


def shelled() -> Board:
    """A hit of naval guns that falls on either of two Japanese destroyers."""
    ja = ["destroyer-gp-1", "destroyer-gp-4", "55th-inf~"]
    board = arena(["colorado-maryland"], ja, clash(attacks.GUNS, "CO"), dice=[4])
    assert [AllocateHit(f"42-ja-destroyer-gp-{n}") for n in (1, 4)] == board.offered()
    return board


def test_n11_1_the_view_shows_the_hit_that_is_allocated_and_the_combat_step_it_comes_of() -> None:
    table = shown(shelled())

    assert {"victim": "JA", "kind": "Naval guns", "area": "CO"} == table["hit"]
    assert ("Naval guns", "CO") == (table["battle"]["step"], table["battle"]["over"])


def test_n11_1_who_is_asked_for_something_else_is_shown_no_hit() -> None:
    flying = shown(arena(["mag-13"], ["55th-inf"], flight.UsAircraft()))

    assert "hit" not in flying
    assert not {"step", "over"} & {*shown(battle("SI", ["desron-1"], ["55th-inf"]))["battle"]}


def test_n11_1_n21_a_campaign_that_was_given_up_waits_for_no_hit() -> None:
    board = shelled()

    evolve(board.table.state, resign(board.table.state.match, 0))

    assert "hit" not in shown(board)


def test_n18_1_n19_4_the_result_that_is_shown_counts_the_invasion_box() -> None:
    dear = sorted((c for c in FORCES[1945].values() if c.side == "US"), key=lambda c: -c.buy)[:14]
    board = given({"HI": ["us-bn-01"], "INV": [counter.id[6:] for counter in dear]}, {}, year=1945)

    points = invasion_points(board.open)
    assert (1 + points, True) == (shown(board)["result"], points > 0)


def test_n18_2_the_level_is_shown_when_the_campaign_has_ended() -> None:
    board = given({"AK": ["28th-bg"]}, {"HI": ["ja-bn-01"]})

    check_defeat(board.table)

    assert "Replaced" == shown(board)["level"]
    assert "level" not in shown(begun())
