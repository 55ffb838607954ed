"""Whole records of matches that were claimed or called off: true as played, and found where altered."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact
from domain.match import claims
from domain.match.claims import ABSENT
from domain.match.fold import Fold
from domain.match.game import Game
from domain.match.notices import BY_MATCH, Ended, GameEnded
from domain.titles import TITLES
from projections.record import record
from projections.verify import Report, verify
from tests.projections.play import Played, play, retold, tale
from tests.tiny import GAME

MATCHES: list[tuple[Game, str, Mapping[str, Any]]] = [
    (GAME, "campaign", {}),
    (TITLES["nimitz"], TITLES["nimitz"].default_scenario, {"mode": 2}),
    (TITLES["midway"], "duel", {}),
]


def examined(played: Played) -> Report:
    titles = {played.game.name: played.game}
    return verify(record(played.entries, Audience.UMPIRE), played.key, titles=titles)


def folded(played: Played) -> Fold:
    fold = Fold(played.game)
    for command in played.commands:
        fold.apply(command)
    return fold


def ended(game: Game, scenario: str, options: Mapping[str, Any], how: str) -> Played:
    """A match that one seat ends while another is away, or as it begins."""
    played = play(game, scenario, options, undos=0, most=400)
    length = next(n for n in range(5, 400) if len(folded(played.cut(n)).state.asked) == 1)
    begun = played.cut(length)
    fold, told = folded(begun), tale(begun)
    match, asked, since = fold.state.match, fold.state.asked, fold.waited_since
    away, at = asked[0], since + ABSENT
    if how == "win":
        facts: list[Fact] = [*claims.claim_win(match, None, away, 1 - away, at, asked, since)]
    elif how == "off":
        facts = [*claims.claim_off(match, away, 1 - away, at, asked, since)]
    else:
        facts = [*claims.call_off(match, away, fold.decided)]
    noted = game.noted(fold.state, facts)
    return retold(played, [*told, (at, [*noted, Ended(played.key.hex())])])


@pytest.mark.parametrize("how", ["win", "off", "early"])
@pytest.mark.parametrize(("game", "scenario", "options"), MATCHES, ids=lambda one: getattr(one, "name", None))
def test_a_record_of_a_match_that_was_claimed_or_called_off_is_true(
    game: Game, scenario: str, options: Mapping[str, Any], how: str
) -> None:
    report = examined(ended(game, scenario, options, how))

    assert [] == [check for check in report.checks if check.result == "fails"]
    assert report.first_bad is None


@pytest.mark.parametrize(
    "end", [GameEnded(0, "called off", BY_MATCH), GameEnded(None, "agreement", BY_MATCH)]
)
def test_a_record_whose_end_was_changed_is_not(end: GameEnded) -> None:
    played = ended(GAME, "campaign", {}, "early")
    told = tale(played)
    told[-1] = (told[-1][0], [told[-1][1][0], end, told[-1][1][-1]])

    report = examined(retold(played, told))

    found = next(check for check in report.checks if check.name == "notices")
    assert "fails" == found.result
