"""N21 A campaign that ends by resignation or by a draw (R-87)."""

from typing import Any

import pytest

from domain.match.adjudicate import Difference, readjudicate
from domain.match.draws import answer_draw, offer_draw
from domain.match.notices import GameEnded, resign
from domain.nimitz import NIMITZ
from domain.nimitz.facts import CampaignEnded, WarEnded
from domain.nimitz.table import Open, held_objectives
from tests.fuzz.matches import Play
from tests.nimitz.board import COMMANDERS, JA, SOLITAIRE, TWO_PLAYERS, US, of


def ended(scenario: str = "1942", mode: int = TWO_PLAYERS, *, held: int = 6, **table: Any) -> Play:
    """A match with so many objectives held, whose end is the next thing to be noted."""
    play = Play(NIMITZ, scenario, {"mode": mode}, 1)
    board: Open = play.state.open
    for name, value in table.items():
        setattr(board, name, value)
    for area in ("SI", "NC", "AK", "MI")[: 6 - held]:
        for force in board.forces.values():
            force.place = "OUT" if force.place == area else force.place
    assert held == len(held_objectives(board))
    return play


def levels(play: Play) -> list[tuple[int, int, str, str]]:
    return [(f.year, f.result, f.level, f.rule) for f in of([f for _, f in play.log], CampaignEnded)]


@pytest.mark.parametrize("mode", [SOLITAIRE, TWO_PLAYERS])
def test_n21_r_87_a_us_resignation_ends_the_campaign_as_replaced(mode: int) -> None:
    play = ended(mode=mode, held=5)

    play.note(resign(play.state.match, US))

    assert [(1942, 5, "Replaced", "N21")] == levels(play)
    assert (JA, "Replaced", True) == (play.state.match.winner, play.state.open.level, play.over)
    assert [CampaignEnded, GameEnded] == [type(fact) for _, fact in play.log[-2:]]


def test_n21_r_87_two_commanders_are_replaced_when_both_have_resigned() -> None:
    play = ended(mode=COMMANDERS)

    play.note(resign(play.state.match, 0))
    assert ([], False) == (levels(play), play.over)
    play.note(resign(play.state.match, 1))
    assert ["Replaced"] == [level for _, _, level, _ in levels(play)]


@pytest.mark.parametrize(("held", "level"), [(6, "Historical"), (4, "Historical"), (2, "Historical")])
def test_n21_r_87_when_japan_resigns_the_us_have_won_whatever_is_held(held: int, level: str) -> None:
    play = ended(held=held)

    play.note(resign(play.state.match, JA))

    assert [(1942, held, level, "N21")] == levels(play)
    assert US == play.state.match.winner


@pytest.mark.parametrize(("held", "level"), [(6, "Historical"), (4, "Poor"), (2, "Replaced")])
def test_n21_r_87_a_draw_is_of_the_level_that_is_held(held: int, level: str) -> None:
    play = ended(held=held)

    play.note(offer_draw(play.state.match, US))
    play.note(answer_draw(play.state.match, JA, agreed=True))

    assert [(1942, held, level, "N21")] == levels(play)
    assert (None, True) == (play.state.match.winner, play.over)


@pytest.mark.parametrize(
    ("seat", "total", "level"), [(US, 33, "Poor"), (JA, 39, "Historical"), (None, 39, "Historical")]
)
def test_n21_r_87_the_sum_of_a_linked_war_counts_the_years_before(
    seat: int | None, total: int, level: str
) -> None:
    play = ended("linked", results={1940: 20, 1941: 13})

    if seat is None:
        play.note(offer_draw(play.state.match, JA))
        play.note(answer_draw(play.state.match, US, agreed=True))
    else:
        play.note(resign(play.state.match, seat))

    said = [(f.total, f.level) for f in of([f for _, f in play.log], WarEnded)]
    assert ([(total, level)], level) == (said, play.state.open.level)


def test_n21_r_87_a_war_that_japan_gives_up_early_is_won() -> None:
    play = ended("linked")

    play.note(resign(play.state.match, JA))

    assert [(6, "Historical")] == [(f.total, f.level) for f in of([f for _, f in play.log], WarEnded)]


@pytest.mark.parametrize("scenario", ["1942", "linked"])
def test_n21_the_level_of_a_resignation_is_decided_again_as_it_was(scenario: str) -> None:
    play = Play(NIMITZ, scenario, {"mode": TWO_PLAYERS}, 1)
    play.note(resign(play.state.match, US))
    play.finish()

    assert [] == [*readjudicate(NIMITZ, play.log)]
    (at,) = [n for n, (_, fact) in enumerate(play.log) if isinstance(fact, CampaignEnded)]
    seq, was = play.log[at]
    better = [*play.log[:at], (seq, CampaignEnded(1942, 6, "Great", "N21", "")), *play.log[at + 1 :]]
    assert [Difference(seq, "", better[at][1], was)] == [*readjudicate(NIMITZ, better)]
    silent = [*play.log[:at], *play.log[at + 1 :]]
    assert [was] == [one.found for one in readjudicate(NIMITZ, silent)][:1]
