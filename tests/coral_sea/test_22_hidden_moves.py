"""C22.3 What is sealed of a hidden move tells nothing, neither by its size nor by its place.

Moves of one kind are made from the same position, with groups and cargo by chance. Wherever two of them are
alike in what all see, whatever else is sent to the other side and to onlookers is alike to the byte.
"""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec import json

from domain.coral_sea import CORAL_SEA, silence
from domain.coral_sea.charts import GROUND_LIMIT, UNITS
from domain.coral_sea.decisions import (
    Done,
    EmbarkFrom,
    LandAt,
    LoadRp,
    LoadUnit,
    PickUnit,
    StartGroundMove,
    StartNavalMove,
    StepTo,
    Stop,
    UnloadRp,
    UnloadUnit,
)
from domain.coral_sea.table import GROUND, NAVAL, is_truk
from domain.kernel.audience import Audience
from domain.kernel.dice import Scripted
from domain.kernel.facts import Decided, Fact
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match.views import Views, patches
from tests.coral_sea.board import AL, DARK, JP, operation
from tests.fuzz.matches import Play, choose
from tests.kernel.secrecy import message
from tests.seen import view

OTHERS = (Audience.of(AL), Audience.of(None))
"""The other side, and the onlookers."""
ROUNDS = 25
"""How often each way is gone with other choices."""

SHIPS = [n for n, u in UNITS.items() if u.owner == JP and u.domain == NAVAL and not is_truk(n)]
TROOPS = [n for n, u in UNITS.items() if u.owner == JP and u.domain == GROUND]

Way = tuple[Decision, ...]
"""What each command begins or ends with; the rest of it is chosen by chance."""

OUT, OVER, ACROSS = StepTo("bismarck_sea"), StepTo("kavieng"), StepTo("st_matthias_sea")

WAYS: dict[str, Way] = {
    "to sea": (StartNavalMove(), OUT, StepTo("st_matthias_sea"), Stop()),
    "to a port": (StartNavalMove(), OUT, OVER, Stop()),
    "by way of a port": (StartNavalMove(), OUT, OVER, ACROSS, Stop()),
    "embarking in a port": (StartNavalMove(), OUT, EmbarkFrom("kavieng"), ACROSS, Stop()),
    "landing in a port": (StartNavalMove(), OUT, LandAt("kavieng"), ACROSS, Stop()),
    "landing elsewhere": (StartNavalMove(), OUT, LandAt("new_hanover"), Stop()),
    "over land": (StartGroundMove("rabaul"), StepTo("gasmata")),
}
BEGINS = (StartNavalMove, StartGroundMove, EmbarkFrom, LandAt)
PICKS = (PickUnit, LoadUnit, LoadRp, UnloadUnit, UnloadRp)


def by_chance(table: Table, wanted: Decision, chance: Random) -> list[Decision] | None:
    """One command as the page and the bots gather it: choices by chance until one that is not quiet."""
    ahead, chosen = table, list[Decision]()
    while True:
        options = ahead.prompts[JP].options
        free = [option for option in options if isinstance(option, PICKS)]
        ends = [option for option in options if option == wanted or isinstance(option, Done)]
        if isinstance(wanted, BEGINS) and not chosen:
            free = []
        if not free and not ends:
            return None
        chosen.append(chance.choice(free if free and (not ends or chance.random() < 0.6) else ends))
        if chosen[-1] not in ahead.quiet(JP):
            return chosen
        ahead = table.ahead(JP, chosen)


Told = dict[tuple[bytes, ...], dict[tuple[bytes, ...], list[str]]]
"""What all see, command after command, to all that is sent, and by which choices."""


def go(table: Table, views: Views, way: Way, chance: Random, told: Told) -> None:
    """Go a way as far as it leads, and note what the others were sent by each of its commands.

    Views follow the change as on a server: that these are the same as made from nothing is proven elsewhere.
    """
    seq, public, whole, choices = 1, list[bytes](), list[bytes](), list[str]()
    before = views.of(table.state, OTHERS)
    for wanted in way:
        if JP not in table.prompts or table.prompts[JP].rule == "C6.5":
            return
        decisions = by_chance(table, wanted, chance)
        if decisions is None:
            return
        facts = list(enumerate(table.decide_all(JP, decisions), seq))
        seq += len(facts)
        seen = [json.encode(fact) for _, fact in facts if fact.audience() is Audience.ALL]
        now = views.of(table.state, OTHERS)
        changes = patches({other: (before[other], now[other]) for other in OTHERS})
        before = now
        public.append(json.encode([seen, [*changes.values()]]))
        whole.append(b"".join(message(table, facts, changes[other], other.side) for other in OTHERS))
        choices.append(str(decisions))
        told.setdefault((*public,), {}).setdefault((*whole,), []).append(" ".join(choices))


def position(chance: Random) -> Table:
    """Ships, troops and resource points in Rabaul, some more in Kavieng; the other side is far away."""
    ships = chance.sample(SHIPS, chance.randint(1, 6))
    troops = chance.sample(TROOPS, chance.randint(1, 5))
    units = {name: ("rabaul", chance.choice(("", "", "d", "o"))) for name in (*ships, *troops)}
    units |= dict.fromkeys(troops[3:], ("kavieng", ""))
    options = DARK | {"transport_troops_or_rp_exclusive": chance.random() < 0.3}
    table = operation(
        JP,
        "rabaul",
        units,
        rp=({"rabaul": chance.randint(0, 4)}, {}),
        control={"kavieng": JP, "rabaul": JP, "gasmata": JP, "new_hanover": JP},
        options=options,
    ).table
    table.open.operation.sp = 6
    return table


def copied(table: Table) -> Table:
    return Table(CORAL_SEA, CORAL_SEA.restore(CORAL_SEA.encode(table.state)), Scripted(()))


