"""What strangers write, read by our parsers under a fuzzer that looks which lines of ours an input reaches.

    python -m tests.fuzz.guided TARGET [options of libFuzzer, such as -runs=1000 -max_total_time=60 -seed=1]

A target reads bytes and may raise what its parser says that it raises. Anything else ends the process with 77
and leaves the input in a file `crash-…` of the working folder, or of `-artifact_prefix`. What a target begins
with is in SEEDS. Atheris instruments the modules as they are imported, hence this is a process of its own.
"""

import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl
from uuid import UUID

import atheris

READ_BY: Final = (
    "clients.links",
    "projections.record",
    "server.addresses",
    "server.http",
    "server.lobby.fitting",
    "server.play.commands",
    "server.proof",
    "server.protocol",
)
"""What reads: all of it is instrumented, which takes a while, and nothing else."""

with atheris.instrument_imports(include=[*READ_BY]):
    from msgspec import MsgspecError, Raw, json
    from websockets.datastructures import Headers
    from websockets.exceptions import InvalidHeaderValue

    from clients.links import BadLink, place
    from domain.kernel.audience import Audience
    from domain.match.chain import ZERO, seal
    from domain.match.refusals import RequestError
    from domain.titles import TITLES
    from projections.record import BadRecord, read, write
    from projections.record import record as recorded
    from server.addresses import Addresses
    from server.http.headers import encodings_of
    from server.http.matches import wish
    from server.http.passages import asked_for
    from server.play.commands import COMMANDS, act_of
    from server.proof.keys import KeyFault, read_ring
    from server.proof.notes import BadNote, Verifier, read_note
    from server.protocol import wire

NO_MATCH: Final = "01900000-0000-7000-8000-000000000000"


def message(data: bytes) -> None:
    """A message over the websocket, its command and its decisions in each title."""
    with suppress(MsgspecError, RecursionError, RequestError):
        said = wire.decode_incoming(data.decode("utf-8", "replace"))  # a websocket's text is valid UTF-8
        if isinstance(said, COMMANDS):
            act_of(said, 0, lambda: 0)
        if isinstance(said, wire.Decide | wire.Foresee | wire.Suggest):
            for game in TITLES.values():
                for raw in said.decisions:
                    with suppress(MsgspecError, RecursionError):
                        game.encode(game.decision(Raw(raw)))


def record(data: bytes) -> None:
    """The file of a match, as somebody brings it in."""
    with suppress(BadRecord):
        read(data)


def note(data: bytes) -> None:
    """A checkpoint, and the key that it is checked with."""
    text = data.decode("utf-8", "replace")
    with suppress(BadNote):
        read_note(text)
    with suppress(BadNote):
        Verifier(text)


def link(data: bytes) -> None:
    """The link of a match, as a player gives it to a command."""
    with suppress(BadLink):
        place(data.decode("utf-8", "replace"))


def ring(data: bytes) -> None:
    """The key ring of a server, as an operator writes it."""
    with suppress(KeyFault):
        read_ring(data.decode("utf-8", "replace"))


def query(data: bytes) -> None:
    """The query of a request: which passage of a match, which matches."""
    given = dict(parse_qsl(data.decode("latin-1"), keep_blank_values=True))
    with suppress(RequestError):
        asked_for(given, 5_000)
    with suppress(RequestError):
        wish(given)


def headers(data: bytes) -> None:
    """What a proxy, or somebody who pretends to be one, says of who asks; what a browser takes."""
    lines = Headers()
    for line in data.decode("latin-1").split("\n"):
        with suppress(InvalidHeaderValue):  # those never reach us
            lines["X-Forwarded-For"] = line
            lines["Accept-Encoding"] = line
    Addresses(64, 2).behind(("127.0.0.1", 1), lines)
    encodings_of(lines)


def planted(data: bytes) -> None:
    """A fault that is found only by looking which lines are reached: so one sees that the fuzzer works."""
    if data[:1] == b"f":  # noqa: SIM102 each is a branch of its own, which the fuzzer sees reached
        if data[1:2] == b"l":  # noqa: SIM102
            if data[2:3] == b"e":
                raise ValueError("found")


def _record() -> bytes:
    """Return a record of two facts, the second for one side alone."""
    created = {"title": "midway", "scenario": "duel", "options": {}, "revision": "1", "commitment": 64 * "0"}
    drafts = [
        ("Created", 1, Audience.ALL, False, json.encode(created)),
        ("Placed", 1, Audience.SIDE_0, False, b"{}"),
    ]
    entries = seal(UUID(NO_MATCH), UUID(int=1), 1, 0, ZERO, drafts, b"salt")
    return write(recorded(entries, Audience.SIDE_1, b"salt"))


TARGETS: Final[dict[str, Callable[[bytes], None]]] = {
    one.__name__: one for one in (message, record, note, link, ring, query, headers)
}

SEEDS: Final[dict[str, tuple[bytes, ...]]] = {
    "message": (
        b'{"t":"hello","version":1,"match":"%s","token":"x","after":0}' % NO_MATCH.encode(),
        b'{"t":"decide","match":"%s","command":"%s","answers":3,"decision":{"type":"Pass"}}'
        % (NO_MATCH.encode(), NO_MATCH.encode()),
    ),
    "record": (_record(),),
    "note": (b"fleetfold.local\n1\n" + 43 * b"A" + b"=\n\n", b"fleetfold.local+00000000+AQ=="),
    "link": (f"http://127.0.0.1:8000/match/{NO_MATCH}#token".encode(), NO_MATCH.encode()),
    "ring": (b"one " + 43 * b"A" + b"=\n# and another\n",),
    "query": (b"from=1&upto=200", b"state=open,ended&title=midway&pace=live&before=1&q=x"),
    "headers": (b"203.0.113.7, 2001:db8::1\n::ffff:127.0.0.1%eth0", b"gzip;q=0.5, br"),
    "planted": (b"abcd",),
}


def main() -> None:
    """Run one target until it fails, or as long as libFuzzer's options say."""
    target = (TARGETS | {"planted": planted})[sys.argv[1]]
    if target is planted:
        target = atheris.instrument_func(planted)
    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(SEEDS[sys.argv[1]]):
            Path(corpus, str(number)).write_bytes(seed)
        atheris.Setup([sys.argv[0], *sys.argv[2:], corpus], target)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
