"""Views that follow the change: at every step of random matches they are those that are made from nothing."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from msgspec import Struct, json, structs

from domain.kernel.audience import VIEWERS, Audience, Viewer
from domain.match.game import Game
from domain.match.parts import Part
from domain.match.refusals import RequestError
from domain.match.undo import standing
from domain.match.undoing import undo_slip
from domain.match.views import View, Views, patch, patched, patches
from domain.titles import TITLES
from tests import seen
from tests.fuzz.matches import Play, command, random_set_up
from tests.tiny import GAME

GAMES: dict[str, Game] = {**TITLES, "tiny": GAME}
MATCHES = 100
QUICK = {"midway": 2, "coral_sea": 2, "nimitz": 1, "pacific_war": 3, "tiny": 10}
"""Matches of a title that are followed in the check-in; `soak` follows all."""

FIRST = 500
"""Decisions of those matches that are followed; in the soak all are."""

SAMPLE = 25
"""At every so many steps of those matches the patches are looked into; in the soak at every one."""

SLIPS, LOOKS, CATCHES_UP = 0.02, 0.1, 0.3
"""How often a seat takes its decision back, or looks ahead before a quiet one; and a slow node catches up."""

FOLLOWED = [pytest.param(name, seed, SAMPLE) for name in GAMES for seed in range(QUICK[name])]
SOAK = [pytest.param(name, seed, 1, marks=pytest.mark.soak) for name in GAMES for seed in range(MATCHES)]


def alike(some: Mapping[Viewer, Part], others: Mapping[Viewer, Part]) -> bool:
    """Whether views are sent alike: of two that are equal in Python one may leave out what the other says.

    Their bytes mostly are the same; where only the order differs they are read.
    """
    return some.keys() == others.keys() and all(
        json.encode(view) == json.encode(others[audience]) or seen.plain(view) == seen.plain(others[audience])
        for audience, view in some.items()
    )


class Watching:
    """What each audience was sent so far, folded."""

    def __init__(self, play: Play, every: int) -> None:
        self.play, self.every, self.views = play, every, Views(play.game)
        self.lagging = Views(play.game)
        """Those of a node that takes several commands at once."""
        self.shown: dict[Viewer, Part] = dict.fromkeys(VIEWERS, Part())
        self.folded: dict[Viewer, Any] = {audience: {} for audience in VIEWERS}
        self.read = json.Decoder(View[play.game.table]).decode  # type: ignore[name-defined]
        self.steps = 0

    def look(self) -> None:
        """Take what was decided, and hold the views against those made from nothing."""
        now = self.views.of(self.play.state)
        changes = patches({audience: (self.shown[audience], now[audience]) for audience in VIEWERS})
        assert alike(now, Views(self.play.game).of(self.play.state))
        for audience, change in changes.items():
            self.folded[audience] = patched(self.folded[audience], json.decode(json.encode(change)))
        if self.steps % self.every == 0 or self.play.over:
            self.compare(now, changes)
        self.shown = dict(now)
        self.steps += 1

    def catch_up(self) -> None:
        """Hold the views of a node that lags against those of one that has followed all along."""
        assert alike(self.lagging.of(self.play.state), self.shown)

    def compare(self, now: Mapping[Viewer, Part], changes: Mapping[Viewer, Any]) -> None:
        """Hold what was folded, and what the last patches said, against whole views, as JSON."""
        plain = {id(view): seen.plain(view) for view in (*self.shown.values(), *now.values())}
        for audience in VIEWERS:
            old, new = plain[id(self.shown[audience])], plain[id(now[audience])]
            assert new == self.folded[audience]
            assert seen.plain(changes[audience]) == patch(old, new), "no more is said than what changed"
            if new["table"]:
                assert seen.plain(self.read(json.encode(new))) == new, "it is what its types say"

    def look_ahead(self, seat: int, random: Random) -> None:
        """See what would come of a quiet decision; what is shown of the match stays what it is."""
        quiet = self.play.table.quiet(seat)
        if not quiet:
            return
        audience = Audience.of(self.play.state.match.side(seat))
        ahead = self.play.table.ahead(seat, [random.choice(quiet)]).state
        there = self.views.copy().of(ahead, (audience,))[audience]
        assert seen.view(self.play.game, ahead, audience) == seen.plain(there)


@pytest.mark.parametrize(("name", "seed", "every"), [*FOLLOWED, *SOAK])
def test_the_old_view_and_its_patch_make_the_view_made_from_nothing(name: str, seed: int, every: int) -> None:
    game, random = GAMES[name], Random(seed)
    play = Play(game, *random_set_up(game, Random(f"set-up {seed}")), seed)
    watching = Watching(play, every)
    watching.look()
    while not play.over and (every == 1 or watching.steps < FIRST):
        seat, decisions = command(play, random, 0.9 if seed % 2 else 0.3)
        if random.random() < LOOKS:
            watching.look_ahead(seat, random)
        play.decide_all(seat, decisions)
        watching.look()
        if random.random() < CATCHES_UP:
            watching.catch_up()
        if random.random() < SLIPS and not play.over:
            try:
                play.undo(undo_slip(play.state.match, seat, standing(play.log)))
            except RequestError:
                continue
            watching.look()
    if play.over:
        play.finish()
    watching.look()
    watching.catch_up()


def altered(value: Any) -> Iterator[Any]:
    """Yield a value changed in one place, in one way after the other."""
    if isinstance(value, bool | int | str):
        yield not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else ""
    elif isinstance(value, dict):
        for key, item in list(value.items())[:3]:
            yield {name: one for name, one in value.items() if name != key}
            yield from ({**value, key: other} for other in altered(item))
        yield from (dict(reversed(value.items())), {})
    elif isinstance(value, list | tuple):
        kind = type(value)
        yield from (kind(value[:-1]), kind(reversed(value)), kind())
        for place, item in list(enumerate(value))[:3]:
            yield from (kind([*value[:place], other, *value[place + 1 :]]) for other in altered(item))
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from (structs.replace(value, **{name: one}) for one in altered(getattr(value, name)))


@pytest.mark.parametrize("name", GAMES)
def test_a_change_of_any_one_thing_on_the_table_or_a_screen_is_seen(name: str) -> None:
    """Also of what no rule changes by itself; where a title cannot draw that up at all it is passed over."""
    game, seen_at = GAMES[name], 0
    for seed in range(4):
        random = Random(seed)
        play = Play(game, *random_set_up(game, Random(f"set-up {seed}")), seed)
        for _ in range(150 * (seed + 1)):
            if play.over:
                break
            play.decide_all(*command(play, random, 0.9))
        before = Views(game)
        before.of(play.state)
        owns = [[other, play.state.own[1]] for other in altered(play.state.own[0])]
        states = [structs.replace(play.state, own=own) for own in owns]
        states += [structs.replace(play.state, open=other) for other in altered(play.state.open)]
        for state in states:
            try:
                anew = Views(game).of(state)
            except Exception:
                continue
            assert alike(anew, before.copy().of(state))
            seen_at += 1
    assert seen_at > 40
