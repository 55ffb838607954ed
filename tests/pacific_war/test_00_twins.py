"""P0.2.2, P0.4.2, P41.14 A hidden thing of a side is another, and nobody else is sent anything else.

On the way of whole campaigns that seek battle, and of months of the war, the table has a twin now and then. A
command of the other side must show it, and the onlookers, the same bytes: facts, their number, the change of
the view, its prompts. So must one of the side itself, where what it may choose does not depend on the change.

What the rules tell is left out: whether a battle's search or fire succeeds, which begins with contact (P23).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import pytest

from domain.kernel.dice import seeded
from domain.kernel.facts import Padding
from domain.kernel.procedures import Decision
from domain.kernel.table import Illegal, NotOneCommand
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.combat import month
from domain.pacific_war.board.table import Table
from domain.pacific_war.command.links import tell_links
from domain.pacific_war.facts.months import DayIs, war
from domain.pacific_war.operations import bids
from tests.kernel.playing import Playing, copy_of
from tests.kernel.secrecy import Leak, parting
from tests.pacific_war.lively import lively
from tests.pacific_war.twins import CHANGES, asked, sent

OFTEN = 0.4
"""How often a command has a twin, with one of `CHANGES`; in the soak it has one with each of them."""
FEW = 3
"""Of so many changes by chance that is made of which there were fewest, so that each has its turn."""
QUIET = ("5.1.B", "5.1.G", "5.1.I", "5.1.N", "5.1.O", "5.1.P", "5.1.R")
"""Phases without fire: what is hidden decides nothing there, but for what `told` names."""
OWN = ("level", "order", "priority")
"""What a side is offered, and what comes of its decisions, does not depend on these but in 5.1.R."""
FIGHTING = ("patrols", "wings")
"""On these it does where it fights, and in 5.1.I: points are recalled (P14.2), levels raised (P16.3.4)."""
MOVING = ("5.2.C", "5.2.M")
"""Phases of the cycle in which nothing fights; the command that ends one may roll dice."""
BY_DICE = ("level", "patrols", "wings")
"""What decides with dice who is found (P24), or attacked by a patrol, in 5.1.I too (P13.2.5, P25.2)."""


def told(name: str, seat: int, side: int, phase: str) -> bool:
    """Return whether a command may tell of a change, or lets a side itself choose among other things."""
    if seat == side:
        # With 5.1.E merchant shipping suffers, by the level of the Allies (P9.3).
        apart = name in FIGHTING and phase in {*QUIET, *MOVING} - {"5.1.I"}
        return phase == "5.1.R" or (name, phase) == ("level", "5.1.E") or not (name in OWN or apart)
    if phase not in QUIET:
        return True
    # In 5.1.R searches and patrols of the other side find what sails (P24, P25), and its end tells the
    # Condition (P21.1).
    return phase == "5.1.R" and name in {"level", "condition", "patrols", "wings", "order"}


def compare(
    scenario: str, seed: int, until: str, often: float, kinds: Sequence[str] = tuple(CHANGES)
) -> Counter[str]:
    """Play until a month begins, with twins; return how many were made of each kind. Raises Leak."""
    chance, playing = Random(seed), Playing(PACIFIC_WAR, scenario, {}, seeded(seed))
    made = Counter[str]()
    while not playing.state.match.over and month(playing.state.open) < until:
        seat, decisions = lively(playing.table, chance)
        for side in (0, 1):
            names = [name for name in kinds if not told(name, seat, side, playing.state.open.phase)]
            if often < 1:
                few = chance.sample(names, min(len(names), FEW)) if chance.random() < often else []
                names = sorted(few, key=lambda name: made[name])[:1]
            state = copy_of(PACIFIC_WAR, playing.state) if names else playing.state
            mine = sent(state, playing.dice, seat, decisions, 1 - side) if names else []
            fell = (state.rolls, state.unseen) != (playing.state.rolls, playing.state.unseen)
            if fell and playing.state.open.phase in (*MOVING, "5.1.I"):
                names = [name for name in names if name not in BY_DICE]
            for name in names:
                made[name] += twin(playing, name, side, (seat, decisions), mine, chance)
        playing.decide_all(seat, decisions)
    return made


def twin(
    playing: Playing,
    name: str,
    side: int,
    command: tuple[int, Sequence[Decision]],
    mine: list[tuple[bytes, bytes]],
    chance: Random,
) -> bool:
    """Carry out a command on a twin, and compare what is sent; return whether there was one. Raises Leak.

    In 5.1.I to 5.1.M who has something left to choose is told (R-119): what would have told it before is no
    twin.
    """
    other = copy_of(PACIFIC_WAR, playing.state)
    if not CHANGES[name](other.open, other.own[side], chance):
        return False
    if playing.state.open.phase == "5.1.I" and asked(other) != {*playing.table.prompts}:
        return False
    try:
        theirs = sent(other, playing.dice, *command, 1 - side)
    except (Illegal, NotOneCommand):
        return False
    for pair in zip(mine, theirs, strict=True):
        for was, now in zip(*pair, strict=True):
            if was != now:
                where = f"{name} of side {side} in {playing.state.open.phase}"
                raise Leak(f"somebody can tell {where}: {parting(was, now)}")
    return True


@pytest.mark.parametrize(
    ("scenario", "until", "seed", "often"),
    [
        ("C1", "1943-01", 1, OFTEN),
        ("S1", "1942-01", 1, OFTEN),
        *(pytest.param("C1", "1943-01", n, 1, marks=pytest.mark.soak) for n in range(2, 12)),
        *(pytest.param("S1", "1942-02", n, 1, marks=pytest.mark.soak) for n in range(1, 12)),
    ],
)
def test_p0_4_2_p41_14_no_level_bid_allocation_duty_patrol_link_or_pool_is_told_by_what_others_are_sent(
    scenario: str, until: str, seed: int, often: float
) -> None:
    made = compare(scenario, seed, until, often)

    assert set(CHANGES) - {"condition", "priority"} <= set(made)
    assert made.total() > 50


def value(table: Table, *sides: int) -> None:
    """Tell links, and a level with them."""
    tell_links(table, *sides)
    table.record(DayIs(war(table.open).day, f"{table.own[0].means.level} {table.own[1].means.level}"))


def number(table: Table, *sides: int) -> None:
    """Tell links, and seal as many facts more as the level says."""
    tell_links(table, *sides)
    for _ in range(table.own[0].means.level + 5 * table.own[1].means.level):
        table.record(Padding())


@pytest.mark.parametrize("leak", [value, number])
def test_p41_14_a_level_that_is_told_by_a_word_or_by_a_number_of_facts_is_noticed(
    leak: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bids, "tell_links", leak)

    with pytest.raises(Leak, match="level of side"):
        compare("C1", 1, "1943-01", 1, ["level"])
