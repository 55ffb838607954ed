"""What `fleetfold demo` plays; `make demo` hands on an empty scenario unless told one."""

import click
import pytest

from domain.kernel.audience import VIEWERS, Audience
from domain.midway import MIDWAY
from projections.views import folded, steps
from server.commands.demo import check, demonstrate, known
from tests.projections.play import play


@pytest.mark.parametrize(
    ("title", "scenario", "played"),
    [
        ("midway", "", "duel"),
        ("coral_sea", "", "campaign"),
        ("nimitz", "", "1942"),
        ("pacific_war", "", "E1"),
        ("midway", "historical-4-june", "historical-4-june"),
        ("nimitz", "linked", "linked"),
        ("pacific_war", "S1", "S1"),
    ],
)
def test_a_title_is_played_in_its_own_scenario_unless_told_another(
    title: str, scenario: str, played: str
) -> None:
    game, found = known(title, scenario)

    assert (title, played) == (game.name, found)


@pytest.mark.parametrize(("title", "scenario"), [("nimitz", "duel"), ("jutland", "")])
def test_an_unknown_title_or_scenario_is_told_what_there_is(title: str, scenario: str) -> None:
    with pytest.raises(click.BadParameter, match="midway: historical-4-june, duel"):
        known(title, scenario)


def test_the_last_line_counts_who_looked_on_and_says_whether_all_saw_what_is_on_the_log() -> None:
    played = play(MIDWAY, "duel", seed=1)
    seen = [
        (audience, folded(steps(MIDWAY, played.entries, audience, played.k_salt)))
        for audience in (*VIEWERS, Audience.of(None))
    ]

    report = check(MIDWAY, "duel", played.entries, played.key, seen)
    blind = check(MIDWAY, "duel", played.entries, played.key, [*seen, (Audience.of(None), {})])

    assert (2, True, 3, False) == (report.onlookers, report.good, blind.onlookers, blind.good)


async def test_bots_play_a_match_on_a_server_of_its_own_and_all_is_as_it_should_be() -> None:
    report = await demonstrate(MIDWAY, "duel", seed=1, onlookers=2)

    assert (2, True) == (report.onlookers, report.good)
    assert report.decisions > 20


async def test_a_long_match_is_given_up_after_so_many_facts_and_what_was_played_is_as_it_should_be() -> None:
    report = await demonstrate(MIDWAY, "duel", seed=1, onlookers=1, facts=60)

    assert (report.good, MIDWAY.sides[1]) == (True, report.winner)
    assert 60 <= report.facts < 120
