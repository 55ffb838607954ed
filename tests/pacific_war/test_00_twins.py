"""P0.2.2, P0.4.2, P41.14 A hidden thing of a side is another, and nobody else is sent anything else.

On the way of whole campaigns that seek battle, and of months of the war, the table has a twin now and then. A
command of the other side must show it, and the onlookers, the same bytes: facts, their number, the change of
the view, its prompts. So must one of the side itself, where what it may choose does not depend on the change.
What a side picks in a sealed window is a secret too: other picks must show all others the same bytes.

What the rules tell is left out: whether a battle's search or fire succeeds, which begins with contact (P23).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from types import ModuleType

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
from domain.pacific_war.months import command_points, patrols
from domain.pacific_war.operations import bids
from tests.kernel.playing import Playing, copy_of, finished
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
PICKS = {"18.1": "bids", "10.3": "allocation", "25.1": "sent patrols"}
"""What is picked in sealed windows of a campaign, by the rule that asks."""
SECRETS = {
    "C1": {"level", "points", "submarines", "patrols", "links", *PICKS.values()},
    "S1": {"level", "points", "submarines", "duty", "links", "allocation"},
    "S2": {"level", "points", "submarines", "duty", "patrols", "links", *PICKS.values()},
}
"""What there are secrets of from the first month on: in December 1941 no patrols are sent (S1.1), and of bids
there are none where the first Operation lasts to its end."""
OTHERS = {"bids", "pools", "order", "ships", "wings", "troops"}
"""What else there is where fleets are led by chance."""
TRIES = 5
"""Commands by chance among which another is looked for than what was decided."""


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
    scenario: str, seed: int, until: str, often: float, kinds: Sequence[str] = (*CHANGES, *PICKS.values())
) -> Counter[str]:
    """Play until a month begins, with twins; return how many were made of each kind. Raises Leak."""
    chance, playing = Random(seed), Playing(PACIFIC_WAR, scenario, {}, seeded(seed))
    made, otherwise = Counter[str](), Random(seed)
    while not playing.state.match.over and month(playing.state.open) < until:
        seat, decisions = lively(playing.table, chance)
        name = PICKS.get(playing.table.prompts[seat].rule, "")
        if name in kinds:
            made[name] += picked(playing, name, (seat, decisions), otherwise)
        for side in (0, 1):
            phase = playing.state.open.phase
            names = [name for name in CHANGES if name in kinds and not told(name, seat, side, phase)]
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
    alike(mine, theirs, f"{name} of side {side} in {playing.state.open.phase}")
    return True


def picked(playing: Playing, name: str, command: tuple[int, Sequence[Decision]], chance: Random) -> bool:
    """Let a side pick something else in a sealed window that another has yet to answer; raises Leak.

    Returns whether there was something else to pick, and somebody to hide it from.
    """
    (seat, decisions), table, state = command, playing.table, playing.state
    if not table.sealed(seat) or len(table.prompts) == 1:
        return False
    tried = (
        finished(table, seat, chance.choice(table.prompts[seat].options), chance.choice) for _ in range(TRIES)
    )
    other = next((one for one in tried if one != [*decisions]), None)
    if other is None:
        return False
    foe = 1 - state.match.side(seat)
    was, now = (sent(copy_of(PACIFIC_WAR, state), playing.dice, seat, one, foe) for one in (decisions, other))
    alike(was, now, f"{name} of side {1 - foe} in {state.open.phase}")
    return True


def alike(one: list[tuple[bytes, bytes]], other: list[tuple[bytes, bytes]], what: str) -> None:
    """Compare what was sent to the other side and to onlookers; raises Leak."""
    for pair in zip(one, other, strict=True):
        for was, now in zip(*pair, strict=True):
            if was != now:
                raise Leak(f"somebody can tell {what}: {parting(was, now)}")


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
    made = +compare(scenario, seed, until, often)

    assert SECRETS[scenario] | OTHERS <= set(made)
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
        compare("C1", 1, "1943-01", OFTEN, ["level"])


@pytest.mark.parametrize("kind", ["points", "submarines", "duty", "links", "patrols"])
def test_p41_14_means_and_patrols_that_are_told_are_noticed(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a word more before the bids, which tells what is behind both screens, then the twins part."""

    def leak(table: Table, *sides: int) -> None:
        behind = [own.patrols if kind == "patrols" else getattr(own.means, kind) for own in table.own]
        table.record(DayIs(war(table.open).day, repr(behind)))
        tell_links(table, *sides)

    monkeypatch.setattr(bids, "tell_links", leak)

    with pytest.raises(Leak, match=f"{kind} of side"):
        compare("S1" if kind == "duty" else "C1", 3, "1943-01", 1, [kind])


@pytest.mark.parametrize(
    ("kind", "where", "name", "leak"),
    [
        ("bids", bids, "SEALED_FACTS", 0),
        ("allocation", command_points, "PicksKept", lambda _side, shares: DayIs(0, repr(shares))),
        ("sent patrols", patrols, "PicksKept", lambda _side, postings: DayIs(0, repr(postings))),
    ],
)
def test_p0_3_2_p41_14_picks_that_are_told_before_a_window_closes_are_noticed(
    kind: str, where: ModuleType, name: str, leak: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, leak)

    with pytest.raises(Leak, match=f"{kind} of side"):
        compare("C1", 1, "1943-01", 1, [kind])
