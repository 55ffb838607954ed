"""P5.1, P1 The months of the war: their phases in order, and play by chance through the first of them."""

from copy import copy
from functools import cache
from random import Random
from typing import Any

import pytest

from domain.kernel.dice import seeded
from domain.kernel.facts import Paused, State, evolve
from domain.kernel.procedures import Decision, Prompt
from domain.kernel.table import Table
from domain.match.game import BadSetUp
from domain.match.views import Views
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.sequence import OF_THE_WAR, PHASES
from domain.pacific_war.board.charts import TABLES
from domain.pacific_war.board.weather import ZONES
from domain.pacific_war.clock import default
from domain.pacific_war.decisions.choices import (
    Activate,
    BidFrom,
    ClaimOperation,
    Continue,
    EndContact,
    EndDay,
    Forfeit,
    NoBid,
    PayFrom,
    TimeMultiple,
)
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.orders_of_war import Priority, SendRaid
from domain.pacific_war.facts.cycle import PhaseBegan
from domain.pacific_war.facts.homefront import ShippingFought, WeatherIs
from domain.pacific_war.facts.months import MonthIs
from tests.kernel.playing import Playing, copy_of
from tests.pacific_war.board import told
from tests.pacific_war.campaign import ALLIES, JAPAN
from tests.pacific_war.course import course
from tests.pacific_war.invariants import boats, invariants_of_state, steady
from tests.pacific_war.lively import lively
from tests.pacific_war.test_41_operations import end

UNTIL = {"S1": "1942-02", "S2": "1944-03"}
"""The month before which play by chance stops in the check-in: two months are played."""
LATER = {"S1": "1942-03", "S2": "1944-04"}
"""And in the soak: three."""
SUBMARINES = ("jp_submarines", "al_submarines")
RESTORED_EVERY = 50
OPTIONS = {"krs": True, "sto": True}
"""P34: both submarine pieces, so that they are in what is played."""


@cache
def played(scenario: str, seed: int, until: str) -> Playing:
    """Play by chance until a month begins, with every invariant after every decision."""
    chance, playing = Random(seed), Playing(PACIFIC_WAR, scenario, OPTIONS, seeded(seed))
    war = playing.state.open.war
    assert war is not None
    fleets = [boats(own) for own in playing.state.own]
    for n in range(10_000):
        war = playing.state.open.war
        if playing.state.match.over or war.month >= until:
            break
        before = copy(war)
        if n % RESTORED_EVERY == 0:
            again = Table(PACIFIC_WAR, copy_of(PACIFIC_WAR, playing.state), seeded(seed))
            assert again.prompts == playing.table.prompts
        playing.decide_all(*lively(playing.table, chance))
        assert [] == [*invariants_of_state(playing.state), *steady(before, playing.state.open.war)]
        for side in (JAPAN, ALLIES):
            most = TABLES["points_schedule"][SUBMARINES[side]].get(playing.state.open.war.month, 0)
            now = boats(playing.state.own[side])
            assert now <= fleets[side] + most
            fleets[side] = now
    return playing


MORE = [pytest.param(n, marks=pytest.mark.soak) for n in range(10, 60)]


@pytest.mark.parametrize(
    ("scenario", "seed", "until"),
    [
        *((scenario, seed, UNTIL[scenario]) for scenario, seed in (("S1", 3), ("S2", 1))),
        *(
            pytest.param(scenario, seed, LATER[scenario], marks=pytest.mark.soak)
            for scenario, seed in (("S1", 3), ("S2", 1))
        ),
    ],
)
def test_p41_1_to_15_p5_1_months_of_the_war_by_chance(scenario: str, seed: int, until: str) -> None:
    """Given play by chance, then all invariants hold, the log folds to the table, and all can be shown."""
    playing = played(scenario, seed, until)

    assert playing.state.open.war.month == until or playing.state.match.over
    folded = evolve(PACIFIC_WAR.state(), (fact for _, fact in playing.log))
    assert PACIFIC_WAR.encode(playing.state) == PACIFIC_WAR.encode(folded)
    assert [] == course(fact for _, fact in playing.log)
    assert 3 == len(Views(PACIFIC_WAR).of(playing.state))


@pytest.mark.parametrize("scenario", ["S1", "S2"])
@pytest.mark.parametrize("seed", MORE)
def test_p41_1_to_15_more_months_of_the_war_by_chance(scenario: str, seed: int) -> None:
    played.__wrapped__(scenario, seed, LATER[scenario])


MOST_ENDED = 6
"""Operations under way that are brought to an end, spread over the months."""


def under_way(playing: Playing) -> list[State[Any, Any]]:
    """Return how the match stood at questions within Operations, some of each kind of phase."""
    state, found = PACIFIC_WAR.state(), dict[tuple[str, str], State[Any, Any]]()
    for _, fact in playing.log:
        evolve(state, [fact])
        war = state.open.war
        if isinstance(fact, Paused) and war and war.operation and not state.match.over:
            found.setdefault((war.month, state.open.phase), copy_of(PACIFIC_WAR, state))
    return list(found.values())


