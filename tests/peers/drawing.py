"""Drawings of figures, as SVG: bars beside one another, and lines over sizes that grow by factors."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

WIDTH: Final = 720
LEFT, RIGHT, ROW, TOP = 190, 100, 24, 40
HEIGHT: Final = 280
MARGIN: Final = 60
LEGEND: Final = 210
INK, FAINT, PAPER = "#1f2933", "#d5dbe1", "#ffffff"
OURS, OTHERS = "#b8412c", "#6b8299"
COLOURS: Final = (OURS, "#2f6f9f", "#5c8a3a", "#8a5ca8", "#b0812a")


def bars(title: str, unit: str, values: Mapping[str, float], ours: str) -> str:
    """Draw a bar for each name; those whose name begins with `ours` stand out."""
    most = max(values.values())
    parts = [_text(12, 22, title, weight="bold")]
    for number, (name, value) in enumerate(values.items()):
        y = TOP + ROW * number
        length = max(1.0, (WIDTH - LEFT - RIGHT) * value / most)
        colour = OURS if name.startswith(ours) else OTHERS
        parts += [
            _text(LEFT - 8, y + 15, name, anchor="end"),
            f'<rect x="{LEFT}" y="{y + 3}" width="{length:.1f}" height="{ROW - 7}" fill="{colour}"/>',
            _text(LEFT + length + 6, y + 15, f"{number_of(value)} {unit}"),
        ]
    return _svg(TOP + ROW * len(values) + 10, title, parts)


def lines(title: str, across: str, series: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Draw a line for each name through (size, value), both axes by factors of ten."""
    points = [point for line in series.values() for point in line]
    x_axis = _Axis([x for x, _ in points], MARGIN, WIDTH - LEGEND)
    y_axis = _Axis([y for _, y in points], HEIGHT - MARGIN, TOP)
    parts = [
        _text(12, 22, f"{title}, by factors of ten", weight="bold"),
        _text(WIDTH - LEGEND, HEIGHT - 12, across, anchor="end"),
    ]
    for tick in y_axis.ticks():
        y = y_axis.at(tick)
        parts += [
            _rule(MARGIN, y, WIDTH - LEGEND, y),
            _text(MARGIN - 6, y + 4, number_of(tick), anchor="end"),
        ]
    for tick in sorted({x for x, _ in points}):
        x = x_axis.at(tick)
        parts += [
            _rule(x, TOP, x, HEIGHT - MARGIN),
            _text(x, HEIGHT - MARGIN + 16, number_of(tick), anchor="middle"),
        ]
    for number, (name, line) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        places = [(x_axis.at(x), y_axis.at(y)) for x, y in sorted(line)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        parts.append(_text(WIDTH - LEGEND + 12, TOP + 14 + 18 * number, name, fill=colour))
    return _svg(HEIGHT, title, parts)


def number_of(value: float) -> str:
    """Write a number as precisely as it is worth."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.{1 if value >= 10 else 2}f}".rstrip("0").rstrip(".")


class _Axis:
    """Places of values between two ends, by factors."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        values = [value for value in values if value > 0] or [1.0]
        self._low = math.floor(math.log10(min(values)))
        self._high = max(self._low + 1, math.ceil(math.log10(max(values))))
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        """Return where a value stands."""
        share = (math.log10(max(value, 10.0**self._low)) - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)

    def ticks(self) -> list[float]:
        """Return the powers of ten."""
        return [10.0**power for power in range(self._low, self._high + 1)]


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", weight: str = "normal", fill: str = INK
) -> str:
    style = f'text-anchor="{anchor}" font-weight="{weight}" fill="{fill}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{FAINT}"/>'


def _svg(height: int, title: str, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="sans-serif" font-size="13">'
    )
    paper = f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", paper, *parts, "</svg>", ""])
