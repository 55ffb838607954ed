"""How fast the rules of Pacific War are: `python -m tests.pacific_war.bench` prints figures and goals.

Matches are played by chance, with players that seek battle. A decision is all that the kernel does with it:
checked against the list, carried out, and the next list drawn up; in a sealed window it is one of the picks
of a command. The crowd has all 764 units of the war on the map, 200 of them public.
"""

import cProfile
import pstats
import statistics
import sys
import time
from collections.abc import Iterable
from random import Random

from domain.kernel.audience import VIEWERS, Viewer
from domain.kernel.dice import seeded
from domain.kernel.table import Table
from domain.match.parts import Part
from domain.match.views import View, Views, patches
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.board.charts import AIR, GROUND, LOCATIONS, SHIPS
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.intelligence import show
from tests.kernel.playing import Playing
from tests.pacific_war.board import battle, table_at
from tests.pacific_war.lively import lively

MATCHES = 20
CAMPAIGNS = (("C1", "1943-01"), ("S1", "1942-03"))
"""What is played in months, up to which month: the whole of C1, three months of the war."""
WORST = 8
CHANGES = 300
FLOODS = ("flood", "course")


def match(scenario: str, seed: int) -> list[float]:
    """Play a match; return the seconds that each decision took."""
    chance, took = Random(seed), list[float]()
    playing = Playing(PACIFIC_WAR, scenario, {}, seeded(seed))
    while not playing.state.match.over:
        seat, decisions = lively(playing.table, chance)
        start = time.perf_counter()
        playing.decide_all(seat, decisions)
        took += [(time.perf_counter() - start) / len(decisions)] * len(decisions)
    return took


def campaign(scenario: str, until: str, seed: int = 1) -> dict[str, list[float]]:
    """Play months of a campaign; return what its decisions take by the rule that asked for them.

    Seconds of the processor: others may be at work beside.
    """
    chance, took = Random(seed), dict[str, list[float]]()
    playing = Playing(PACIFIC_WAR, scenario, {}, seeded(seed))
    while not playing.state.match.over:
        war = playing.state.open.war
        if war is not None and war.month >= until:
            break
        seat, decisions = lively(playing.table, chance)
        rule = playing.table.prompts[seat].rule
        start = time.process_time()
        playing.decide_all(seat, decisions)
        for asked in playing.table.prompts:
            playing.table.quiet(asked)
        each = (time.process_time() - start) / len(decisions)
        took.setdefault(rule, []).extend([each] * len(decisions))
    return took


def campaigns() -> None:
    """Print what the decisions of campaigns take, and of which rules they take most."""
    for scenario, until in CAMPAIGNS:
        rules = campaign(scenario, until)
        took = [one for each in rules.values() for one in each]
        say(
            f"{scenario}: {len(took)} decisions, {ms(took):.2f} ms of 5 at the median, "
            f"{ms(took, 0.99):.1f} of 50 at p99, {ms(took, 1):.1f} at most"
        )
        for rule in sorted(rules, key=lambda one: -ms(rules[one], 0.99))[:WORST]:
            each = rules[rule]
            say(
                f"    P{rule}: {len(each)} decisions, {ms(each):.2f} ms at the median, "
                f"{ms(each, 0.99):.1f} at p99, {ms(each, 1):.1f} at most"
            )


def crowd() -> Table:
    """Return a table with all units of the war on the map."""
    chance, places = Random(1), sorted(LOCATIONS)
    harbours: dict[tuple[str, str], list[str]] = {}
    for ship, unit in SHIPS.items():
        harbours.setdefault((chance.choice(places), unit.side), []).append(ship)
    scene = battle(
        ground=[{"id": unit, "hex": chance.choice(places)} for unit in GROUND],
        air=[
            {
                "id": u,
                "steps": one.max_steps,
                "level": 1,
                "base": "" if one.carrier else chance.choice(places),
            }
            for u, one in AIR.items()
        ],
        naval=[{"at": at, "side": side, "units": ships} for (at, side), ships in harbours.items()],
    )
    table = table_at(scene, Movement(side=0))
    show(table, ships=[*SHIPS][:100], air=[*AIR][:50], ground=[*GROUND][:50])
    return table


def change(table: Table, chance: Random) -> None:
    """Change a ship and an air unit."""
    now = Changes(table)
    ship = chance.choice([*SHIPS])
    now.ship(ship, damage=chance.randrange(SHIPS[ship].hits))
    now.aircraft(chance.choice([*AIR]), ready=chance.randrange(3))
    now.record()


def views() -> tuple[list[float], list[float]]:
    """Return the seconds of a view of one audience after a change, and of the patches of all three."""
    table, chance, made = crowd(), Random(2), Views(PACIFIC_WAR)
    before, seen, sent = made.of(table.state), list[float](), list[float]()
    for _ in range(CHANGES):
        change(table, chance)
        after: dict[Viewer, View[Part]] = {}
        for audience in VIEWERS:
            start = time.perf_counter()
            after |= made.of(table.state, (audience,))
            seen.append(time.perf_counter() - start)
        start = time.perf_counter()
        patches({audience: (before[audience], after[audience]) for audience in VIEWERS})
        sent.append(time.perf_counter() - start)
        before = after
    return seen, sent


def flooding() -> float:
    """Return the share of the time of matches that floods over the map take, 0 to 1."""
    profile = cProfile.Profile()
    profile.enable()
    for seed in range(MATCHES // 4):
        match("B1", seed)
    profile.disable()
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    whole = sum(own for _, _, own, _, _ in stats.values())
    return float(sum(own for (_, _, name), (_, _, own, _, _) in stats.items() if name in FLOODS) / whole)


def ms(seconds: Iterable[float], part: float = 0.5) -> float:
    """Return a quantile in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[int(part * (len(ordered) - 1))]


def say(line: str) -> None:
    """Write a line."""
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Print each figure beside its goal."""
    for scenario in ("E1", "B1"):
        matches = [match(scenario, seed) for seed in range(MATCHES)]
        took = [one for each in matches for one in each]
        say(f"{scenario}: a decision {ms(took):.3f} ms of 2 at the median, {ms(took, 0.99):.2f} of 20 at p99")
        whole = statistics.median(sum(each) for each in matches)
        say(f"{scenario}: a match by chance {whole:.3f} s of 1")
    campaigns()
    seen, sent = views()
    say(f"764 units: a view after a change {ms(seen):.3f} ms of 1 an audience, {ms(seen, 0.99):.3f} at p99")
    say(f"764 units: the patches of three audiences {ms(sent):.3f} ms")
    say(f"B1: floods over the map take {flooding():.1%} of the time")


if __name__ == "__main__":
    main()
