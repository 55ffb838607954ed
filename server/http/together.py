"""What an operator is told of a server, `/readyz` and `/metrics`, for all processes of the machine.

One process asks the others when it is asked itself, and waits ANSWER seconds at most. A process that does not
answer in time is left out, and counted as missing: the one that started it lets nobody wait for it soon, then
ends it and starts another (`server.machine.parent`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from msgspec import json

from server.http.responses import NotReady, Ready
from server.siblings.line import ANSWER, Line

READY: Final = b"ready"
METRICS: Final = b"metrics"


class Together:
    """One process and its siblings; of a server with one process, that process alone."""

    def __init__(
        self,
        line: Line | None,
        ready: Callable[[], Awaitable[Ready | NotReady]],
        metrics: Callable[[], bytes],
    ) -> None:
        """Take the line to the siblings, if there is one, and what tells of this process."""
        self._line, self._ready, self._metrics = line, ready, metrics
        if line is not None:
            line.answer_with(READY, self._own_ready)
            line.answer_with(METRICS, self._own_metrics)

    async def ready(self) -> Ready | NotReady:
        """Return how all are: one that is not ready, or what is true of each."""
        if self._line is None:
            return await self._ready()
        own, answers = await asyncio.gather(self._in_time(), self._line.ask(READY))
        return worst([own, *map(_read, answers.values())], self._line.count)

    async def metrics(self) -> bytes:
        """Return the metrics of all as text for Prometheus."""
        own = await self._own_metrics()
        if self._line is None:
            return own + counted(1, 1)
        return merged({self._line.number: own, **await self._line.ask(METRICS)}, self._line.count)

    async def _own_ready(self) -> bytes:
        return json.encode(await self._in_time())

    async def _in_time(self) -> Ready | NotReady:
        """Return how this process is, in time for who asks: one that is not ready is not to be left out."""
        try:
            async with asyncio.timeout(ANSWER / 2):
                return await self._ready()
        except TimeoutError as why:
            return NotReady(type(why).__name__)

    async def _own_metrics(self) -> bytes:
        return self._metrics() + ended(0 if self._line is None else self._line.ends)


def _read(answer: bytes) -> Ready | NotReady:
    if b'"why"' in answer:
        return json.decode(answer, type=NotReady)
    return json.decode(answer, type=Ready)


def worst(told: Sequence[Ready | NotReady], wanted: int) -> Ready | NotReady:
    """Return what is true of all processes that have answered, of so many."""
    ready: list[Ready] = []
    for one in told:
        if isinstance(one, NotReady):
            return one
        ready.append(one)
    return Ready(
        all(one.ready for one in ready),
        all(one.bus for one in ready),
        max((one.clock_offset for one in ready), key=abs),
        all(one.signed for one in ready),
        all(one.signer for one in ready),
        len(ready),
        wanted - len(ready),
    )


def merged(texts: Mapping[int, bytes], wanted: int) -> bytes:
    """Return the metrics of several processes as one text, each value with the number of its process.

    Nothing is summed: a counter of a process that was started anew begins anew, which Prometheus knows how to
    take, and a sum would hide.
    """
    heads: dict[str, list[str]] = {}
    values: dict[str, list[str]] = {}
    for number, text in sorted(texts.items()):
        name = ""
        for line in text.decode().splitlines():
            if line.startswith("# HELP"):
                name = line.split(" ", 3)[2]
                heads[name] = []
            if line.startswith("#"):
                heads[name].append(line)
            else:
                values.setdefault(name, []).append(_labelled(line, number))
    lines = [line for name, head in heads.items() for line in (*head, *values.get(name, []))]
    return "\n".join([*lines, ""]).encode() + counted(len(texts), wanted)


def counted(answering: int, wanted: int) -> bytes:
    """Return the metric of how many processes there are."""
    lines = [
        "# HELP fleetfold_processes Server processes of this machine",
        "# TYPE fleetfold_processes gauge",
        f'fleetfold_processes{{state="answering"}} {answering}',
        f'fleetfold_processes{{state="missing"}} {wanted - answering}',
    ]
    return "\n".join([*lines, ""]).encode()


def ended(times: int) -> bytes:
    """Return the metric of how often a process has ended and was started again."""
    lines = [
        "# HELP fleetfold_process_ends_total Processes of this number that have ended and were replaced",
        "# TYPE fleetfold_process_ends_total counter",
        f"fleetfold_process_ends_total {times}",
    ]
    return "\n".join([*lines, ""]).encode()


def _labelled(line: str, number: int) -> str:
    """Add the number of its process to the labels of a value."""
    sample, value = line.rsplit(" ", 1)
    name, _, labels = sample.partition("{")
    also = f",{labels.rstrip('}').rstrip(',')}" if labels else ""
    return f'{name}{{process="{number}"{also}}} {value}'
