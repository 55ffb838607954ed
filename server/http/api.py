"""The read API: which path is answered by whom, and what an operator is told.

| path | answer |
|---|---|
| /healthz | the server is alive |
| /readyz | 200 if the database answers, else 503; bus up, clock off by how much, who signs |
| /metrics | numbers for Prometheus, of all processes of this machine |
| /api/titles | titles with scenarios (and the default), options and bots |
| /api/titles?short=1 | the same without options and what is said of scenarios |
| /api/names/TITLE | what the ids of a title are called |
| /api/matches?state=open,playing,ended&title=&pace=live or turns&q=&before= | matches, the latest first |
| /api/matches/ID | one match |
| /api/matches/ID/steps?side=0 or 1, ?all=1 | NDJSON: a frame a command, from the first on |
| /api/matches/ID/steps?from=SEQ&upto=SEQ | NDJSON: the view at a fact, and a frame a command from there |
| /api/matches/ID/record | NDJSON: the log as its reader may see it, in the form of an export |
| /api/matches/ID/record?from=SEQ&upto=SEQ | NDJSON: some of its lines; the header comes before fact 1 |
| /api/matches/ID/dispute/SEQ | the command of a fact decided again, beside what is recorded |
| /api/matches/ID/report | of a match that has ended: result, losses, decisive moments, luck |
| /api/matches/ID/audit | its dice by purpose beside what fair dice do; decisions and time of each seat |
| /api/audit/TITLE | the dice of all matches of a title, at most a minute old |
| /api/ratings/TITLE?page=1 | the ladder of a title: settled ratings first, then provisional ones |
| /api/people/HANDLE/results?before= | ratings of a person, results by scenario and side, matches |
| /api/balance/TITLE | the share of rated matches that a side has won, by scenario, with its band |
| /api/protocol.json | JSON Schema of the messages over the socket |
| /api/schema/TITLE | JSON Schema of what a title shows and of what may be decided there |
| /api/rules/TITLE | the rulebook, Markdown |
| /api/checkpoint | the last signed note, and the key to check it with, from a node that has it |

A match that is private is read with a token of its own as `Authorization: Bearer TOKEN`; with the token of a
seat one sees what the seat sees. Without one a page of this server reads by the cookie of a session what is
the person's own, as over the socket: from a seat of his, which `?seat=` says where he has several. So does
the token of a bot what is the bot's own (`server.http.access`). When a match has ended everybody may see
everything.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Protocol

from msgspec import json

from server.fanout.bus import Bus
from server.http import matches, titles
from server.http.asked import title_of
from server.http.matches import MatchPages
from server.http.pages import TEXT, Handler, Page, PageRequest, found
from server.http.reads import Reads
from server.http.responses import NotReady, Ready
from server.http.results import Results
from server.http.title_dice import TitleDice
from server.http.together import Together
from server.play.clock import Clock
from server.postgres.database import connection
from server.proof.checkpoints import LAST_NOTE
from server.proof.signing import Signing
from server.protocol.responses import Checkpoint
from server.settings import Settings
from server.siblings.line import Line


class Node(matches.Node, Protocol):
    """What the API uses of a running server (`server.serving`)."""

    settings: Settings
    clock: Clock
    signing: Signing
    draining: bool
    line: Line | None

    @property
    def bus(self) -> Bus:
        """The bus between nodes, whose `up` is reported under /readyz."""


class Api:
    """The read API of a server."""

    def __init__(self, node: Node, metrics: Callable[[], bytes], hellos_wait: Callable[[], bool]) -> None:
        """Take the node, what returns its metrics as text for Prometheus, and whether hellos wait."""
        self._node = node
        self._together = Together(node.line, self._own_ready, metrics)
        self.reads = Reads(hellos_wait)
        self.matches = MatchPages(node, self.reads)
        self._title_dice = TitleDice(node.database.http, self.reads)
        self._results = Results(node.database.http, self.reads, node.people.looks_up)

    def routes(self) -> dict[tuple[str, ...], Handler]:
        """Return the handlers by path; `*` stands for one part."""
        return {
            ("healthz",): self._alive,
            ("readyz",): self._ready,
            ("metrics",): self._metrics,
            **titles.routes(),
            **self.matches.routes(),
            ("api", "audit", "*"): self._audit_title,
            **self._results.routes(),
            ("api", "checkpoint"): self._checkpoint,
        }

    async def _alive(self, _: PageRequest) -> Page:
        return Page(b"alive\n", TEXT)

    async def _ready(self, _: PageRequest) -> Page:
        told = await self._together.ready()
        if isinstance(told, NotReady):
            return Page(json.encode(told), status=HTTPStatus.SERVICE_UNAVAILABLE)
        return found(told)

    async def _own_ready(self) -> Ready | NotReady:
        try:
            async with connection(self._node.database.http) as conn:
                await conn.fetchval("SELECT 1")
        except Exception as why:
            return NotReady(type(why).__name__)
        offset = round(self._node.clock.offset, 3)
        signed = not (self._node.signing.late or self._node.signing.refused)
        signer = bool(self._node.signing.key)
        return Ready(not self._node.draining, self._node.bus.up, offset, signed, signer)

    async def _metrics(self, _: PageRequest) -> Page:
        return Page(await self._together.metrics(), "text/plain; version=0.0.4; charset=utf-8")

    async def _checkpoint(self, _: PageRequest) -> Page:
        async with connection(self._node.database.http) as conn:
            note = await conn.fetchval(LAST_NOTE)
        return found(Checkpoint(note or "", self._node.signing.key))

    async def _audit_title(self, request: PageRequest) -> Page:
        return Page(await self._title_dice.answer(request.address, title_of(request.parts[2])))
