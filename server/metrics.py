"""Metrics for Prometheus, read from counters that the parts of a node keep."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, get_args

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from domain.match.refusals import Code
from projections.runner import Runner
from server.addresses import WHYS, Addresses
from server.durations import Durations
from server.fanout.hub import Hub
from server.http.people import PeoplePages
from server.log.store import PostgresLog
from server.notices.notifying import Notifying
from server.people.entry import Way
from server.people.post import OUTCOMES
from server.people.shares import WHATS
from server.play.clock import Clock
from server.play.matches import Matches
from server.play.passing import Outcome
from server.proof.signing import Signing
from server.socket.gateway import Gateway

Read = Callable[[], float]

LOOK: Final = 5.0
"""Seconds between two looks at how far projections are behind the log."""


class Numbers(Collector):
    """Counters and gauges, read at each scrape."""

    def __init__(
        self, counters: Mapping[tuple[str, str], Read], gauges: Mapping[tuple[str, str], Read]
    ) -> None:
        """Take, by name and description of each metric, a function that returns its value."""
        self._counters, self._gauges = counters, gauges

    def collect(self) -> Iterator[Metric]:
        """Read all numbers."""
        for (name, text), read in self._counters.items():
            yield CounterMetricFamily(f"fleetfold_{name}", text, value=read())
        for (name, text), read in self._gauges.items():
            yield GaugeMetricFamily(f"fleetfold_{name}", text, value=read())


class Lag:
    """How far each projection is behind the log, looked up now and then: a scrape waits for no database."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.seconds: Mapping[str, float] = {}
        """By projection the age of the oldest fact that it lacks; empty while the database is away."""

    async def run(self) -> None:
        """Look every LOOK seconds until cancelled."""
        while True:
            try:
                self.seconds = await self._runner.lag()
            except Exception:
                self.seconds = {}
            await asyncio.sleep(LOOK)


class Labelled(Collector):
    """The metrics that have a value for each of several labels, and the histograms, read at each scrape."""

    def __init__(
        self,
        hub: Hub,
        gateway: Gateway,
        matches: Matches,
        log: PostgresLog,
        addresses: Addresses,
        lag: Lag,
        notices: Notifying,
        people: PeoplePages,
    ) -> None:
        self._hub, self._gateway, self._matches, self._log = hub, gateway, matches, log
        self._addresses, self._lag, self._notices, self._people = addresses, lag, notices, people

    def collect(self) -> Iterator[Metric]:
        """Read all of them."""
        refusals = CounterMetricFamily("fleetfold_refusals", "Requests refused, by code", labels=["code"])
        for code in get_args(Code):  # those at 0 too: a rate sees only what was there before
            refusals.add_metric([code], self._gateway.refusals[code])
        yield refusals
        passed = CounterMetricFamily(
            "fleetfold_commands_passed", "Commands passed on to another node, by outcome", labels=["outcome"]
        )
        for outcome in get_args(Outcome):
            passed.add_metric([outcome], self._gateway.passing.passed[outcome])
        yield passed
        turned = CounterMetricFamily(
            "fleetfold_turned_away",
            "Connections and requests turned away, by what is too much",
            labels=["why"],
        )
        for why in WHYS:
            turned.add_metric([why], self._addresses.turned_away[why])
        yield turned
        yield from self._persons()
        yield gauge("connections_by_state", "Connections, by what they do", "state", self._states())
        yield gauge(
            "projection_lag_seconds",
            "Age of the oldest fact that a projection lacks",
            "projection",
            self._lag.seconds.items(),
        )
        notices = CounterMetricFamily(
            "fleetfold_notices", "Notices by channel and what came of them", labels=["channel", "outcome"]
        )
        for labels, count in self._notices.told():
            notices.add_metric(labels, count)
        yield notices
        yield GaugeMetricFamily(
            "fleetfold_outbox_age_seconds", "Since when the oldest notice is due", value=self._notices.age
        )
        decisions = {"": self._matches.took}
        yield histogram("decision_seconds", "From a command's arrival to its receipt", decisions)
        appends = {"": self._log.took}
        yield histogram("append_seconds", "From a statement that appends to its answer", appends)
        written = {"seats": self._hub.tally.to_seats, "onlookers": self._hub.tally.to_onlookers}
        yield histogram("fanout_seconds", "From a frame at hand to the last write here", written, "to")

    def _persons(self) -> Iterator[Metric]:
        entry, shares = self._people.entry, self._people.shares
        yield CounterMetricFamily("fleetfold_sign_ups", "Persons who have signed up", value=entry.sign_ups)
        came = CounterMetricFamily(
            "fleetfold_sign_ins", "Sessions begun by who was known, by what he came in by", labels=["way"]
        )
        for way in get_args(Way):
            came.add_metric([way], entry.sign_ins[way])
        yield came
        refused = CounterMetricFamily(
            "fleetfold_shares_refused",
            "What was asked for beyond the share of an address, a network or a person, by what it was",
            labels=["what"],
        )
        for what in WHATS:
            refused.add_metric([what], shares.refused[what])
        yield refused

        post = self._people.mailing.post
        mails = CounterMetricFamily(
            "fleetfold_links_mailed", "Mails with a link to come in by, by outcome", labels=["outcome"]
        )
        for outcome in OUTCOMES:
            mails.add_metric([outcome], post.outcomes[outcome] if post else 0)
        yield mails

    def _states(self) -> Iterator[tuple[str, float]]:
        watching, behind = self._hub.connections, self._hub.connections_behind
        yield "arriving", len(self._addresses.waiting)
        yield "idle", max(0, len(self._gateway.connections) - watching)
        yield "current", watching - behind
        yield "behind", behind


