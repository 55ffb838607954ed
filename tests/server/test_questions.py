"""Since when a seat has had its prompt: the same for who followed a match and for who folds it again."""

import asyncio
import random
from collections.abc import Generator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from msgspec import Raw, json, structs

from domain.kernel.audience import VIEWERS
from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision
from domain.kernel.seats import Clock
from domain.kernel.table import Table
from domain.match import draws, undoing
from domain.match.chain import Entry
from domain.match.fold import Fold
from domain.match.game import Game
from domain.match.refusals import RequestError
from domain.match.views import patched
from domain.titles import TITLES
from server.bench import chance
from server.play import acts
from server.play.acts import Action, Stale
from server.play.live import Live
from server.play.questions import prompt_message
from server.play.reading import Reading, game_of
from server.play.slices import Slices
from server.protocol import wire
from tests import tiny
from tests.conftest import running
from tests.projections.play import play
from tests.server.talk import enter, prompt, seated, talking
from tests.tiny.decisions import Lose, Sail


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, tiny.GAME.name, tiny.GAME)


SECOND = 1_000_000


def opened(fold: Fold, entries: Sequence[Entry], key: bytes) -> Generator[None, None, Live]:
    """Make a live match from a fold and the facts that follow it."""
    reading = Reading(fold)
    yield from reading.page(entries)
    reading.check_start()
    return (yield from Live.opened(entries[0].match, key, reading))


class Followed:
    """A live match and its log, without a database."""

    def __init__(
        self, game: Game, scenario: str, options: dict[str, Any], seed: int = 1, clock: Clock | None = None
    ) -> None:
        begun = play(game, scenario, options, seed=seed, most=0, clock=clock)
        self.entries: list[Entry] = list(begun.entries)
        self.key = begun.key
        self.live = self.folded()

    def folded(self) -> Live:
        return asyncio.run(Slices().through(opened(Fold(game_of(self.entries[0])), self.entries, self.key)))

    def do(self, act: Action) -> None:
        facts = self.live.closed(act(self.live))
        sealings = self.live.sealed(UUID(int=len(self.entries)), self.live.at + SECOND, facts)
        self.entries += [one.entry for one in sealings]
        self.live.stored(sealings, facts)

    def decide(self, seat: int, which: int = 0, answers: int | None = None) -> None:
        assert self.live.table is not None
        option = self.live.table.prompts[seat].options[which]
        raw = self.live.game.encode(option)
        act, _ = acts.decide(seat, self.live.seq if answers is None else answers, [Raw(raw)])
        self.do(act)


def at_some_moment(match: Followed, chance: random.Random) -> None:
    """Do what some seat may do: mostly decide, now and then take a slip back or offer a draw."""
    state = match.live.state.match
    seat = chance.randrange(len(state.seats))

    def slip(live: Live) -> list[Fact]:
        return live.note(undoing.undo_slip(live.state.match, seat, live.facts))

    def draw(live: Live) -> list[Fact]:
        return live.note(draws.offer_draw(live.state.match, seat))

    what = chance.random()
    try:
        if what < 0.8:
            asked = chance.choice(sorted(match.live.asked_at))
            assert match.live.table is not None
            match.decide(asked, chance.randrange(len(match.live.table.prompts[asked].options)))
        else:
            match.do(slip if what < 0.9 else draw)
    except RequestError:
        return


@pytest.mark.parametrize(
    ("title", "scenario", "options", "commands"),
    [
        ("tiny", "campaign", {"pairs": True}, 400),
        ("tiny", "campaign", {}, 400),
        ("midway", "historical-4-june", {"team_play": True, "parallel_steps": True}, 60),
        ("coral_sea", "campaign", {}, 60),
        ("nimitz", None, {}, 40),
    ],
)
def test_a_match_folded_again_knows_since_when_each_seat_has_been_asked(
    title: str, scenario: str | None, options: dict[str, Any], commands: int
) -> None:
    game = TITLES[title]
    match = Followed(game, scenario or next(iter(game.scenarios)), options)
    chance = random.Random(title)

    for _ in range(commands):
        if match.live.state.match.over:
            break
        at_some_moment(match, chance)

        assert match.live.asked_at == match.folded().asked_at