@pytest.mark.parametrize(
    ("scenario", "seed", "until", "most"),
    [
        ("S1", 3, UNTIL["S1"], MOST_ENDED),
        ("S2", 1, UNTIL["S2"], MOST_ENDED),
        *(
            pytest.param(name, n, LATER[name], 60, marks=pytest.mark.soak)
            for name in ("S1", "S2")
            for n in range(10, 20)
        ),
    ],
)
def test_p41_15_r_25_r_41_an_operation_of_the_war_can_be_ended_within_three_cycles(
    scenario: str, seed: int, until: str, most: int
) -> None:
    """Given Operations of some months, when the player stands down and all else is by default, they end."""
    states = under_way(played(scenario, seed, until))
    chosen = Random(seed).sample(states, min(most, len(states)))
    for n, state in enumerate(chosen):
        end(Table(PACIFIC_WAR, state, seeded(n)), state.open.war.operation.player)

    assert MOST_ENDED <= len(chosen)
    assert 3 < len({state.open.phase for state in states})


ORDER = [phase for phase in PHASES if phase.startswith("5.1.") and phase < "5.1.O"]
"""P5.1: the phases of a month; those from transport to engineering are entered as one."""


def phases(playing: Playing) -> list[list[str]]:
    """The phases before the bids, month by month."""
    found: list[list[str]] = [[]]
    for _, fact in playing.log:
        if isinstance(fact, MonthIs):
            found.append([])
        elif isinstance(fact, PhaseBegan) and fact.phase in ORDER:
            found[-1].append(fact.phase)
    return found


def test_p5_1_a_b_c_d_e_f_g_h_i_n_p1_the_war_has_all_phases_in_order() -> None:
    first, second, *_ = phases(played("S2", 1, UNTIL["S2"]))

    assert ORDER == first == second
    assert {"5.1.A", "5.1.C", "5.1.D", "5.1.E", "5.1.F"} == OF_THE_WAR


def test_s1_1_p5_1_after_december_1941_the_months_of_s1_are_whole() -> None:
    december, january, *_ = phases(played("S1", 3, UNTIL["S1"]))

    assert ["5.1.G"] == december
    assert ORDER == january


def test_p5_1_a_r_5_without_weather_the_month_begins_with_intelligence() -> None:
    chance, playing = Random(1), Playing(PACIFIC_WAR, "S2", {"weather": False}, seeded(1))
    while playing.state.open.phase < "5.1.G":
        playing.decide_all(*lively(playing.table, chance))

    assert ORDER[1:6] == phases(playing)[0][:5]
    assert [] == told([fact for _, fact in playing.log], WeatherIs)


def test_p5_1_a_p6_2_with_weather_each_month_has_its_zones_and_shipping_is_fought_for() -> None:
    facts = [fact for _, fact in played("S2", 1, UNTIL["S2"]).log]
    months = len(told(facts, MonthIs))

    assert 2 == months == len(told(facts, ShippingFought))
    assert months <= len(told(facts, WeatherIs)) <= months + 1
    assert all(set(fact.foul) <= set(ZONES) for fact in told(facts, WeatherIs))


def test_p1_the_weather_of_the_war_is_on_or_off_and_other_scenarios_have_none() -> None:
    assert [False, True] == [PACIFIC_WAR.set_up("S1", given)["weather"] for given in ({"weather": False}, {})]
    assert [{}, {}] == [PACIFIC_WAR.set_up(name, {"weather": False}) for name in ("E1", "C1")]
    with pytest.raises(BadSetUp):
        PACIFIC_WAR.set_up("S1", {"weather": 3})


def defaults(scenario: str, *, put_down: bool) -> tuple[Playing, list[str]]:
    """Let nobody decide until the end; return the match and its months, at each of which it was put down."""
    playing, months = Playing(PACIFIC_WAR, scenario, {}, seeded(1)), list[str]()
    for _ in range(10_000):
        if playing.state.match.over:
            break
        month = playing.state.open.war.month
        if month not in months:
            months.append(month)
            if put_down:
                playing.state = copy_of(PACIFIC_WAR, playing.state)
                playing.table = Table(PACIFIC_WAR, playing.state, playing.dice)
        seat, prompt = next(iter(playing.table.prompts.items()))
        playing.decide(seat, PACIFIC_WAR.default(playing.state, seat, prompt), "default")
    return playing, months


@pytest.mark.soak
@pytest.mark.parametrize(("scenario", "level", "count"), [("S1", "", 46), ("S2", "Japanese decisive", 21)])
def test_p41_15_p0_8_defaults_alone_end_the_war_put_down_each_month(
    scenario: str, level: str, count: int
) -> None:
    """Given nobody who decides, the months pass, alike if the match is put down and taken up in each of them.

    Of S2 it is known that Japan holds out.
    """
    playing, months = defaults(scenario, put_down=True)

    assert playing.state.match.over
    assert level in playing.state.open.level
    assert count == len(months)
    assert playing.log == defaults(scenario, put_down=False)[0].log


@pytest.mark.parametrize(
    ("options", "taken"),
    [
        ((BidFrom("hq_cf"), NoBid()), NoBid()),
        ((PayFrom("hq_cf"), Forfeit()), Forfeit()),
        ((Activate("cv_akagi"), TimeMultiple(0), Done()), Done()),
        ((EndDay(), EndContact()), EndDay()),
        ((Continue(), EndContact()), EndContact()),
        ((ClaimOperation(yes=True), ClaimOperation(yes=False)), ClaimOperation(yes=False)),
        ((Priority("merchants"), Priority("escorts")), Priority("merchants")),
        ((SendRaid("saipan", "precision"), Done()), Done()),
    ],
)
def test_p0_8_what_is_chosen_when_time_has_run_out(options: tuple[Decision, ...], taken: Decision) -> None:
    assert taken == default(PACIFIC_WAR.state(), JAPAN, Prompt("18.1", "?", options))
