"""Traces: nothing without an endpoint, the stages of a command with one, and no secret in them."""

import http.server
import json
import secrets
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from structlog.testing import capture_logs

from server import tracing
from server.serving import Serving
from server.settings import read
from tests.conftest import running
from tests.server.reading import exchange, get
from tests.server.talk import prompt, seated
from tests.server.watching import until

NOTHING_MORE = {"match", "title", "projection", "error.type"}


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """Collect the spans of this process."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with tracing.traced_by(provider):
        yield exporter


def named(spans: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [one for one in spans.get_finished_spans() if one.name == name]


async def test_a_command_is_one_span_with_its_stages(server: Serving, spans: InMemorySpanExporter) -> None:
    async with seated(server.url, title="midway", scenario="duel") as (created, north, _):
        upto, options = await prompt(north, 0)
        spans.clear()
        await north.ask("decide", match=created["match"], answers=upto, decision=options[0])
        (command,) = named(spans, "command")
        stages = [one for one in spans.get_finished_spans() if one.parent == command.get_span_context()]

    assert {"match": created["match"]} == command.attributes
    assert ["decide", "append", "tell"] == [one.name for one in stages]
    assert {"title": "midway"} == stages[0].attributes


async def test_hellos_reads_and_pages_of_projections_are_spans_that_tell_no_secret(
    server: Serving, spans: InMemorySpanExporter
) -> None:
    word = "a-label-that-nobody-else-may-know"
    async with seated(server.url, title="midway", scenario="duel", label=word) as (created, north, _):
        await north.ask("resign", match=created["match"])
        await until(lambda: len(named(spans, "project")) > 0)
        await get(server.url, f"/api/matches/{created['match']}?token={word}")
        await get(server.url, "/no/such/page")
    told = [json.loads(one.to_json()) for one in spans.get_finished_spans()]

    assert {"hello", "command", "project", "GET /api/matches/*", "GET page"} <= {one["name"] for one in told}
    assert {key for one in told for key in one["attributes"]} <= NOTHING_MORE
    assert [] == [one for one in told if one["events"] or one["status"].get("description")]
    tokens = [link["token"] for link in created["links"]]
    assert not any(secret in json.dumps(told) for secret in [word, "127.0.0.1", *tokens])


def test_of_what_fails_the_class_is_told_and_not_what_it_says(spans: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="a secret"), tracing.span("it"):
        raise ValueError("a secret")
    (one,) = spans.get_finished_spans()

    assert {"error.type": "ValueError"} == one.attributes
    assert not one.status.is_ok
    assert "a secret" not in one.to_json()


def test_without_an_endpoint_nothing_of_it_is_imported() -> None:
    # redis-py imports some of it where it is there.
    asked = (
        "import sys, server.serving; print([one for one in sys.modules if 'opentelemetry.sdk.trace' in one])"
    )
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert "[]" == ran.stdout.strip()
    assert tracing.span("it") is tracing.span("other", match=1)
    assert not read({}).traces


async def test_without_the_extra_a_server_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with capture_logs() as said:
        async with tracing.exported(wanted=True):
            pass

    assert ["tracing.extra_missing"] == [line["event"] for line in said]


class Receiver(http.server.ThreadingHTTPServer):
    """Takes traces over OTLP/HTTP on the loopback address."""

    def __init__(self) -> None:
        self.taken: list[ExportTraceServiceRequest] = []
        super().__init__(("127.0.0.1", 0), Taking)


class Taking(http.server.BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/v1/traces":
            self.server.taken.append(ExportTraceServiceRequest.FromString(body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


async def test_a_server_sends_its_spans_as_part_of_the_trace_of_whoever_asks(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace, parent = secrets.token_hex(16), secrets.token_hex(8)
    with Receiver() as receiver:
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        endpoint = f"http://127.0.0.1:{receiver.server_port}"
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        monkeypatch.setenv("OTEL_SERVICE_NAME", "fleet")
        async with running(dsn, folder, traces=read().traces) as server:
            for traceparent in (f"00-{trace}-{parent}-01", "none", "none\r\ntraceparent: none"):
                ask = f"GET /api/titles HTTP/1.1\r\nHost: fleet.example\r\ntraceparent: {traceparent}\r\n\r\n"
                await exchange(server.url, ask.encode())
        receiver.shutdown()
    resources = [one for request in receiver.taken for one in request.resource_spans]
    read_titles = [
        span
        for one in resources
        for scope in one.scope_spans
        for span in scope.spans
        if span.name == "GET /api/titles"
    ]

    about = [(one.key, one.value.string_value) for each in resources for one in each.resource.attributes]
    assert {"fleet"} == {value for key, value in about if key == "service.name"}
    ours, *others = read_titles
    assert (trace, parent) == (ours.trace_id.hex(), ours.parent_span_id.hex())
    assert [b""] * 2 == [other.parent_span_id for other in others]
