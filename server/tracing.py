"""Traces for OpenTelemetry, by the extra `otel`: where the time of a request or a command goes.

Off, and next to nothing, unless an endpoint is named for them (`Settings.traces`): then `span` returns one
object that does nothing, and no package of OpenTelemetry is imported. Its own variables (OTEL_SERVICE_NAME,
OTEL_TRACES_SAMPLER and others) are read by its SDK.

A span says which match, title and projection it is about, and the class of an exception that ended it. So it
tells no more than a log line: no token, no decision, no fact, no address.
"""

import asyncio
import contextlib
import importlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

import structlog

SERVICE: Final = "fleetfold"
FLUSHED_WITHIN: Final = 3.0
"""Seconds for which a server that stops waits until its last spans are told."""

_OFF: Final[AbstractContextManager[None]] = contextlib.nullcontext()
_tracers: Final = list[Any]()
"""The tracer of OpenTelemetry's that spans are made by, the last; none while this is off."""

log = structlog.get_logger()


def span(
    name: str, *, match: object = None, title: str = "", projection: str = "", parent: str = ""
) -> AbstractContextManager[None]:
    """Measure what is done in the context, as a part of the span around it.

    `parent` is a `traceparent` header (W3C Trace Context) of whoever asks; one that is none is ignored.
    """
    if not _tracers:
        return _OFF
    about = {"match": "" if match is None else str(match), "title": title, "projection": projection}
    return _measured(_tracers[-1], name, {key: value for key, value in about.items() if value}, parent)


@contextlib.contextmanager
def _measured(tracer: Any, name: str, about: Mapping[str, str], parent: str) -> Iterator[None]:
    trace = importlib.import_module("opentelemetry.trace")
    context = importlib.import_module("opentelemetry.trace.propagation.tracecontext")
    around = context.TraceContextTextMapPropagator().extract({"traceparent": parent}) if parent else None
    # What an exception says may be a secret: its class alone is told.
    with tracer.start_as_current_span(
        name, around, attributes=about, record_exception=False, set_status_on_exception=False
    ) as one:
        try:
            yield
        except BaseException as why:
            one.set_attribute("error.type", type(why).__name__)
            one.set_status(trace.Status(trace.StatusCode.ERROR))
            raise


@contextlib.contextmanager
def traced_by(provider: Any) -> Iterator[None]:
    """Give all spans of this process to a provider of OpenTelemetry's SDK while the context lasts."""
    _tracers.append(provider.get_tracer(SERVICE))
    try:
        yield
    finally:
        _tracers.pop()


@contextlib.asynccontextmanager
async def exported(*, wanted: bool) -> AsyncIterator[None]:
    """Send all spans over OTLP/HTTP while the context lasts, if that is wanted and the extra is there."""
    provider = _exporting() if wanted else None
    if provider is None:
        yield
        return
    with traced_by(provider):
        try:
            yield
        finally:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FLUSHED_WITHIN):
                    await asyncio.to_thread(provider.shutdown)


def _exporting() -> Any:
    """Return a provider that exports to the endpoint that is set; None, and a log line, without the extra."""
    try:
        exporter = importlib.import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
        resources = importlib.import_module("opentelemetry.sdk.resources")
        sdk = importlib.import_module("opentelemetry.sdk.trace")
        export = importlib.import_module("opentelemetry.sdk.trace.export")
    except ImportError:
        log.warning("tracing.extra_missing", todo="pip install 'fleetfold[otel]', or name no OTLP endpoint")
        return None
    named = resources.Resource({"service.name": SERVICE}).merge(resources.OTELResourceDetector().detect())
    provider = sdk.TracerProvider(resource=named)
    provider.add_span_processor(export.BatchSpanProcessor(exporter.OTLPSpanExporter()))
    return provider