def told_of(way: str, positions: int) -> Iterator[Told]:
    for number in range(positions):
        chance = Random(f"{way} {number}")
        table, told, views = position(chance), Told(), Views(CORAL_SEA)
        views.of(table.state, OTHERS)
        for _ in range(ROUNDS):
            go(copied(table), views.copy(), WAYS[way], chance, told)
        yield told


def alike(way: str, positions: int = 5) -> Iterator[list[str]]:
    """For each thing that all see and that came of different choices: a choice for each that was sent."""
    for told in told_of(way, positions):
        for whole in told.values():
            if len(whole) > 1 or len(set(next(iter(whole.values())))) > 1:
                yield [made[0] for made in whole.values()]


@pytest.mark.parametrize("positions", [5, pytest.param(30, marks=pytest.mark.soak)])
@pytest.mark.parametrize("way", WAYS)
def test_c22_3_hidden_moves_that_look_alike_are_alike_to_the_byte(way: str, positions: int) -> None:
    compared = list(alike(way, positions))

    assert [] == [choices for choices in compared if len(choices) > 1]
    assert len(compared) > 4


@pytest.mark.parametrize("way", WAYS)
def test_c22_3_without_padding_they_are_told_apart(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "pad", lambda *_: None)

    assert any(len(choices) > 1 for choices in alike(way))


def sealed_before_each(facts: list[Fact]) -> list[int]:
    """How many facts are sealed up to each that all see, and in all."""
    counts, sealed = list[int](), 0
    for fact in facts:
        sealed += fact.audience() is not Audience.ALL
        if fact.audience() is Audience.ALL:
            counts.append(sealed)
    return [*counts, sealed]


def test_c22_3_the_largest_move_fits_into_the_size_of_its_kind() -> None:
    ships = [n for n, u in UNITS.items() if u.owner == AL and u.domain == NAVAL]
    troops = [n for n, u in UNITS.items() if u.owner == AL and u.domain == GROUND][:GROUND_LIMIT]
    board = operation(
        AL,
        "noumea",
        dict.fromkeys((*ships, *troops), "noumea"),
        rp=({}, {"noumea": len(ships)}),
        options=DARK,
    )
    least = copied(board.table).decide_all(AL, [StartNavalMove(), PickUnit(ships[0]), Done(), Done()])
    picked = [StartNavalMove(), *map(PickUnit, ships)]
    most = board.table.decide_all(
        AL, [*picked, *map(LoadUnit, troops), *[LoadRp()] * (len(ships) - 1), LoadRp()]
    )

    assert sealed_before_each(least) == sealed_before_each(most)
    assert [silence.SHIPS_PICKED, silence.LOADED + 3] == sealed_before_each(most)
    assert sum(isinstance(fact, Decided) for fact in most) == 2 * len(ships) + GROUND_LIMIT + 2


def test_c22_3_c8_1_the_largest_ground_move_out_of_a_port_fits_into_the_size_of_its_kind() -> None:
    board = operation(JP, "rabaul", dict.fromkeys(TROOPS, "rabaul"), options=DARK)
    least = copied(board.table).decide_all(JP, [StartGroundMove("rabaul"), PickUnit(TROOPS[0]), Done()])
    most = board.table.decide_all(JP, [StartGroundMove("rabaul"), *map(PickUnit, TROOPS)])

    assert sealed_before_each(least) == sealed_before_each(most)


def test_c22_3_the_sizes_follow_from_the_order_of_battle() -> None:
    """13 ships of Japan, 20 ground units of the Allies, 3 of them aboard, 6 where two stacks have met."""
    begun_and_done = 2

    assert silence.SHIPS_PICKED == begun_and_done + 2 * 13
    assert silence.LOADED == silence.SHIPS_PICKED + 1 + 2 * (3 + 13)
    assert silence.TROOPS_PICKED == begun_and_done + 2 * 20
    assert silence.EMBARKED == begun_and_done + 3
    assert silence.LANDED == begun_and_done + 6
    assert silence.UNLOADED == 1 + 2 * 13
    assert silence.LEFT_PORT == 2 * silence.UNLOADED + 2 * 6 + 4


@pytest.mark.parametrize("options", [{}, DARK])
def test_c22_3_r110_behind_a_screen_the_owner_is_asked_even_where_nothing_else_is_legal(
    options: dict[str, bool],
) -> None:
    """Whoever is asked once more after the last step could see that no Range was left."""
    board = operation(JP, "st_georges_channel", {SHIPS[0]: "st_georges_channel"}, options=options)
    board.go(StartNavalMove())
    while board.offered(StepTo):
        here = board.at(SHIPS[0])[SHIPS[0]]
        board.go(StepTo("nuguria_sea" if here == "st_georges_channel" else "st_georges_channel"))

    assert ([Stop()] == board.offered()) == bool(options)


def test_c27_c22_3_what_is_foreseen_does_not_depend_on_what_the_other_side_hides() -> None:
    """Else a seat would learn by asking, without deciding."""
    asked = 0
    for seed in range(3):
        chance = Random(seed)
        play = Play(CORAL_SEA, "campaign", dict(DARK), seed)
        while not play.over and play.state.open.sequence < 12:
            seat, decision = choose(play, chance, 0.6)
            if decision in play.table.quiet(seat):
                asked += 1
                bare = copied(play.table)
                bare.own[1 - seat] = CORAL_SEA.own()
                seen, guessed = play.table.ahead(seat, [decision]), bare.ahead(seat, [decision])
                assert seen.prompts == guessed.prompts
                assert view(CORAL_SEA, seen.state, Audience.of(seat)) == view(
                    CORAL_SEA, guessed.state, Audience.of(seat)
                )
            play.decide(seat, decision)

    assert asked > 40
