import time
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import pytest
from msgspec import json

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact, Secret, State, evolve
from domain.kernel.seats import Clock
from domain.match.chain import Sealed, commitment, head, link
from domain.match.fold import Fold
from domain.match.game import Game
from domain.match.undo import standing
from domain.match.views import patched
from domain.titles import TITLES
from projections.views import folded, seen_at, steps
from tests.projections.play import Played, play
from tests.seen import plain, view
from tests.tiny import GAME

SIDES = [0, 1, None]
MATCHES = [
    *((GAME, "campaign", {"pairs": True}, seed) for seed in range(3)),
    *((game, scenario, {}, 1) for game in TITLES.values() for scenario in game.short),
]


def straight(played: Played, side: int | None) -> dict[str, Any]:
    """The view by the definition: fold what stands, from the first fact on."""
    return view(played.game, stands(played.game, played.facts), Audience.of(side))


def of_state(seen: dict[str, Any]) -> dict[str, Any]:
    """What of a view follows from the state alone: all but what may be claimed, which takes the log."""
    return {name: part for name, part in seen.items() if name not in ("early", "waited_since")}


def stands(game: Game, facts: Sequence[tuple[int, Fact]]) -> State[Any, Any]:
    return evolve(game.state(), [fact for _, fact in standing(facts)])


@pytest.mark.parametrize("moments", [12, pytest.param(1_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("game", "scenario", "options", "seed"), MATCHES)
def test_the_patches_fold_to_the_view_after_every_command(
    game: Game, scenario: str, options: dict[str, Any], seed: int, moments: int
) -> None:
    """So many times in a match, evenly, they are held against the view by its definition."""
    played = play(game, scenario, options, seed=seed, undos=0.3)
    facts, ends = played.facts, [command[-1].seq for command in played.commands]
    every = max(1, len(ends) // moments)
    sent = [steps(game, played.entries, Audience.of(side), played.k_salt) for side in SIDES]
    seen: list[dict[str, Any]] = [{} for _ in SIDES]

    for number, frames in enumerate(zip(*sent, strict=True), 1):
        seen = [patched(before, frame.patch) for before, frame in zip(seen, frames, strict=True)]
        if number % every == 0 or number == len(ends):
            state = stands(game, facts[: ends[number - 1]])
            for side, patches in zip(SIDES, seen, strict=True):
                assert json.encode(view(game, state, Audience.of(side)), order="sorted") == json.encode(
                    of_state(patches), order="sorted"
                )


@pytest.mark.parametrize("side", SIDES)
def test_frames_join_up_and_follow_the_chain(side: int | None) -> None:
    played = play(GAME, "campaign", seed=2, undos=0.3)
    prev, after = bytes(32), 0

    for frame in steps(GAME, played.entries, Audience.of(side), played.k_salt):
        full = {entry.seq: entry for entry in played.entries}
        told = [full[one.seq] for one in frame.facts]
        sealed = [Sealed(seq, bytes.fromhex(c)) for seq, c in frame.sealed]
        prev = head(played.match, sorted([*told, *sealed], key=lambda one: one.seq), prev)
        assert after == frame.after
        assert prev.hex() == frame.h
        assert all(Audience.of(side).sees(entry.audience) for entry in told)
        after = frame.upto

    assert after == len(played.entries)


@pytest.mark.parametrize("side", SIDES)
def test_frames_alone_are_enough_to_follow_the_chain(side: int | None) -> None:
    played = play(GAME, "campaign", seed=2, undos=0.3)
    prev = bytes(32)

    for frame in steps(GAME, played.entries, Audience.of(side), played.k_salt):
        found = {seq: bytes.fromhex(c) for seq, c in frame.sealed}
        for one in frame.facts:
            grain, body = bytes.fromhex(one.salt), one.body.encode()
            found[one.seq] = commitment(grain, one.type, one.ver, one.audience, one.command, one.at, body)
        for seq in sorted(found):
            prev = link(played.match, seq, prev, found[seq])

        assert prev.hex() == frame.h


@pytest.mark.parametrize("side", [1, None])
def test_no_frame_holds_another_sides_secret(side: int | None) -> None:
    played = play(GAME, "campaign", seed=2)
    hidden = [
        e
        for e, (_, f) in zip(played.entries, played.facts, strict=True)
        if isinstance(f, Secret) and f.side == 0
    ]

    sent = b"".join(
        json.encode(frame) for frame in steps(GAME, played.entries, Audience.of(side), played.k_salt)
    )

    assert hidden
    for entry in hidden:
        assert json.encode(entry.body.decode()) not in sent


def test_with_everything_all_facts_are_told_and_none_is_sealed() -> None:
    played = play(GAME, "campaign", seed=2, undos=0.3)

    frames = list(steps(GAME, played.entries, Audience.SIDE_0, played.k_salt, everything=True))

    assert [entry.seq for entry in played.entries] == [one.seq for frame in frames for one in frame.facts]
    assert [] == [one for frame in frames for one in frame.sealed]
    assert straight(played, 0) == of_state(plain(folded(frames)))


def test_clocks_are_seen_as_the_live_table_shows_them() -> None:
    played = play(GAME, "campaign", seed=2, clock=Clock(600, 5, 900))

    fold = Fold(GAME)
    for command in played.commands:
        fold.apply(command)

    seen = folded(steps(GAME, played.entries, Audience.ONLOOKERS, played.k_salt))

    assert fold.clocks is not None
    left = {str(seat): time for seat, time in fold.clocks.left.items()}
    assert {"at": played.entries[-1].at, "left": left} == seen["clocks"]
    assert all(0 < time < 900_000_000 for time in left.values())


def test_the_view_at_a_moment_is_that_of_the_last_whole_command() -> None:
    played = play(GAME, "campaign", seed=2, undos=0.3)
    ends = [list(command)[-1].seq for _, command in groupby(played.entries, lambda e: e.command)]

    for number, end in enumerate(ends[:-1], 1):
        seen = [seen_at(GAME, played.entries, Audience.SIDE_1, seq) for seq in (end, ends[number] - 1)]
        assert 2 * [straight(played.cut(number), 1)] == [of_state(plain(one)) for one in seen]


def test_two_thousand_facts_in_half_a_second() -> None:
    game = next(iter(TITLES.values()), GAME)
    played = play(game, game.short[-1], seed=1)
    begun = time.process_time()

    frames = list(steps(game, played.entries, Audience.ONLOOKERS, played.k_salt))

    took = (time.process_time() - begun) * 2000 / len(played.entries)
    print(f"{len(played.entries)} facts, {len(frames)} commands: {took:.3f} s for 2,000 facts")  # noqa: T201
    assert took < 0.5
