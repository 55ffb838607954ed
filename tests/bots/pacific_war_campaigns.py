"""Plays campaigns of Pacific War, and the war, between bots without a server, and prints what they come to.

    python -m tests.bots.pacific_war_campaigns C1 --games 20
    python -m tests.bots.pacific_war_campaigns S1 --games 1 --months 46
    python -m tests.bots.pacific_war_campaigns S1 S2 --games 3 --keep var/campaigns.jsonl

For each seed: the level of the result, the month that was reached, Operations, the locations that the Allies
hold, decisions and facts, and both a second of processor time, of bots and rules together; the part of it
that the rules took, and what they take for a median decision and for the slowest of a hundred, in ms of the
processor; the memory of the process at the end, and how much of that came in the later half of the
months, both in MB.

With `--keep` each campaign is a line of a file as soon as it is over, and is not played again while neither
rules nor bots change: what was broken off goes on where it stood.
"""

import argparse
import gc
import hashlib
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from msgspec import Struct, json

from clients.bots import Choose, strengths
from domain.kernel.audience import Audience
from domain.kernel.seats import Match
from domain.titles import TITLES
from server.bench import compare
from tests.bots.pacific_war_matches import spread

GAME = TITLES["pacific_war"]
NAMES = (
    *("seed", "ended", "month", "ops", "AL", "decided", "facts", "dec/s", "facts/s", "rules"),
    *("median", "p99", "MB", "grown"),
)
WIDTH = "{:>5} {:<18} {:>8} {:>4} {:>4} {:>8} {:>7} {:>7} {:>7} {:>6} {:>6} {:>6} {:>6} {:>6}"
HEAD = WIDTH.format(*NAMES)
ROOT: Final = Path(__file__).resolve().parents[2]
CODE: Final = ("clients/bots", "domain/kernel", "domain/match", "domain/pacific_war")
"""What the course of a campaign hangs on."""


class Campaign(Struct, frozen=True):
    """What a campaign came to, or so many months of it."""

    seed: int
    winner: int | None
    over: bool
    level: str
    points: tuple[int, int]
    """Those of Japan and of the Allies, in a campaign with points."""
    month: str
    operations: int
    allied: int
    """Locations that the Allies hold at the end."""
    decisions: int
    facts: int
    seconds: float
    """Processor time of bots and rules."""
    rules: float
    """That of the rules alone."""
    median: float
    p99: float
    """Milliseconds that the rules take for a decision: the median, and the slowest of a hundred."""
    memory: tuple[int, ...]
    """That of the process in MB, at the start of each month and at the end."""

    @property
    def grown(self) -> int:
        """The MB that came in the later half of the months: none if nothing is kept but what is bounded."""
        return self.memory[-1] - self.memory[len(self.memory) // 2]


class Played(Struct, frozen=True):
    """What a campaign hangs on: the code, and what it was played with."""

    code: str
    scenario: str
    bots: tuple[str, str]
    months: int
    seed: int


class Kept(Struct, frozen=True):
    """A line of the file of results."""

    played: Played
    campaign: Campaign


def code() -> str:
    """Return a hash of rules, data and bots."""
    files = sorted(
        path for folder in CODE for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".json")
    )
    whole = hashlib.sha256()
    for path in files:
        whole.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return whole.hexdigest()[:16]


