"""Alerts, and the pages of the runbook to which they lead."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.deploy.files import DEPLOY, METRIC, alerts, drawn, panels

COUNTED = r"(?:rate|increase)\("
"""Functions after which a value is none of its metric."""

# By what a summary makes of the value: whether an expression has that unit.
UNITS: Mapping[str, Callable[[str], bool]] = {
    "humanizePercentage": lambda value: re.search(r"\w / \w", value) is not None,
    "humanizeDuration": lambda value: (
        all(re.search(r"_seconds(?:_bucket)?$", name) for name in METRIC.findall(value))
        and ("histogram_quantile(" in value or not re.search(COUNTED, value))
    ),
    "humanize a second": lambda value: re.search(r"\brate\(", value) is not None,
    "humanize": lambda value: not re.search(r"\brate\(|/", value),
}


def values(expr: str) -> list[str]:
    """Return an alert's values: of each arm of `or` what stands before the first comparison."""
    bare = re.sub(r"{[^}]*}", "", expr)
    return [re.split(r"[<>=!]=?", arm)[0].strip() for arm in re.split(r"\bor\b", bare)]


def unit(summary: str) -> str | None:
    """Return how a summary shows the value; None if it does not."""
    shown = re.search(r"{{ \$value \| (\w+) }}(.*)", summary)
    if shown is None:
        assert "$value" not in summary, summary
        return None
    often = shown[1] == "humanize" and " a second " in f"{shown[2]} "
    return f"{shown[1]} a second" if often else shown[1]


def fits(alert: dict[str, Any]) -> bool:
    """Whether the value of an alert has the unit that its summary shows."""
    shown = unit(alert["annotations"]["summary"])
    return shown is None or all(UNITS[shown](value) for value in values(alert["expr"]))


def test_every_alert_has_a_page_and_every_page_an_alert() -> None:
    root = DEPLOY.parent
    pages = {alert["alert"]: root / alert["annotations"]["runbook"] for alert in alerts()}

    assert {name: f"# {name}" for name in pages} == {
        name: page.read_text().splitlines()[0] for name, page in pages.items()
    }
    assert set(pages.values()) == set((DEPLOY / "runbook").glob("*.md"))
    for page in pages.values():
        assert ["What it means", "What players see", "What to look at", "What to do"] == re.findall(
            r"^## (.+)$", page.read_text(), re.MULTILINE
        )
    for alert in alerts():
        assert alert["labels"]["severity"] in {"page", "ticket"}
        assert alert["annotations"]["summary"]


def test_the_runbook_lists_every_alert() -> None:
    runbook = (DEPLOY / "runbook.md").read_text()

    linked = set(re.findall(r"\[(Fleetfold\w+)\]\((runbook/[\w-]+\.md)\)", runbook))
    assert {
        (alert["alert"], alert["annotations"]["runbook"].removeprefix("deploy/")) for alert in alerts()
    } == linked


def test_the_value_that_an_alert_shows_has_the_unit_that_it_says() -> None:
    said = [unit(alert["annotations"]["summary"]) for alert in alerts()]

    assert set(UNITS) == set(said) - {None}
    assert [] == [alert["alert"] for alert in alerts() if not fits(alert)]


@pytest.mark.parametrize(
    ("expr", "summary"),
    [
        ("a_behind > 20 and a_behind / a_watchers > 0.1", "{{ $value | humanizePercentage }} are behind"),
        ("rate(fleetfold_a_total[5m]) > 1", "{{ $value | humanizeDuration }} behind"),
        ("rate(fleetfold_a_seconds[5m]) > 1", "{{ $value | humanizeDuration }} behind"),
        ("sum(increase(a_total[5m])) > 1", "{{ $value | humanize }} requests a second"),
        ("sum(rate(a_total[5m])) > 1 or a_queued > 9", "{{ $value | humanize }} requests a second"),
        ("sum(rate(a_total[1h])) > 1", "{{ $value | humanize }} matches within an hour"),
        ("a / b > 1", "{{ $value | humanize }} matches"),
    ],
)
def test_a_value_of_another_unit_is_found(expr: str, summary: str) -> None:
    assert not fits({"expr": expr, "annotations": {"summary": summary}})


def test_what_an_alert_goes_by_is_drawn_on_the_dashboard() -> None:
    names = rf"\bup\b|{METRIC.pattern}"
    by = {name: alert["alert"] for alert in alerts() for name in re.findall(names, alert["expr"])}
    seen = {name for expr in drawn() for name in re.findall(names, expr)}

    assert {} == {name: alert for name, alert in by.items() if name not in seen}
    assert "up" in by


def test_no_panel_covers_another_and_all_are_within_the_page() -> None:
    places = [panel["gridPos"] for panel in panels()]
    cells = [
        (x, y)
        for place in places
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]

    assert len(cells) == len(set(cells))
    assert {x for x, _ in cells} == set(range(24))
    assert len(places) == len({panel["id"] for panel in panels()})
