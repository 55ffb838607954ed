"""What a client makes of an answer over HTTP that is not what it asked for."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from clients import reading

Serve = Callable[[int, bytes], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A server that answers every path with the same status and body."""
    answer: list[tuple[int, bytes]] = []

    class Same(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = answer[-1]
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Same) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()

        def at(status: int, body: bytes) -> str:
            answer.append((status, body))
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
