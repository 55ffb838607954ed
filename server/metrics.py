"""Metrics for Prometheus, read from counters that the parts of a node keep."""

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from projections.runner import Runner
from server.fanout.hub import Hub
from server.play.clock import Clock
from server.play.matches import Matches
from server.proof.signing import Signing
from server.socket.gateway import Gateway

Read = Callable[[], float]


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
            lambda: matches.opening.ignored
        ),
        ("refusals", "Requests refused"): lambda: gateway.refusals,
        ("deliveries", "Messages written to connections"): lambda: hub.tally.deliveries,
        ("fallen_behind", "Times a connection fell behind"): lambda: hub.tally.fallen,
        ("views_sent", "Whole views sent"): lambda: hub.tally.views,
        ("resyncs", "Times a topic was brought up to date from the log"): lambda: hub.tally.resyncs,
        ("closed_slow", "Connections closed for being too slow"): lambda: hub.tally.closed_slow,
        ("bus_dropped", "Broadcasts of which other nodes were told the range only"): lambda: hub.bus_dropped,
        ("bus_refused", "Messages between nodes that no node made, or that came too late"): (
            lambda: hub.bus_refused
        ),
    }
    gauges: dict[tuple[str, str], Read] = {
        ("connections", "Websockets open"): lambda: len(gateway.connections),
        ("watchers", "Matches watched, counted for each connection"): lambda: hub.watchers,
        ("behind", "Of these, how many are behind"): lambda: hub.behind,
        ("topics", "Matches and audiences subscribed to"): lambda: hub.topics,
        ("bus_up", "Whether broadcasts travel between nodes"): lambda: hub.bus_up,
        ("bots", "Bots of the house that this node runs"): bots,
        ("signing", "Whether this node signs checkpoints"): lambda: signing.here,
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
    counters: Mapping[tuple[str, str], Read], gauges: Mapping[tuple[str, str], Read]
) -> CollectorRegistry:
    """Return a registry with these metrics and those of the process."""
    registered = CollectorRegistry()
    registered.register(Numbers(counters, gauges))
    ProcessCollector(registry=registered)
    PlatformCollector(registry=registered)
    GCCollector(registry=registered)
    return registered


def text(registered: CollectorRegistry) -> bytes:
    """Return the text served under /metrics."""
    return generate_latest(registered)
