"""Taking back gives no time in any match that is offered, and nobody is out of time by it."""

from typing import Any
from uuid import uuid4

import pytest

from domain.kernel.seats import Clock
from domain.match.judging import judge
from domain.match.refusals import RequestError
from domain.match.rest import SECOND
from server.lobby import offers
from server.play import acts
from server.serving import Serving
from tests.projections.play import START
from tests.server.talk import offer, seated
from tests.server.test_acts import Hall, first_option
from tests.server.test_claims import Weeks, decide, hear_up_to, seen
from tests.server.test_claims import weeks as weeks  # noqa: PLC0414 a fixture
from tests.tiny import GAME

DAY = 86_400


async def test_every_clock_that_is_offered_rewinds_also_of_who_does_not_know_it(server: Serving) -> None:
    wish: dict[str, Any] = {"command": uuid4(), "clock": {"bank": 60, "increment": 5}}
    created = await offer(server.url, **wish)
    knowing = {**wish, "clock": {**wish["clock"], "rewinds": True}}

    view = await seen(server.url, created)

    assert {"bank": 60, "increment": 5, "cap": 0, "rewinds": True} == view["match"]["clock"]
    assert created == await offer(server.url, **wish)
    assert created == await offer(server.url, **knowing)
    assert "clock" not in (await seen(server.url, await offer(server.url)))["match"]


async def test_a_match_offered_before_clocks_rewound_is_found_again_by_its_command_and_is_as_it_was(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish: dict[str, Any] = {"command": uuid4(), "clock": {"bank": 60, "increment": 5}}
    with monkeypatch.context() as before:
        before.setattr(offers, "_rewinding", lambda clock: clock)
        created = await offer(server.url, **wish)

    assert created == await offer(server.url, **wish)
    assert {"bank": 60, "increment": 5, "cap": 0} == (await seen(server.url, created))["match"]["clock"]


async def test_over_days_who_decides_and_takes_back_has_no_more_by_it(weeks: Weeks) -> None:
    """Given three days and one more a decision; a quarter of a day passes with each."""
    server, clock = weeks.server, {"bank": 3 * DAY, "increment": DAY, "by_claim": True}
    async with seated(server.url, scenario="campaign", clock=clock) as (created, north, _):
        for _ in range(3):
            await hear_up_to(north, created, weeks)
            await decide(north, created, 0)
            await weeks.pass_days(0.25)
            await north.ask("undo", match=created["match"])
        left = (await seen(server.url, created))["clocks"]["left"]["0"]

        assert 2.25 * DAY - 60 < left / SECOND <= 2.25 * DAY
        assert await weeks.is_true(created)


def refused(hall: Hall, act: acts.Action) -> tuple[str, str]:
    with pytest.raises(RequestError) as caught:
        act(hall.live)
    return caught.value.code, caught.value.reason


OUT = ("no_undo", "more time has passed since than you had left then")


def decided(clock: Clock, seconds: int) -> tuple[Hall, int]:
    """A match in which a seat has decided so many seconds after it was asked, and whose that is."""
    hall = Hall({"pairs": False}, clock)
    seat = hall.live.state.asked[0]
    hall.at = START + seconds * SECOND
    hall.command(acts.decide(seat, hall.live.seq, [first_option(hall, seat)])[0])
    return hall, seat


def test_who_would_be_out_of_time_by_it_takes_nothing_back_and_asks_nobody_to() -> None:
    hall, seat = decided(Clock(60, 30, rewinds=True), 50)
    hall.at = START + 60 * SECOND

    slip, ask = acts.undo(seat, lambda: hall.at)[0], acts.offer(seat, "undo", lambda: hall.at)[0]

    assert [OUT, OUT] == [refused(hall, slip), refused(hall, ask)]

    hall.at -= 1
    hall.command(slip)
    assert hall.live.clocks is not None
    assert hall.at + 1 == hall.live.clocks.deadline(seat)
    assert judge(GAME, hall.commands) is None


def test_who_had_no_time_any_more_when_he_decided_may_take_it_back_as_his_opponent_waits() -> None:
    hall, seat = decided(Clock(60, by_claim=True, rewinds=True), 100)

    hall.command(acts.undo(seat, lambda: hall.at)[0])

    assert hall.live.clocks is not None
    assert hall.at == hall.live.clocks.deadline(seat)
    assert judge(GAME, hall.commands) is None


def test_of_a_clock_that_does_not_rewind_nothing_is_refused_by_time() -> None:
    hall, seat = decided(Clock(60, 30), 50)
    hall.at = START + 115 * SECOND

    hall.command(acts.undo(seat, lambda: hall.at)[0])

    assert hall.live.clocks is not None
    assert hall.at + 40 * SECOND == hall.live.clocks.deadline(seat)


def test_who_asked_in_time_keeps_what_he_had_then_however_long_the_answer_takes() -> None:
    hall, seat = decided(Clock(60, 30, rewinds=True), 50)
    hall.at = START + 55 * SECOND
    hall.command(acts.offer(seat, "undo", lambda: hall.at)[0])
    hall.at += 3_000 * SECOND

    hall.command(acts.answer_offer(1 - seat, "undo", agreed=True)[0])

    assert hall.live.clocks is not None
    assert hall.at + 5 * SECOND == hall.live.clocks.deadline(seat)
    assert judge(GAME, hall.commands) is None
