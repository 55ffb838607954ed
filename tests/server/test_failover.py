"""A whole cluster under load while parts of it are killed; short, and as long as patience lasts.

Everything is real, and on the loopback: `tests.cluster`. What the check finds is tried in `test_trial`.
"""

import os

import pytest
import structlog

from tests.cluster.database import patroni_is_there
from tests.cluster.trial import Look, Plan, trial

log = structlog.get_logger()

BESIDES = 2.0
"""Seconds that play may take to go on when the database does again."""

CROWD = 1000
FIRST_MINUTE = 60.0

MORE_MEMORY = 1.15
"""By how much a node may weigh more at the end than after its first minute."""


def say(text: str) -> None:
    log.info("trial", said=text)


@pytest.mark.soak
async def test_the_primary_is_killed_under_load_and_nothing_acknowledged_is_lost() -> None:
    assert patroni_is_there(), "there is no Patroni: run `deploy/provision haproxy patroni`"
    plan = Plan(seconds=70, every=20, kinds=("postgres",), onlookers=40)

    found = await trial(plan, say)

    assert [] == found.violations
    assert found.report.kills >= 2, found.report
    assert found.report.acknowledged > 100, found.report
    for recovery in found.recoveries:
        assert recovery.seconds is not None
        assert recovery.database is not None
        assert recovery.seconds < recovery.database + BESIDES, recovery


@pytest.mark.soak
async def test_a_fault_every_five_seconds_before_a_crowd_leaves_no_violation_and_no_growth() -> None:
    """FLEETFOLD_SOAK_SECONDS says how long, if not ten minutes; the first node is spared, and weighed."""
    seconds = float(os.environ.get("FLEETFOLD_SOAK_SECONDS", "600"))
    plan = Plan(seconds=seconds, tables=16, onlookers=CROWD, think=0.5)

    found = await trial(plan, say, spared=True)
    for look in found.looks:
        log.info("weighed", at=round(look.at), MiB=round(look.memory, 1), files=look.files, tasks=look.tasks)

    assert [] == found.violations
    assert found.report.kills >= seconds / plan.every - 1, found.report
    assert [] == growth(found.looks)


def growth(looks: list[Look]) -> list[str]:
    """Name what grows in what follows the first minute: its second half against its first, by their lowest.

    Onlookers come and go with every kill of another node, and so do files and tasks; what is lowest tells
    of what stays.
    """
    later = [look for look in looks if look.at > FIRST_MINUTE]
    if len(later) < 6:
        return []
    half = len(later) // 2
    found = []
    for name, allowed in (("memory", MORE_MEMORY), ("files", 1.5), ("tasks", 1.5)):
        before, after = (min(getattr(look, name) for look in part) for part in (later[:half], later[half:]))
        if after > before * allowed:
            found.append(f"{name} grew from {before:.1f} to {after:.1f}")
    return found


def test_what_grows_after_the_first_minute_is_found() -> None:
    flat = [Look(float(at), 100.0 + at % 7, 50.0, 60.0) for at in range(0, 300, 2)]
    leak = [Look(look.at, 100.0 + look.at, look.files, look.tasks) for look in flat]

    assert [] == growth(flat)
    assert 1 == len(growth(leak))
