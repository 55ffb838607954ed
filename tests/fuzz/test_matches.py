"""Random matches of every title: they end, and whatever happens in them can be kept, moved and checked."""

from collections.abc import Callable, Iterable
from importlib import import_module
from random import Random
from typing import Any

import pytest
from msgspec import json

from domain.kernel.audience import VIEWERS, Audience
from domain.kernel.facts import evolve, seen_by
from domain.kernel.table import Table
from domain.match.adjudicate import readjudicate
from domain.match.game import Game
from domain.match.refusals import RequestError
from domain.match.undo import standing
from domain.match.undoing import undo_slip
from domain.match.views import patch, patched
from domain.titles import TITLES
from tests.fuzz.matches import Play, command, random_set_up
from tests.seen import view

MATCHES, CHUNK = 500, 25
SAMPLE = 50
"""Every so many decisions the match is put down, picked up and forked; in the soak at every one."""
PATCHED = 10
"""Every so many decisions a patch is made of what changed; in the soak, and in `test_views`, at every one."""
DECIDED_AGAIN = 5
"""Every so many matches are decided again as a whole."""

QUICK = {"midway": 75, "coral_sea": 6, "nimitz": 16, "pacific_war": 20}
"""Matches of a title that are played in the check-in, with every option among them; `soak` plays all."""

CHUNKS = [
    pytest.param(
        name, range(first, min(first + CHUNK, QUICK.get(name, MATCHES))), SAMPLE, id=f"{name}-{first}"
    )
    for name in TITLES
    for first in range(0, QUICK.get(name, MATCHES), CHUNK)
]
SOAK = [
    pytest.param(
        name, range(first, first + CHUNK), 1, id=f"{name}-{first}-every prompt", marks=pytest.mark.soak
    )
    for name in TITLES
    for first in range(0, MATCHES, CHUNK)
]
PATIENCE = (0.0, 0.9)


def invariants_of(name: str) -> Callable[[Table], Iterable[str]]:
    """The title's own hook: `tests/<title>/invariants.py` yields a sentence for each that is broken.

    It is `invariants(open)`, or `invariants_of_state(state)` where what must hold is behind screens too.
    """
    hooks = import_module(f"tests.{name}.invariants")
    if hasattr(hooks, "invariants_of_state"):
        return lambda table: hooks.invariants_of_state(table.state)
    return lambda table: hooks.invariants(table.open)


def set_up_of(game: Game, seed: int) -> tuple[str, dict[str, Any]]:
    return random_set_up(game, Random(f"set-up {seed}"))


@pytest.mark.parametrize(("name", "seeds", "every"), [*CHUNKS, *SOAK])
def test_random_matches_end_and_can_be_kept_moved_and_checked(name: str, seeds: range, every: int) -> None:
    game, invariants = TITLES[name], invariants_of(name)
    for seed in seeds:
        random = Random(seed)
        play = Play(game, *set_up_of(game, seed), seed)
        decided = 0
        while not play.over:
            for prompt in play.table.prompts.values():
                assert 0 < len(prompt.options) == len(set(prompt.options))
            assert play.state.asked == tuple(play.table.prompts) != ()
            seat, decisions = command(play, random, PATIENCE[seed % 2])
            fork = saved(play) if decided % every == 0 else None
            quiet = decisions[-1] in play.table.quiet(seat) and not play.table.sealed(seat)
            asked = set(play.table.prompts)
            facts = play.decide_all(seat, decisions)
            assert not quiet or (
                seat in play.table.prompts
                and asked >= set(play.table.prompts)
                and not any(fact.reveals for fact in facts)
            ), decisions
            if fork is not None:
                assert facts == fork.decide_all(seat, decisions)
                assert game.encode(play.state) == game.encode(fork.state)
            assert list(invariants(play.table)) == []
            decided += 1
        play.finish()

        assert_log_is_the_match(play)
        if seed % DECIDED_AGAIN == 0:
            assert list(readjudicate(game, play.log)) == []


