"""What `fleetfold demo` plays; `make demo` hands on an empty scenario unless told one."""

import click
import pytest

from server.commands.demo import known


@pytest.mark.parametrize(
    ("title", "scenario", "played"),
    [
        ("midway", "", "duel"),
        ("coral_sea", "", "campaign"),
        ("nimitz", "", "1942"),
        ("midway", "historical-4-june", "historical-4-june"),
        ("nimitz", "linked", "linked"),
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