@pytest.mark.parametrize(
    ("title", "scenario", "options"),
    [
        ("tiny", "campaign", {"pairs": True}),
        ("tiny", "campaign", {}),
        ("midway", "historical-4-june", {"team_play": True, "parallel_steps": True}),
        ("coral_sea", "campaign", {}),
    ],
)
@pytest.mark.parametrize("clock", [None, Clock(600, 5)])
def test_a_match_that_takes_what_others_stored_is_the_one_that_is_folded_again(
    title: str, scenario: str, options: dict[str, Any], clock: Clock | None
) -> None:
    """Whatever it was at, and however many commands it takes at once: slips taken back are among them."""
    match, chance = Followed(TITLES[title], scenario, options, clock=clock), random.Random(title)
    behind, taken = match.folded(), 0
    for _ in range(60):
        if match.live.state.match.over:
            break
        at_some_moment(match, chance)
        if chance.random() < 0.6 or behind.seq == match.live.seq:
            continue
        was, news = behind.snapshot, match.entries[behind.seq :]
        asyncio.run(Slices().through(behind.following(news)))
        taken += 1
        again = match.folded()

        assert again.snapshot == structs.replace(behind.snapshot, latest=())
        assert again.state == behind.state == match.live.state
        assert again.table is not None or match.live.state.match.over
        for audience, frame in zip(VIEWERS, behind.snapshot.latest, strict=True):
            before, now = was.views[audience], match.live.snapshot.views[audience]
            assert audience is frame.audience
            told = wire.decode_outgoing(frame.text)
            assert isinstance(told, wire.Frame)
            assert json.decode(json.encode(now)) == patched(json.decode(json.encode(before)), told.patch)
        assert {(was.seq, again.seq)} == {(frame.after, frame.upto) for frame in behind.snapshot.latest}
    assert taken > 5


def test_a_simultaneous_choice_of_another_leaves_a_prompt_as_old_as_it_was() -> None:
    match = Followed(tiny.GAME, "skirmish", {})
    began = match.live.seq
    match.decide(0)

    again = match.folded()

    assert {1: began} == again.asked_at
    assert began < again.seq


def test_a_seat_that_has_decided_is_asked_anew_even_if_the_same_is_asked() -> None:
    match = fleet_under_fire()
    assert match.live.table is not None
    (seat,) = match.live.asked_at
    before, answers = match.live.table.prompts[seat], match.live.seq
    match.decide(seat)

    assert before == match.live.table.prompts[seat]
    assert {seat: match.live.seq} == match.live.asked_at == match.folded().asked_at
    with pytest.raises(Stale):
        match.decide(seat, answers=answers)


def fleet_under_fire() -> Followed:
    """Return a match in which a captain has two hits to take, and boats of two steps to choose from."""
    for seed in range(1, 200):
        match = Followed(tiny.GAME, "campaign", {}, seed)
        for _ in range(6):
            assert match.live.table is not None
            seat, prompt = next(iter(match.live.table.prompts.items()))
            if isinstance(prompt.options[0], Lose):
                break
            last = -1 if not isinstance(prompt.options[0], Sail) else 0
            match.decide(seat, last)
        frames = b"".join(map(bytes, match.live.state.stack))
        if b'"Losses"' in frames and any(b'"hits":%d' % hits in frames for hits in (2, 3)):
            return match
    raise AssertionError("no seed gives two hits")


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_choice_made_at_once_with_another_s_is_taken_whether_the_server_restarts_or_not(
    dsn: str, folder: Path, *, restarts: bool
) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(running(dsn, folder))
        created, north, south = await stack.enter_async_context(seated(first.url))
        seen, options = await prompt(south, 1)
        upto, others = await prompt(north, 0)
        await north.ask("decide", match=created["match"], answers=upto, decision=others[0])
        server = first
        if restarts:
            await stack.aclose()
            server = await stack.enter_async_context(running(dsn, folder))

        async with talking(server.url) as again:
            await enter(again, created, 1)
            choice = {"match": created["match"], "answers": seen, "decision": options[0]}
            told = await again.ask("decide", **choice)

    assert "receipt" == told["t"]


async def test_a_choice_that_reaches_another_node_is_as_fresh_there(dsn: str, folder: Path) -> None:
    async with (
        running(dsn, folder) as one,
        running(dsn, folder) as other,
        seated(one.url) as (created, north, south),
        talking(other.url) as elsewhere,
    ):
        seen, options = await prompt(south, 1)
        upto, others = await prompt(north, 0)
        await north.ask("decide", match=created["match"], answers=upto, decision=others[0])
        await enter(elsewhere, created, 1)

        choice = {"match": created["match"], "answers": seen, "decision": options[0]}
        told = await elsewhere.ask("decide", **choice)

    assert "receipt" == told["t"]


@pytest.mark.parametrize("title", sorted(TITLES))
def test_a_prompt_says_by_their_places_which_of_its_options_are_quiet(title: str) -> None:
    game, seen = TITLES[title], set[str]()

    def look(table: Table, seat: int, by: random.Random) -> Decision:
        options, quiet = table.prompts[seat].options, table.quiet(seat)
        places = prompt_message(game, table, seat).quiet
        assert [option for option in options if option in quiet] == [options[place] for place in places]
        seen.add("none" if not quiet else "the first" if quiet == options[: len(quiet)] else "others")
        return chance.by_chance(table, seat, by)

    for seed in range(30):  # dice are thrown anew each time, and short matches may end before any is quiet
        if seed < 3 or len(seen) < 2:
            chance.play(game, min(game.short), 300, seed, choose=look)

    assert len(seen) > 1, seen