def saved(play: Play) -> Table:
    """Put the match down as bytes and pick it up: it must stand where it stood and ask what it asked."""
    kept = play.game.encode(play.state)
    table = Table(play.game, play.game.restore(kept), play.dice)
    assert table.prompts == play.table.prompts
    assert table.facts == []
    assert play.game.encode(table.state) == kept
    return table


def assert_log_is_the_match(play: Play) -> None:
    """The log as bytes folds to the live state, and what a side was sent to what it sees."""
    game = play.game
    facts = [game.fact(game.encode(fact)) for _, fact in play.log]
    assert facts == [fact for _, fact in play.log]
    assert game.encode(evolve(game.state(), facts)) == game.encode(play.state)
    for audience in VIEWERS:
        sent = evolve(game.state(), seen_by(audience, facts))
        expected, actual = view(game, play.state, audience), view(game, sent, audience)
        assert (expected["match"], expected["table"]) == (actual["match"], actual["table"])
        assert "null" not in game.encode(actual).decode()


@pytest.mark.parametrize("name", TITLES)
def test_every_option_and_scenario_is_played_somewhere(name: str) -> None:
    game = TITLES[name]
    played = [set_up_of(game, seed) for seed in range(QUICK.get(name, MATCHES))]

    assert set(game.options) == {option for _, given in played for option in given}
    assert set(game.short) == {scenario for scenario, _ in played}


def test_teams_of_every_size_are_played_somewhere() -> None:
    game = TITLES["midway"]
    sizes = set()
    for seed in range(QUICK[game.name]):
        scenario, given = set_up_of(game, seed)
        if given.get("team_play"):
            sizes.add(len(game.seats(scenario, game.set_up(scenario, given))))

    assert {2, 3, 4, 5, 6, 7} == sizes


@pytest.mark.parametrize("every", [PATCHED, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", TITLES)
def test_the_patches_of_a_match_make_its_views(name: str, every: int) -> None:
    game, random, decided = TITLES[name], Random(3), 0
    play = Play(game, *set_up_of(game, 3), 3)
    seen: list[Any] = [view(game, play.state, Audience.of(side)) for side in (0, 1, None)]
    there: list[Any] = [sent(one) for one in seen]
    while not play.over:
        play.decide_all(*command(play, random, 0.5))
        decided += 1
        if decided % every and not play.over:
            continue
        for number, side in enumerate((0, 1, None)):
            now = view(game, play.state, Audience.of(side))
            there[number] = patched(there[number], sent(patch(seen[number], now)))
            seen[number] = now  # as it is: a view that shares what the table changes would be found
            assert sent(now) == there[number]


def sent(value: Any) -> Any:
    """As it arrives at the other end of a wire."""
    return json.decode(json.encode(value))


@pytest.mark.parametrize("name", TITLES)
def test_slips_are_taken_back_and_leave_no_trace_on_the_table(name: str) -> None:
    """A short match may have no slip that can be taken back; then another one is played."""
    assert any(slips(TITLES[name], seed) for seed in range(5, 15))


def slips(game: Game, seed: int) -> int:
    """Play a match with slips; return how many were taken back."""
    random, undone = Random(seed), 0
    play = Play(game, *set_up_of(game, seed), seed)
    while not play.over:
        seat, decisions = command(play, random, 0.5)
        before = game.encode(play.state.open), game.encode(play.state.stack), play.table.prompts
        play.decide_all(seat, decisions)
        if random.random() < 0.1 and not play.over:
            try:
                notices = undo_slip(play.state.match, seat, standing(play.log))
            except RequestError:
                continue
            play.undo(notices)
            undone += 1
            assert before == (
                game.encode(play.state.open),
                game.encode(play.state.stack),
                play.table.prompts,
            )
    play.finish()
    assert list(readjudicate(game, play.log)) == []
    return undone
