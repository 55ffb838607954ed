"""What a client makes of an answer over HTTP that is not what it asked for."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from clients import reading

Serve = Callable[..., str]
"""Takes a status, a body, and the answers before: status, body, and the seconds after which to come again."""

BUSY = b'{"code":"busy","reason":"too much is read"}'


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A server that answers every path with the same status and body, but for those before."""
    answer: list[tuple[int, bytes]] = []
    before: list[tuple[int, bytes, str]] = []

    class Same(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body, later = before.pop() if before else (*answer[-1], "")
            self.send_response(status)
            if later:
                self.send_header("Retry-After", later)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Same) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()

        def at(status: int, body: bytes, first: Sequence[tuple[int, bytes, str]] = ()) -> str:
            answer.append((status, body))
            before.extend(reversed(first))
            return f"http://127.0.0.1:{server.server_port}"

        yield at
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "body", [b"<html>a captive portal</html>", b"", b"{}", b'[{"name":"midway"}]', b"\xff", b'["\xff"]']
)
def test_what_is_no_list_of_titles_is_told_as_such(serve: Serve, body: bytes) -> None:
    url = serve(200, body)

    with pytest.raises(reading.Unread, match=f"{url} does not answer /api/titles as a server of Fleetfold"):
        reading.titles(url)


def test_what_a_later_server_adds_is_passed_over(serve: Serve) -> None:
    assert [] == reading.matches(serve(200, b'{"matches":[],"more":1}'), "open")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b'{"code":"no_page","reason":"there is nothing here"}', "there is nothing here"),
        (b'{"code":"of_a_later_server","reason":"it may not be"}', "it may not be"),
        (b"<html>not found</html>", "the server answers 404"),
        (b'{"detail":"not found"}', "the server answers 404"),
    ],
)
def test_a_refusal_is_told_in_the_words_of_the_server(serve: Serve, body: bytes, reason: str) -> None:
    with pytest.raises(reading.Unread, match=f"^{reason}$"):
        reading.titles(serve(404, body))


@pytest.mark.parametrize("status", [503, 429])
def test_who_is_told_to_come_later_does_so(serve: Serve, status: int) -> None:
    begun = time.monotonic()
    first = [(status, BUSY if status == 503 else BUSY.replace(b"busy", b"too_fast"), "1"), (503, BUSY, "0")]

    assert [] == reading.titles(serve(200, b"[]", first))
    assert time.monotonic() - begun >= 1


def test_who_is_told_so_again_and_again_waits_so_long_and_then_gives_up(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = list[float]()
    monkeypatch.setattr(time, "sleep", pauses.append)
    url = serve(200, b"[]", [(503, BUSY, "3600")] * reading.TRIES)

    with pytest.raises(reading.Unread, match="too much is read"):
        reading.titles(url)
    assert [reading.LONGEST_PAUSE] * (reading.TRIES - 1) == pauses


@pytest.mark.parametrize(
    ("code", "later"), [("unavailable", "1"), ("busy", ""), ("busy", "Sun, 06 Nov 1994 08:49:37 GMT")]
)
def test_what_is_refused_otherwise_is_told_at_once(serve: Serve, code: str, later: str) -> None:
    url = serve(200, b"[]", [(503, BUSY.replace(b"busy", code.encode()), later)])

    with pytest.raises(reading.Unread, match="too much is read"):
        reading.titles(url)
