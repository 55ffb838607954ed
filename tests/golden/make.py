"""Makes the golden matches of a title anew. Look at what a change of rules does to them before renewing them.

    python -m tests.golden.make midway
    python -m tests.golden.make pacific_war C1
    python -m tests.golden.make midway hashes

A file holds one fact a line, and after every hundred facts a line with the hash of the state that the facts
so far fold to. With `hashes` the facts stay as they are and the hashes alone are renewed: when a ledger of
the title has a new field and nothing else has changed. With names, only these matches are made anew: those
of campaigns, whose rules still grow, while the others stay as they were recorded. The matches are played by
chance from fixed seeds, with a slip taken back and a draw declined.
"""

import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct, json

from clients.bots import strengths
from domain.kernel.facts import Fact, evolve
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match.draws import answer_draw, offer_draw
from domain.match.game import Game
from domain.match.notices import resign
from domain.match.refusals import RequestError
from domain.match.undo import standing
from domain.match.undoing import undo_slip
from domain.pacific_war.board.combat import month
from domain.titles import TITLES
from server.bench.compare import command_of
from tests.fuzz.matches import Play, command
from tests.pacific_war.lively import lively

EVERY = 100
HERE = Path(__file__).parent

MATCHES: dict[str, dict[str, tuple[str, dict[str, Any], int]]] = {
    "midway": {
        "duel": ("duel", {"armed_decks": True}, 1942),
        "historical-teams": (
            "historical-4-june",
            {
                "team_play": True,
                "american_seats": 2,
                "turn_limit": 14,
                "armed_decks": True,
                "cap_endurance": True,
                "ditching": True,
                "weak_flak": True,
                "japanese_search": True,
                "free_decks": True,
                "parallel_steps": True,
            },
            3,
        ),
    },
    "coral_sea": {
        "campaign": ("campaign", {}, 1942),
        "fortress-all-options": (
            "fortress",
            {
                "air_attacks_on_airfields": True,
                "limited_intelligence": True,
                "transport_troops_or_rp_exclusive": True,
                "always_ask": True,
            },
            1943,
        ),
    },
    "nimitz": {
        "alone-1945": ("1945", {}, 1945),
        "two-persons-1943": ("1943", {"mode": 2}, 7),
    },
    "pacific_war": {
        "C1": ("C1", {}, 1),
        "S1": ("S1", {}, 1),
        **{
            f"{scenario}-{seed}": (scenario, {}, seed)
            for scenario, seeds in {
                "E1": (31, 57),
                "E2": (14, 16),
                "E3": (44, 60),
                "E4": (5, 43),
                "B1": (40, 55),
            }.items()
            for seed in seeds
        },
    },
}


def by_the_house(table: Table, random: Random) -> tuple[int, list[Decision]]:
    """Return the first seat that is asked, and what the house's best player does there."""
    game, seat = TITLES[table.state.match.title], next(iter(table.prompts))
    best = list(strengths(game.name).values())[-1]
    return seat, command_of(game, table, seat, best, random)[1]


SEEKS = {"pacific_war": lively, "C1": by_the_house, "S1": by_the_house}
"""Titles and scenarios whose fleets by mere chance hardly meet, with a player that seeks the enemy."""


UNTIL = {"S1": "1942-03"}
"""Matches of the war, which would go on for years: Japan resigns as soon as it is this month."""


class StateHash(Struct, frozen=True):
    """The hash of the state after so many facts."""

    after: int
    state: str


def state_hash(game: Game, facts: Sequence[tuple[int, Fact]]) -> str:
    """Return the SHA-256 of the state that the standing facts fold to."""
    state = evolve(game.state(), (fact for _, fact in standing(facts)))
    return sha256(game.encode(state)).hexdigest()


def read(game: Game, path: Path) -> Iterator[Fact | StateHash]:
    """Yield the lines of a golden match."""
    for line in path.read_bytes().splitlines():
        yield json.decode(line, type=StateHash) if line.startswith(b'{"after"') else game.fact(line)


def play(game: Game, scenario: str, given: dict[str, Any], seed: int) -> Play:
    """Play a match by chance, mostly without ending stages early; a war until its month has come."""
    random, match = Random(seed), Play(game, scenario, given, seed)
    seeks = SEEKS.get(scenario) or SEEKS.get(game.name)
    while not match.over:
        if scenario in UNTIL and month(match.state.open) == UNTIL[scenario]:
            match.note(resign(match.state.match, 0))
            break
        seat, decisions = seeks(match.table, random) if seeks else command(match, random, 0.9)
        match.decide_all(seat, decisions)
        if random.random() < 1 / 16 and not match.over:
            slip(match, seat)
        offered = any(type(fact).__name__ == "DrawOffered" for _, fact in match.log)
        if len(match.log) > EVERY and not offered and not match.over and match.state.match.seats_of(1):
            match.note(offer_draw(match.state.match, 0))
            match.note(answer_draw(match.state.match, 1, agreed=False))
    match.finish()
    return match


def slip(match: Play, seat: int) -> None:
    """Take back what the seat has just decided, where that is allowed."""
    try:
        match.undo(undo_slip(match.state.match, seat, standing(match.log)))
    except RequestError:
        return


def write(game: Game, path: Path, log: Sequence[tuple[int, Fact]]) -> None:
    """Write a match as a golden one."""
    with path.open("wb") as file:
        for seq, fact in log:
            file.write(game.encode(fact) + b"\n")
            if seq % EVERY == 0 or seq == len(log):
                file.write(json.encode(StateHash(seq, state_hash(game, log[:seq]))) + b"\n")


def renew(title: str) -> None:
    """Write the golden matches of a title again with the same facts and new hashes."""
    game = TITLES[title]
    for path in sorted((HERE / title).glob("*.jsonl")):
        facts = [line for line in read(game, path) if isinstance(line, Fact)]
        write(game, path, list(enumerate(facts, start=1)))


def main(title: str, names: Sequence[str] = ()) -> None:
    """Make golden matches of a title: these, or all."""
    game, folder = TITLES[title], HERE / title
    folder.mkdir(exist_ok=True)
    for name in names or MATCHES[title]:
        scenario, given, seed = MATCHES[title][name]
        write(game, folder / f"{name}.jsonl", play(game, scenario, given, seed).log)


if __name__ == "__main__":
    renew(sys.argv[1]) if sys.argv[2:] == ["hashes"] else main(sys.argv[1], sys.argv[2:])
