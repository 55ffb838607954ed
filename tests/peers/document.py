"""Writes docs/benchmarks.md, and its drawings, from what was measured; its words are in `page.md`."""

import textwrap
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from tests.peers.drawing import bars, lines, number_of
from tests.peers.figures import Figure, Machine, Measured

OURS: Final = "Fleetfold"
PAGE: Final = Path(__file__).with_name("page.md")
DRAWINGS: Final = "pictures"
WIDTH: Final = 124
NONE: Final = "-"
PEER: Final = "boardgame.io, in memory"

BUSY: Final = 0.3
"""Cores that others use from which on a machine is said to be busy."""


class Beside(Struct, frozen=True):
    """A part in which others are beside ours, and the value by which they are compared."""

    title: str
    value: str
    unit: str
    drawn: str
    better: Callable[..., float]


BESIDE: Final = {
    "fanout": Beside("Fan-out", "µs a delivery", "µs", "Processor's time of a delivery: less is better", min),
    "round_trip": Beside(
        "Round trip", "µs of the server", "µs", "Processor's time of a decision: less is better", min
    ),
    "appends": Beside("Appends", "rows/s", "rows/s", "Rows stored in a second: more is better", max),
}


class Growth(Struct, frozen=True):
    """A part in which there is more and more of something, and what of it is drawn."""

    drawn: str
    across: str
    values: tuple[str, ...]


GROWTHS: Final = {
    "onlookers": Growth(
        "A decision", "onlookers", ("acknowledged p50 ms", "last onlooker p50 ms", "last onlooker p99 ms")
    ),
    "matches": Growth("Decisions", "matches at once", ("decisions/s", "µs of the server")),
    "nodes": Growth("Decisions", "nodes", ("decisions/s", "µs of the server")),
    "in_the_log": Growth("Appends and openings", "facts in the log", ("rows/s appended", "open ms")),
    "of_a_match": Growth(
        "One match",
        "facts",
        (
            "open, cold, ms",
            "open, from the first fact, ms",
            "a decision at the end, ms",
            "scrub to any moment, ms",
        ),
    ),
}

REASONS: Final = {
    "C, epoll": (
        "it has nothing but sockets in an array. Ours asks of each watcher whether he is current and still "
        "reads, and keeps what was sent for those who fall behind"
    ),
    "raw asyncio (uvloop)": (
        "it writes to every transport, whoever is behind. What ours does more is to ask of each watcher "
        "whether he is current and still reads"
    ),
    "ws": "it has no watchers to ask whether they are current",
    "Colyseus": "it has no watchers to ask whether they are current; what it sends goes through `ws`",
    "uvicorn": "it has no watchers to ask whether they are current",
    "Colyseus, in memory": (
        "nothing of it is on disk, nothing is hidden, no rules are asked, and the patch is of a few bytes, "
        "the same for all. What a crash takes is gone"
    ),
    "boardgame.io, in memory": "nothing of it is on disk, and no rules are asked. What a crash takes is gone",
    "pgbench": (
        "its row is chained to no other and refused to nobody, and is made by a program in C. One commit for "
        "many matches makes up for it where a flush is slow and matches are many"
    ),
}
UNKNOWN: Final = "why has not been looked into"


def write(measured: Measured, docs: Path) -> list[Path]:
    """Write the page and its drawings; return their paths."""
    pictures = dict(_pictures(measured))
    parts = {
        "machine": _machine(measured.machine),
        "behind": "\n".join(_wrapped(f"- {one}", "  ") for one in behind(measured)) or "Nowhere in this run.",
    }
    for part in (*BESIDE, *GROWTHS):
        parts[part] = _part(measured, part, drawn=part in pictures)
    (docs / DRAWINGS).mkdir(parents=True, exist_ok=True)
    page = docs / "benchmarks.md"
    page.write_text(PAGE.read_text().format_map(parts))
    paths = [docs / DRAWINGS / f"benchmarks-{name}.svg" for name in pictures]
    for path, text in zip(paths, pictures.values(), strict=True):
        path.write_text(text)
    return [page, *paths]


def behind(measured: Measured) -> list[str]:
    """Return a sentence for each who is ahead of the best of ours: by how much at most, and why."""
    found: list[str] = []
    for part, beside in BESIDE.items():
        ahead: dict[str, float] = {}
        for one, ratio in _ratios(measured.of(part), beside):
            if ratio > 1:
                ahead[one.of] = max(ratio, ahead.get(one.of, 0))
        for name, ratio in ahead.items():
            found.append(f"{beside.title}: {name}, {ratio:.2f} of ours; {REASONS.get(name, UNKNOWN)}.")
    return found


