"""A whole cluster under load while parts of it are killed; short, and as long as patience lasts.

Everything is real, and on the loopback: `tests.cluster`. What the check finds is tried in `test_trial`.
"""

import os
import sys
from statistics import linear_regression

import pytest
from msgspec.structs import replace

from tests.cluster.database import patroni_is_there
from tests.cluster.trial import Look, Plan, line, lost_or_late, trial

CROWD = 1000
FIRST_MINUTE = 60.0

MORE_MEMORY = 2.0
"""MiB by which a node may grow in a minute after its first, while what the rules keep of their maps fills."""

MORE_OTHERS = 1.5
"""By how much it may have more open files or tasks at the end than after its first minute."""


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


@pytest.mark.soak
async def test_the_primary_is_killed_under_load_and_nothing_acknowledged_is_lost() -> None:
    assert patroni_is_there(), "there is no Patroni: run `deploy/provision haproxy patroni`"
    plan = Plan(seconds=70, every=20, kinds=("postgres",), onlookers=40)

    found = await trial(plan, say)

    assert [] == lost_or_late(found, kills=2)


@pytest.mark.soak
async def test_a_fault_every_five_seconds_before_a_crowd_leaves_no_violation_and_no_growth(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """FLEETFOLD_SOAK_SECONDS says how long, if not ten minutes; the first node is spared, and weighed."""
    seconds = float(os.environ.get("FLEETFOLD_SOAK_SECONDS", "600"))
    assert seconds >= 2 * FIRST_MINUTE, "nothing can be said of less than two minutes"
    plan = Plan(seconds=seconds, tables=16, onlookers=CROWD, think=0.5)

    with capsys.disabled():
        found = await trial(plan, say, spared=True)
        for look in found.looks[:: max(1, len(found.looks) // 20)]:
            say(f"{look.at:5.0f} s: {look.memory:.1f} MiB, {look.files:.0f} files, {look.tasks:.0f} tasks")
        say(line(found.report))

    assert [] == found.violations
    assert found.report.kills >= seconds / plan.every - 1, found.report
    assert len(found.looks) > seconds / 4
    assert [] == growth(found.looks)


def growth(looks: list[Look]) -> list[str]:
    """Name what grows after the first minute: memory by its slope, the others by the lowest of each half.

    Onlookers come and go with every kill of another node, and so do files and tasks; what is lowest tells
    of what stays. Memory is not given back, so all of it tells.
    """
    later = [look for look in looks if look.at > FIRST_MINUTE]
    found = []
    minutes = [look.at / 60 for look in later]
    slope = linear_regression(minutes, [look.memory for look in later]).slope
    if slope > MORE_MEMORY:
        found.append(f"memory grows by {slope:.1f} MiB a minute")
    half = len(later) // 2
    for name in ("files", "tasks"):
        before, after = (min(getattr(look, name) for look in part) for part in (later[:half], later[half:]))
        if after > before * MORE_OTHERS:
            found.append(f"{name} grew from {before:.0f} to {after:.0f}")
    return found


@pytest.mark.parametrize("leaks", ["memory", "files", "tasks"])
def test_what_grows_after_the_first_minute_is_found(leaks: str) -> None:
    flat = [Look(float(at), 100.0 + at % 7, 50.0 + at % 9, 60.0 + at % 5) for at in range(0, 300, 2)]
    leak = [replace(look, **{leaks: getattr(look, leaks) + look.at / 2}) for look in flat]

    assert [] == growth(flat)
    assert 1 == len(growth(leak))