def resident() -> int:
    """Return the memory of this process in MB, without what is only waiting to be collected."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def campaign(scenario: str, bots: tuple[str, str], seed: int, months: int = 0) -> Campaign:
    """Play a campaign, each side by its bot, to its end or for so many months."""
    players: tuple[Choose, ...] = tuple(strengths("pacific_war")[name] for name in bots)
    table, chance = compare.laid_open(GAME, scenario, {}, seed), Random(seed)
    match: Match = table.state.match
    seen, facts, took, began = dict[str, int](), 0, list[float](), time.process_time()
    while not match.over:
        if (month := table.state.open.war.month) not in seen:
            if months and len(seen) == months:
                break
            seen[month] = resident()
        seat = next(iter(table.prompts))
        _, chosen = compare.command_of(GAME, table, seat, players[match.side(seat)], chance)
        before = time.process_time()
        facts += len(table.decide_all(seat, chosen))
        took += [(time.process_time() - before) / len(chosen)] * len(chosen)
    seconds = time.process_time() - began
    end: dict[str, Any] = compare.shown(GAME, table, Audience.ONLOOKERS)["table"]
    held = Counter(base["control"] for base in end["locations"].values())
    points = end.get("points", {})
    return Campaign(
        seed,
        match.winner,
        match.over,
        end.get("level", ""),
        (points.get("JP", 0), points.get("AL", 0)),
        end["month"],
        end["war"]["operations"],
        held["AL"],
        len(took),
        facts,
        seconds,
        sum(took),
        1000 * median(took),
        1000 * sorted(took)[99 * len(took) // 100],
        (*seen.values(), resident()),
    )


def row(one: Campaign) -> str:
    """Return what a campaign came to as a line."""
    return WIDTH.format(
        one.seed,
        one.level if one.over else "goes on",
        one.month,
        one.operations,
        one.allied,
        one.decisions,
        one.facts,
        round(one.decisions / one.seconds),
        round(one.facts / one.seconds),
        f"{one.rules / one.seconds:.0%}",
        f"{one.median:.1f}",
        f"{one.p99:.1f}",
        one.memory[-1],
        one.grown,
    )


def kept(file: Path | None) -> dict[Played, Campaign]:
    """Return what a file of results holds."""
    lines = file.read_bytes().splitlines() if file and file.exists() else []
    return {one.played: one.campaign for one in (json.decode(line, type=Kept) for line in lines)}


def keep(file: Path, played: Played, one: Campaign) -> None:
    """Add a campaign to a file of results."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as lines:
        lines.write(json.encode(Kept(played, one)) + b"\n")


def report(
    scenario: str, bots: tuple[str, str], seeds: Sequence[int], months: int = 0, file: Path | None = None
) -> Iterator[tuple[str, Campaign | None]]:
    """Play campaigns, if the file has them not, and yield what they come to, line by line, with each."""
    yield f"{scenario} {bots[0]} (Japan) against {bots[1]} (Allies)", None
    yield HEAD, None
    known, now = kept(file), code()
    played = list[Campaign]()
    for seed in seeds:
        what = Played(now, scenario, bots, months, seed)
        one = known.get(what) or campaign(scenario, bots, seed, months)
        if file and what not in known:
            keep(file, what, one)
        played.append(one)
        yield row(one), one
    ended = [one for one in played if one.over]
    if ended:
        levels = Counter(one.level for one in ended)
        yield compare.line(GAME, bots, Counter(one.winner for one in ended)), None
        yield ", ".join(f"{level} {number}" for level, number in levels.most_common()), None
        yield f"Allied less Japanese points {spread([one.points[1] - one.points[0] for one in ended])}", None
    decisions, facts = sum(one.decisions for one in played), sum(one.facts for one in played)
    seconds = sum(one.seconds for one in played)
    yield (
        f"{decisions} decisions, {facts} facts, {decisions / seconds:.0f} and {facts / seconds:.0f} a second",
        None,
    )
    most = max(max(one.memory) for one in played)
    yield f"memory {played[0].memory[0]} MB at first, {most} MB at most", None


def main() -> None:
    """Read the command line, play, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenarios", nargs="*", default=["C1"])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--months", type=int, default=0, help="how many months, 0 for all")
    parser.add_argument("--bots", nargs=2, default=("steady", "steady"))
    parser.add_argument("--keep", type=Path, help="a file of results, which is gone on with")
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.games)
    for scenario in given.scenarios:
        for line, _ in report(scenario, (given.bots[0], given.bots[1]), seeds, given.months, given.keep):
            print(line, flush=True)  # noqa: T201 to be read


if __name__ == "__main__":
    main()