def _ratios(figures: Sequence[Figure], beside: Beside) -> Iterable[tuple[Figure, float]]:
    """Give each of the others, and by how much it is better than the best of ours at the same size."""
    for one in figures:
        ours = [
            other.values[beside.value]
            for other in figures
            if other.at == one.at and other.of.startswith(OURS)
        ]
        if ours and not one.of.startswith(OURS):
            best, its = beside.better(ours), one.values[beside.value]
            yield one, best / its if beside.better is min else its / best


def _machine(machine: Machine) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions.items())
    on = f"{machine.cores} cores ({machine.processor}), {machine.system}"
    said = _wrapped(f"Taken on {machine.taken} on {on}, at the {machine.scale} scale. {versions}.")
    if machine.busy < BUSY:
        return said
    busy = (
        f"**The machine had other work**: {machine.busy:.1f} of its cores were in use when this began. What "
        "passes in a second is too low, and ratios are rough."
    )
    return f"{said}\n\n{_wrapped(busy)}"


def _part(measured: Measured, part: str, *, drawn: bool) -> str:
    """Write what was measured of a part: a drawing, a table, and who was left out."""
    said: list[str] = []
    if drawn:
        said.append(f"![The figures of this table]({DRAWINGS}/benchmarks-{part}.svg)")
    if figures := measured.of(part):
        several = len({one.at for one in figures}) > 1
        said.append(_by_size(figures, BESIDE[part]) if part in BESIDE and several else _whole(figures, part))
    missing = [one for one in measured.figures if one.part == part and one.left_out]
    said += [_wrapped(f"Left out: {one.of}, {one.at:,}: {one.left_out}.") for one in missing]
    return "\n\n".join(filter(None, said)).rstrip() or "Not measured."


def _by_size(figures: Sequence[Figure], beside: Beside) -> str:
    """Write a row for each name, and for each size two columns: the value, and its ratio to ours."""
    sizes = sorted({one.at for one in figures})
    values = {(one.of, one.at): number_of(one.values[beside.value]) for one in figures}
    ratios = {(one.of, one.at): f"{ratio:.2f}" for one, ratio in _ratios(figures, beside)}
    rows = []
    for name in dict.fromkeys(one.of for one in figures):
        cells = [(values.get((name, size), NONE), ratios.get((name, size), NONE)) for size in sizes]
        rows.append([name, *(cell for pair in cells for cell in pair)])
    heads = [head for size in sizes for head in (f"{size:,}: {beside.value}", "of ours")]
    return f"{_table(['', *heads], rows)}\n\n*Of ours*: above 1 the other is ahead."


def _whole(figures: Sequence[Figure], part: str) -> str:
    """Write a row for each size, or for each name where there is one size, and a column for each value."""
    names = list(figures[0].values)
    beside = part in BESIDE
    head = f"{figures[0].at:,} at once" if beside else GROWTHS[part].across
    rows = [
        [one.of if beside else f"{one.at:,}", *(number_of(one.values[name]) for name in names)]
        for one in figures
    ]
    table = _table([head, *names], rows)
    return f"{table}\n\n{_of_peer(figures)}" if part == "round_trip" else table


def _of_peer(figures: Sequence[Figure]) -> str:
    """Say how many decisions each made in a second for one of the peer that is named in the goals."""
    rates = {one.of: one.values["decisions/s"] for one in figures}
    its = rates.pop(PEER, 0.0)
    if not its:
        return ""
    said = ", ".join(f"{name} {rate / its:.2f}" for name, rate in rates.items())
    return _wrapped(f"Decisions in a second, for one of {PEER}: {said}.")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---", *["--:"] * (len(heads) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, rule, *rows])


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def _pictures(measured: Measured) -> Iterable[tuple[str, str]]:
    for part, beside in BESIDE.items():
        if figures := measured.of(part):
            size = max(one.at for one in figures)
            values = {one.of: one.values[beside.value] for one in figures if one.at == size}
            yield part, bars(f"{beside.drawn} ({size:,} at once)", beside.unit, values, OURS)
    for part, growth in GROWTHS.items():
        figures = measured.of(part)
        if len({one.at for one in figures}) > 1:
            series = {name: [(one.at, one.values[name]) for one in figures] for name in growth.values}
            yield part, lines(growth.drawn, growth.across, series)
