"""What Prometheus is told: numbers that the parts of a node keep anyway."""

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

Read = Callable[[], float]


class Numbers(Collector):
    """Counters and gauges, read when somebody asks."""

    def __init__(
        self, counters: Mapping[tuple[str, str], Read], gauges: Mapping[tuple[str, str], Read]
    ) -> None:
        """Take the name and the sentence of each number, and where to read it."""
        self._counters, self._gauges = counters, gauges

    def collect(self) -> Iterator[Metric]:
        """Read all numbers."""
        for (name, text), read in self._counters.items():
            yield CounterMetricFamily(f"fleetfold_{name}", text, value=read())
        for (name, text), read in self._gauges.items():
            yield GaugeMetricFamily(f"fleetfold_{name}", text, value=read())


def registry(
    counters: Mapping[tuple[str, str], Read], gauges: Mapping[tuple[str, str], Read]
) -> CollectorRegistry:
    """Return a registry with these numbers and those of the process."""
    registered = CollectorRegistry()
    registered.register(Numbers(counters, gauges))
    ProcessCollector(registry=registered)
    PlatformCollector(registry=registered)
    GCCollector(registry=registered)
    return registered


def text(registered: CollectorRegistry) -> bytes:
    """Return what is served under /metrics."""
    return generate_latest(registered)
