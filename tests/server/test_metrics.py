"""What is told to Prometheus: durations, refusals by code, connections by state, projections' lag."""

import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from domain.kernel.audience import Audience
from projections.every import PROJECTIONS
from server import metrics
from server.durations import EDGES, Durations
from server.fanout.bus import LocalBus
from server.fanout.hub import Hub
from server.fanout.room import UNSENT
from server.postgres.embedded import Embedded
from server.serving import Serving
from tests.conftest import running
from tests.server.reading import get
from tests.server.talk import prompt, seated, talking
from tests.server.watching import QUICK, ListLog, match_id, node, until


async def families(url: str) -> Mapping[str, Metric]:
    told = (await get(url, "/metrics")).body.decode()
    return {family.name: family for family in text_string_to_metric_families(told)}


def counts(family: Metric) -> dict[str, float]:
    """Return how many durations a histogram has, by its label."""
    return {"".join(one.labels.values()): one.value for one in family.samples if one.name.endswith("_count")}


def by_label(family: Metric) -> dict[str, float]:
    return {"".join(one.labels.values()): one.value for one in family.samples}


def test_a_duration_is_in_each_bucket_that_it_fits() -> None:
    durations = Durations()
    for seconds in (0.0004, EDGES[3], 0.3, 99.0):
        durations.add(seconds)

    buckets = dict(durations.buckets())
    assert [1, 1, 1, 2] == [buckets[str(edge)] for edge in EDGES[:4]]
    assert (3, 4) == (buckets[str(EDGES[-1])], buckets["+Inf"])
    assert pytest.approx(99.3004 + EDGES[3]) == durations.total


async def test_how_long_a_decision_an_append_and_its_frames_took(server: Serving) -> None:
    async with seated(server.url) as (created, north, _):
        upto, options = await prompt(north, 0)
        await until(lambda: not server.hub.behind)
        before = await families(server.url)
        await north.ask("decide", match=created["match"], answers=upto, decision=options[0])
        after = await families(server.url)

    def more(name: str, label: str = "") -> float:
        return counts(after[name])[label] - counts(before[name])[label]

    assert 1 == more("fleetfold_decision_seconds")
    assert 1 == more("fleetfold_append_seconds")
    assert 2 == more("fleetfold_fanout_seconds", "seats")  # a frame for each side
    assert 0 == more("fleetfold_fanout_seconds", "onlookers")  # nobody looks on
    assert (
        counts(after["fleetfold_decision_seconds"])[""] == after["fleetfold_commands_stored"].samples[0].value
    )


def behind(seconds: float) -> None:
    """Keep the loop busy, so that the next round has to wait."""
    time.sleep(seconds)


async def test_frames_that_are_gathered_are_as_late_as_the_first_of_them() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    hub = Hub(log, LocalBus(), msgspec.structs.replace(QUICK, compare=60.0))
    async with node(hub) as here:
        onlooker = await here.watch(match)
        await here.current(1)
        for _ in range(3):
            hub.deliver(log.decide(match))
            behind(0.02)
        await onlooker.reach(4)

        assert 1 == dict(hub.tally.to_onlookers.buckets())["+Inf"]
        assert hub.tally.to_onlookers.total >= 0.06
        assert 0 == dict(hub.tally.to(Audience.SIDE_0).buckets())["+Inf"]


@pytest.mark.parametrize("others", [0, 1, 2])
async def test_what_a_seat_is_told_with_its_receipt_counts_once_however_many_see_it(others: int) -> None:
    """Given other connections of its side; if there are two, the last of them does not keep up."""
    log, match = ListLog(), match_id()
    log.decide(match)
    hub = Hub(log, LocalBus(), msgspec.structs.replace(QUICK, compare=60.0))
    async with node(hub) as here:
        seats = [await here.watch(match, Audience.SIDE_0) for _ in range(1 + others)]
        await here.current(len(seats))
        if others == 2:
            hub._subscribers[here.connections[2]].unsent = lambda: UNSENT
        hub.deliver(log.decide(match))
        told = hub.receipt(here.connections[0], match, b'{"type": "receipt"}')
        await seats[0].reach(2)

        assert (True, others == 2) == (told, bool(hub.behind))
        assert 1 == dict(hub.tally.to(Audience.SIDE_0).buckets())["+Inf"]


async def test_commands_passed_on_are_there_before_the_first_by_what_came_of_them(server: Serving) -> None:
    before = by_label((await families(server.url))["fleetfold_commands_passed"])
    server.gateway.passing.passed["silent"] += 2
    after = by_label((await families(server.url))["fleetfold_commands_passed"])

    assert {"answered": 0, "elsewhere": 0, "silent": 0} == before
    assert {"answered": 0, "elsewhere": 0, "silent": 2} == after


async def test_refusals_by_code_are_there_before_the_first(server: Serving) -> None:
    before = by_label((await families(server.url))["fleetfold_refusals"])
    async with seated(server.url) as (created, north, _):
        await north.ask("claim", match=created["match"], seat=1)
        after = by_label((await families(server.url))["fleetfold_refusals"])

    assert {0} == set(before.values())
    assert {"no_time_out": 1} == {code: number for code, number in after.items() if number}


async def test_connections_by_what_they_do(server: Serving) -> None:
    async with seated(server.url), talking(server.url) as silent:
        await silent.say("ping")
        await silent.hear("pong")
        await until(lambda: not server.hub.behind)  # who has just come is, for a moment
        told = await families(server.url)

    assert {"arriving": 0, "idle": 1, "current": 2, "behind": 0} == by_label(
        told["fleetfold_connections_by_state"]
    )
    assert 3 == told["fleetfold_connections"].samples[0].value


async def test_the_lag_of_projections_is_unknown_while_the_database_is_away(
    folder: Path, own_postgres: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "LOOK", 0.05)
    async with running(own_postgres.dsn, folder / "server") as here:
        await until(lambda: here.lag.seconds)
        told = by_label((await families(here.url))["fleetfold_projection_lag_seconds"])
        await own_postgres.stop()
        await until(lambda: not here.lag.seconds)
        without = (await families(here.url))["fleetfold_projection_lag_seconds"]
        await own_postgres.start()
        await until(lambda: here.lag.seconds)

    assert {projection.name: 0.0 for projection in PROJECTIONS} == told
    assert [] == without.samples
