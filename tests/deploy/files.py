"""What lies in deploy/, as its tests read it."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"

SETTING = re.compile(r"FLEETFOLD_[A-Z]+(?:_[A-Z]+)*")
SECONDS = {"s": 1, "m": 60}
METRIC = re.compile(r"\b(?:fleetfold|process|python)_\w+")


def texts() -> Mapping[Path, str]:
    """Return all files, by path, but for what Python makes of them."""
    paths = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path: path.read_text() for path in paths}


def read(path: str) -> Any:
    return yaml.safe_load((DEPLOY / path).read_text())


def manifests() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield file and resource for all of deploy/kubernetes."""
    for path in sorted((DEPLOY / "kubernetes").glob("*.yaml")):
        for resource in yaml.safe_load_all(path.read_text()):
            yield path.name, resource


def alerts() -> list[dict[str, Any]]:
    return [rule for group in read("prometheus/alerts.yaml")["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    """Return what the dashboard draws, its headings too."""
    dashboard = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text())
    return cast("list[dict[str, Any]]", dashboard["panels"])


def drawn() -> list[str]:
    """Return what the panels of the dashboard ask."""
    return [target["expr"] for panel in panels() for target in panel.get("targets", ())]


def queries() -> list[str]:
    """Return all that Prometheus is asked: by alerts, the dashboard and the adapter."""
    dashboard = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text())
    lists = [one["query"]["query"] for one in dashboard["templating"]["list"] if one["type"] == "query"]
    rules = [rule["seriesQuery"] for rule in read("prometheus/adapter.yaml")["rules"]["custom"]]
    asked = drawn()
    assert asked
    return [alert["expr"] for alert in alerts()] + asked + lists + rules


def assigned(path: str) -> dict[str, str]:
    """Return the settings of a file with `name = value` on a line."""
    lines = (
        re.fullmatch(r"(\w+) *= *([^#]+?) *(?:#.*)?", line) for line in texts()[DEPLOY / path].splitlines()
    )
    return {line[1]: line[2].strip("'") for line in lines if line}


def seconds(text: str) -> int:
    """Read a duration such as 90s or 5m."""
    return int(text[:-1]) * SECONDS[text[-1]]
