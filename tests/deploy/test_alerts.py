"""Alerts, and the pages of the runbook to which they lead."""

import re

from tests.deploy.files import DEPLOY, alerts


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
