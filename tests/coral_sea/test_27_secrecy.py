"""C27 Nothing that an audience is sent depends on what it may not know, with every option."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest

from domain.coral_sea import CORAL_SEA
from domain.coral_sea.decisions import PickUnit, StartNavalMove, StepTo, Stop
from domain.coral_sea.happenings import UnitsShown
from domain.coral_sea.printed import SIDES
from domain.coral_sea.secrets import HiddenStackUnderWay
from domain.coral_sea.table import Own, pile
from domain.kernel.audience import Audience
from domain.kernel.dice import seeded
from domain.kernel.facts import State
from domain.kernel.table import Table
from domain.match.views import Views, patches
from tests.coral_sea.board import AL, JP, operation
from tests.kernel.playing import Playing, any_choice
from tests.kernel.secrecy import Hiding, check, message
from tests.seen import plain, view

MIXES: list[tuple[str, dict[str, bool]]] = [
    ("campaign", {}),
    ("campaign", {"always_ask": True}),
    ("campaign", {"limited_intelligence": True}),
    ("fortress", {"air_attacks_on_airfields": True, "transport_troops_or_rp_exclusive": True}),
    ("fortress", {"air_attacks_on_airfields": True, "always_ask": True}),
    ("fortress", {"limited_intelligence": True, "always_ask": True}),
]


def canaries(state: State[Any, Any], side: int) -> Iterable[str]:
    """The cards of a side that the enemy has not seen, and the chits that nobody has seen in this battle."""
    own: Own = state.own[side]
    yield from (card for card in [*own.hand, *own.discards] if card not in state.own[1 - side].seen)
    battle = state.open.battle
    if battle:
        yield from (chit for chit in own.chits if chit not in battle.shown)


def lying(state: State[Any, Any], purpose: str) -> Sequence[str]:
    """What a draw is made from, in the order of places."""
    what, _, name = purpose.partition(", ")
    side = SIDES.index(name)
    if what == "draw a card":
        return pile(state, side)
    chits: list[str] = state.own[side].cup if what == "draw a chit" else state.own[side].chits
    return chits


def sealed(table: Table, seat: int) -> bool:
    """The choice of Card or Map, until both are in; and setting a top is no secret."""
    return table.prompts[seat].rule == "C5.2" and len(table.prompts) > 1 and not table.own[seat].order


HIDING = Hiding(canaries, lying, sealed)


def test_c27_a_match_leaks_nothing() -> None:
    assert 0 < check(CORAL_SEA, "campaign", {}, 1, HIDING)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, 40, 4))
@pytest.mark.parametrize(("scenario", "options"), MIXES)
def test_c27_two_hundred_matches_leak_nothing(scenario: str, options: dict[str, bool], first: int) -> None:
    assert 0 < sum(check(CORAL_SEA, scenario, options, 100 + first + seed, HIDING) for seed in range(4))


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.soak) for n in range(2, 12))])
def test_c22_2_c27_a_unit_under_the_top_is_never_named_to_the_enemy(seed: int) -> None:
    """A unit covered before a command and after it is named in no fact, patch or prompt for the enemy."""
    chance, options = Random(seed), {"limited_intelligence": True}
    playing = Playing(CORAL_SEA, "campaign", options, seeded(seed))
    views, audiences = Views(CORAL_SEA), (Audience.of(0), Audience.of(1))
    seen = views.of(playing.state, audiences)
    hidden = 0
    while not playing.state.match.over:
        before = [covered(playing.state, side) for side in (0, 1)]
        length = len(playing.log)
        playing.decide(*any_choice(playing.table, chance))
        facts = playing.log[length:]
        shown = {name for _, fact in facts if isinstance(fact, UnitsShown) for name in fact.units}
        now = views.of(playing.state, audiences)
        changes = patches({audience: (seen[audience], now[audience]) for audience in audiences})
        seen = now
        for side, audience in enumerate(audiences):
            said = message(playing.table, facts, changes[audience], side)
            foe = 1 - side
            tops = {stack.top for stack in playing.state.open.stacks[foe].values()}
            for unit in before[foe] & covered(playing.state, foe) - shown - tops:
                hidden += 1
                assert f'"{unit}"'.encode() not in said
                assert f"[{unit}]".encode() not in said
            assert "move" not in plain(now[audience])["table"]
    assert 1_000 < hidden


@pytest.mark.parametrize("side", [JP, None])
def test_c22_2_what_a_hidden_fleet_carries_is_told_to_nobody_else(side: int | None) -> None:
    """A unit aboard and a resource point ashore, or the other way round: all stacks look the same."""
    assert voyage("papuan_coast", side) == voyage("australia", side)
    assert voyage("papuan_coast", AL) != voyage("australia", AL)


def voyage(brigade: str, side: int | None) -> list[bytes]:
    """What an audience is sent while two ships sail out and back, decision by decision."""
    ships = {"a_tf44": "papuan_coast", "a_desron2": "papuan_coast"}
    rp = {area: 1 if area == brigade else 2 for area in ("papuan_coast", "australia")}
    options = {"limited_intelligence": True}
    board = operation(AL, "papuan_coast", {**ships, "a_7": brigade}, rp=({}, rp), options=options)
    out, back = StepTo("gulf_of_papua"), StepTo("papuan_coast")
    said = []
    for decision in (StartNavalMove(), *map(PickUnit, ships), out, back, Stop()):
        before = len(board.facts)
        board.go(decision)
        facts = list(enumerate(board.facts))[before:]
        said.append(message(board.table, facts, view(CORAL_SEA, board.table.state, Audience.of(side)), side))
    assert any(isinstance(fact, HiddenStackUnderWay) for fact in board.facts)
    return said


def covered(state: State[Any, Any], side: int) -> set[str]:
    """The units of a side that lie under the top of a hidden stack; those in a battle are in sight."""
    own: Own = state.own[side]
    return {item for order in own.order.values() for item in order[:-1] if item in own.units}
