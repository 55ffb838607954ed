"""What alerts, the dashboard and the runbook ask for is told under /metrics, and by Postgres."""

import re

import asyncpg
from prometheus_client.parser import text_string_to_metric_families

from server.serving import Serving
from tests.deploy.files import METRIC, queries, texts
from tests.server.reading import get
from tests.server.watching import until

OURS = frozenset({"job", "instance", "namespace", "pod", "le"})
"""Labels that Prometheus or a histogram adds."""


async def test_every_metric_that_is_asked_for_is_told_with_the_labels_that_it_has(server: Serving) -> None:
    await until(lambda: server.lag.seconds)
    told = (await get(server.url, "/metrics")).body.decode()
    samples = [one for family in text_string_to_metric_families(told) for one in family.samples]
    values: dict[str, dict[str, set[str]]] = {}
    for one in samples:
        labels = values.setdefault(one.name, {})
        for label, value in one.labels.items():
            labels.setdefault(label, set()).add(value)

    asked = {name for query in queries() for name in METRIC.findall(query)}
    assert set() == asked - set(values)
    for query in queries():
        names = METRIC.findall(query)
        known = {label for name in names for label in values[name]}
        for by in re.findall(r"\bby \(([\w, ]+)\)", query):
            assert set(by.split(", ")) <= known | OURS, query
        for name, selector in re.findall(r"(\w+){([^}<]*)}", query):
            for label, value in re.findall(r'(\w+)=~?"([^"]*)"', selector):
                assert label in OURS or set(value.split("|")) <= values[name][label], query


async def test_every_metric_that_the_runbook_names_is_told(server: Serving) -> None:
    told = (await get(server.url, "/metrics")).body.decode()
    runbook = {path: text for path, text in texts().items() if path.suffix == ".md"}
    logins = {"fleetfold_server"}

    named = {name for text in runbook.values() for name in METRIC.findall(text)} - logins
    assert [] == [
        name for name in named if not re.search(rf"^{name}(?:_bucket|_total)?[{{ ]", told, re.MULTILINE)
    ]
    assert named


async def test_every_query_of_the_runbook_is_one_that_postgres_takes(dsn: str) -> None:
    pages = [text for path, text in texts().items() if path.suffix == ".md"]
    asked = re.compile(r"`(SELECT [^`]+)`|-c '(SELECT [^']+)'")
    queries = [one[1] or one[2] for text in pages for one in asked.finditer(text)]
    conn = await asyncpg.connect(dsn)
    try:
        for query in queries:
            await conn.prepare(query.replace("PID", "0"))
    finally:
        await conn.close()

    assert len(queries) > 5
