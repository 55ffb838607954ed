"""What `fleetfold demo` plays; `make demo` hands on an empty scenario unless told one."""

import click
import pytest
from click.testing import CliRunner
from msgspec import json

from domain.kernel.audience import VIEWERS, Audience
from domain.midway import MIDWAY
from projections.views import folded, steps
from server.commands import demo
from server.commands.demo import DemoReport, check, demonstrate, known, spent
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


def test_a_long_match_is_given_up_after_so_many_facts_and_the_last_lines_say_how_long_all_of_it_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given the command itself, whose log lines are left as those of the tests."""
    monkeypatch.setattr(demo, "log_lines", lambda _level: None)
    ran = CliRunner().invoke(demo.command, ["--scenario", "duel", "--onlookers", "1", "--facts", "60"])

    *_, told, last = ran.output.splitlines()
    report = json.decode(last, type=DemoReport)
    assert (0, True, MIDWAY.sides[1]) == (ran.exit_code, report.good, report.winner)
    assert 60 <= report.facts < 120
    assert 0 < min(report.played, report.checked)
    assert report.words() == told
    assert told.startswith(f"{report.decisions} decisions and {report.facts} facts in ")


@pytest.mark.parametrize(("seconds", "words"), [(4.24, "4.2 s"), (59.6, "1 min 0 s"), (312.4, "5 min 12 s")])
def test_a_time_is_told_in_minutes_and_seconds(seconds: float, words: str) -> None:
    assert words == spent(seconds)
