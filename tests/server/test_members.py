"""Of three machines with Postgres one is lost, under load: deploy/runbook.md, A Postgres that fails over.

Everything is real, and on the loopback: `tests.cluster`.
"""

import pytest
import structlog

from tests.cluster.database import patroni_is_there
from tests.cluster.trial import Plan, lost_or_late, trial
from tests.deploy.files import read

log = structlog.get_logger()

TTL = read("patroni/patroni.yml")["bootstrap"]["dcs"]["ttl"]


def say(text: str) -> None:
    log.info("trial", said=text)


@pytest.mark.soak
@pytest.mark.parametrize(("lost", "least", "most"), [("primary", TTL / 2, TTL + 10.0), ("standby", 0.0, 6.0)])
async def test_a_machine_with_a_postgres_is_lost_under_load_and_nothing_acknowledged_is(
    lost: str, least: float, most: float
) -> None:
    """Given that its Patroni is killed with it, and both are started again later.

    Seconds are those without a database: a Patroni that was left would give up the lead at once.
    """
    assert patroni_is_there(), "there is no Patroni: run `deploy/provision haproxy patroni`"
    plan = Plan(seconds=60, every=20, kinds=(lost,), onlookers=40)

    found = await trial(plan, say)

    assert [] == lost_or_late(found, kills=1)
    for recovery in found.recoveries:
        assert recovery.database is not None
        assert least <= recovery.database < most, recovery