def gauge(name: str, text: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    """Return a gauge with a value for each value of one label."""
    family = GaugeMetricFamily(f"fleetfold_{name}", text, labels=[label])
    for one, value in values:
        family.add_metric([one], value)
    return family


def histogram(name: str, text: str, kept: Mapping[str, Durations], label: str = "") -> Metric:
    """Return a histogram of the durations kept for each value of the label, or of the only ones."""
    family = HistogramMetricFamily(f"fleetfold_{name}", text, labels=[label] if label else [])
    for one, durations in kept.items():
        family.add_metric([one] if label else [], [*durations.buckets()], durations.total)
    return family


def numbers(
    hub: Hub,
    gateway: Gateway,
    matches: Matches,
    runner: Runner,
    clock: Clock,
    bots: Read,
    signing: Signing,
) -> tuple[dict[tuple[str, str], Read], dict[tuple[str, str], Read]]:
    """Return the counters and gauges of a server, by name and description."""
    counters: dict[tuple[str, str], Read] = {
        ("commands_stored", "Commands put on the log by this node"): lambda: matches.decisions,
        ("commands_moved", "Times another node had moved first"): lambda: matches.conflicts,
        ("positions_ignored", "Positions of matches that were of no use, so that all was folded"): (
            lambda: matches.ignored
        ),
        ("deliveries", "Messages written to connections"): lambda: hub.tally.deliveries,
        ("fallen_behind", "Times a connection fell behind"): lambda: hub.tally.fallen,
        ("views_sent", "Whole views sent"): lambda: hub.tally.views,
        ("resyncs", "Times a topic was brought up to date from the log"): lambda: hub.tally.resyncs,
        ("closed_slow", "Connections closed for being too slow"): lambda: hub.tally.closed_slow,
        ("bus_dropped", "Broadcasts of which other nodes were told the range only"): (
            lambda: hub.bus_counts.dropped
        ),
        ("bus_refused", "Messages between nodes that no node made, or that came too late"): (
            lambda: hub.bus_counts.refused
        ),
    }
    gauges: dict[tuple[str, str], Read] = {
        ("connections", "Websockets open"): lambda: len(gateway.connections),
        ("watchers", "Matches watched, counted for each connection"): lambda: hub.watchers,
        ("behind", "Of these, how many are behind"): lambda: hub.behind,
        ("topics", "Matches and audiences subscribed to"): lambda: hub.topics,
        ("bus_queued", "Broadcasts that wait to be sent to other nodes"): lambda: hub.bus_counts.queued,
        ("bus_up", "Whether broadcasts travel between nodes"): lambda: hub.bus_up,
        ("tasks", "Tasks of the event loop"): lambda: len(asyncio.all_tasks()),
        ("bots", "Bots of the house that this node runs"): bots,
        ("signer", "Whether this node has the key that checkpoints are signed with"): (
            lambda: bool(signing.key)
        ),
        ("signing", "Whether this node signs checkpoints"): lambda: signing.here,
        ("signing_refused", "Whether this node refuses to sign, since the log is not what was published"): (
            lambda: signing.refused
        ),
        ("unsigned_seconds", "For how long matches that have ended have waited to be signed"): (
            lambda: signing.waiting
        ),
        ("projections_stopped", "Projections that met a fact they could not apply"): (
            lambda: len(runner.stopped)
        ),
        ("clock_offset_seconds", "Seconds by which this machine's clock is ahead of the database's"): (
            lambda: clock.offset
        ),
    }
    return counters, gauges


def registry(
    counters: Mapping[tuple[str, str], Read], gauges: Mapping[tuple[str, str], Read], labelled: Labelled
) -> CollectorRegistry:
    """Return a registry with these metrics and those of the process."""
    registered = CollectorRegistry()
    registered.register(Numbers(counters, gauges))
    registered.register(labelled)
    ProcessCollector(registry=registered)
    PlatformCollector(registry=registered)
    GCCollector(registry=registered)
    return registered


def text(registered: CollectorRegistry) -> bytes:
    """Return the text served under /metrics."""
    return generate_latest(registered)
