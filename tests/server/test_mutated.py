"""Messages of every kind, changed in ways nobody would think of, over a real socket.

What is asserted: it is answered, refused for a reason that the protocol knows, or the connection is closed
with a code that the protocol knows; it is never a mistake of ours or of the database; and the match is as it
was, but for what a receipt was given for. In `make test` the examples are always the same; behind the marker
there are more, and others each time.
"""

import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, Final, get_args
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import MsgspecError
from websockets.exceptions import ConnectionClosed

from domain.match.refusals import Code
from server import addresses
from server.protocol import wire
from server.serving import Serving
from server.socket import paced, visit
from tests.server.talk import Said, Talk, enter, new_token, seated, talking

EVER: Final = (1e9, 1.0)
"""As much as anybody may send: what is tested here is what is in a message, and not how many there are."""

CLOSES: Final = {visit.BAD_MESSAGE, visit.FLOOD, visit.NOT_KNOWN, 1007, 1009}

KINDS: Final = sorted(str(one.__struct_config__.tag) for one in get_args(wire.Incoming))

# Values, as they are written in a message

UUIDS: Final = [
    f'"{UUID(int=0)}"', f'"{UUID(int=1)}"', f'"{UUID(int=2).hex}"', f'"{{{UUID(int=1)}}}"',
    f'"{str(UUID(int=0xABCDEF << 90)).upper()}"', f'"{UUID(int=2**128 - 1)}"', '"\\u0030"', '""',
]  # fmt: skip
NUMBERS: Final = [
    "-1", "0", "-0", "1", "2", "6", "7", "8", "255", "256", "32767", "32768", "2147483646", "2147483647",
    "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "18446744073709551615",
    "18446744073709551616", "-9223372036854775809", "1.0", "1e2", "1e400", 400 * "9", "NaN", "Infinity", "01",
]  # fmt: skip
TEXTS: Final = [
    '""', '" "', '"x"', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff\\ud800"', '"\\ud83d\\ude00"',
    '"\\u202e"', '"\\ufeff"', '"\u200d"', '"\U0010ffff"', '"\\n"', '"%s%n"', "\"';--\"", '"[b:reef]"',
    f'"{5000 * "x"}"', f'"{500 * "x"}"', f'"{80 * "x"}"', f'"{64 * "a"}"', f'"{32 * "a"}"', f'"{27 * "A"}"',
    f'"{26 * "A"}B"', f'"{27 * "é"}"', '"person"', '"bot"', '"table"', '"onlookers"', '"draw"', '"undo"',
    '"pause"', '"tiny"', '"campaign"', '"midway"', '"random"', '"AB"',
]  # fmt: skip
FLAGS: Final = ["true", "false", "0", "null"]
DECISIONS: Final = [
    '{"type":"Pass"}', '{"type":"Sail","islet":"reef"}', '{"type":"Sail","islet":"\\u0000"}',
    '{"type":"Sail"}', '{"type":"Sail","islet":null}', '{"type":"Sail","islet":"reef","more":1}', "{}",
    '{"type":"Created"}',
    '{"type":"Pass","type":"Sail"}', '{"islet":"reef","type":"Sail"}', '{"type":null}', '{"type":"Padding"}',
    '{"type":"Sail","islet":' + 2000 * "[" + 2000 * "]" + "}", 2000 * "[" + 2000 * "]", "[]", "null", "1e400",
    '{"type":"Sail","islet":' + 4000 * "9" + "}", '{"type":"Sail","islet":"\\ud800"}', '"Pass"', "{ }",
    '{"type":"Paused","seats":[0],"keep":0,"push":[]}', '{"type":"Sail","islet":"reef"}x',
]  # fmt: skip
LISTS: Final = ["[]", *(f"[{one}]" for one in DECISIONS), f"[{','.join(600 * DECISIONS[:1])}]", "[[]]", "{}"]
TABLES: Final = [
    "{}", '{"pairs":true}', '{"pairs":2}', '{"turns":5}', '{"turns":-1}', '{"turns":9223372036854775807}',
    '{"\\u0000":true}', '{"pairs":true,"pairs":false}', '{"0":"random"}', '{"0":"random","1":"random"}',
    '{"0":"\\u0000"}', '{"-1":"random"}', '{"7":"random"}', '{"99999999999999999999":"random"}', '{"x":1}',
    '{"bank":60}', '{"bank":0}', '{"bank":-1}', '{"bank":9223372036854775807,"increment":1,"cap":1}', "null",
    '{"bank":60,"increment":-5}', '{"bank":60,"increment":9223372036854775807}', '{"bank":1e9}', "[]",
]  # fmt: skip
ANYTHING: Final = [*UUIDS, *NUMBERS, *TEXTS, *FLAGS, *DECISIONS, *LISTS, *TABLES]

NAMES: Final = sorted(
    {field for one in get_args(wire.Incoming) for field in one.__struct_fields__} | {"x", ""}
)


def like(name: str, value: object) -> list[str]:
    """Return values of the kind that a field has, but odd ones."""
    if name in {"match", "command"}:
        return UUIDS
    if name in {"decision", "decisions"}:
        return DECISIONS if name == "decision" else LISTS
    if isinstance(value, bool):
        return FLAGS
    return NUMBERS if isinstance(value, int) else TABLES if isinstance(value, dict | None) else TEXTS


# Changes: odd values of the right kind in some fields, and in some messages whatever else can be wrong

number = st.integers(0, 999)
odd = st.lists(st.tuples(number, number), max_size=2)
broken = st.tuples(st.sampled_from(["drop", "set", "twice", "add", "cut", "put"]), number, number, number)
kinds = st.sampled_from(
    [*KINDS, *3 * ["decide", "decide", "create", "sit", "join", "foresee", "suggest", "hello"]]
)
changed = st.tuples(kinds, odd, st.lists(broken, max_size=2).map(lambda two: two[:-1]))

Changed = tuple[str, list[tuple[int, int]], list[tuple[str, int, int, int]]]


def message(whole: Said, change: Changed) -> bytes:
    """Write a message of a kind, changed."""
    kind, odds, breaks = change
    fields = list(whole.items())
    mild = [at for at, (name, _) in enumerate(fields) if name != "match"]
    pairs = [("t", json.dumps(kind)), *((name, json.dumps(value)) for name, value in fields)]
    for where, which in odds if mild else ():
        at = mild[where % len(mild)]
        values = like(*fields[at])
        pairs[at + 1] = (fields[at][0], values[which % len(values)])
    for how, where, which, _ in breaks:
        at, value = where % len(pairs), ANYTHING[which % len(ANYTHING)]
        if how == "drop":
            del pairs[at]
        elif how == "set":
            pairs[at] = (pairs[at][0], value)
        elif how == "twice":
            pairs.append((pairs[at][0], value))
        elif how == "add":
            pairs.insert(at, (NAMES[which % len(NAMES)], value))
    data = ("{" + ",".join(f"{json.dumps(name)}:{value}" for name, value in pairs) + "}").encode()
    for how, where, _, byte in breaks:
        at = where % (len(data) + 1)
        if how in {"cut", "put"}:
            data = data[:at] if how == "cut" else data[:at] + bytes([byte % 256]) + data[at:]
    return data


def whole(kind: str, match: str, told: Said) -> Said:
    """Return fields of a message of a kind with which it would be answered."""
    common = {"match": match, "command": str(uuid4())}
    sitting = {"token": new_token(), "promise": 32 * "ab", "name": "North", "kind": "person"}
    looking = common | {"answers": told["answers"], "decisions": [told["decision"]]}
    offered: Said = {
        "options": {},
        "clock": None,
        "private": False,
        "label": "Friday",
        "pace": "",
        "bots": {},
    }
    more: dict[str, Said] = {
        "hello": {"version": 1, "match": match, "token": "", "after": 0, "h": "", "glance": False},
        "bye": {"match": match},
        "create": {"version": 1, "command": str(uuid4()), "title": "tiny", "scenario": "skirmish"} | offered,
        "sit": common | sitting,
        "join": common | sitting | {"seat": 0},
        "rematch": common | sitting,
        "show": common | {"nonce": 16 * "ab"},
        "decide": common | told,
        "foresee": looking,
        "suggest": looking,
        "offer": common | {"what": "draw"},
        "answer": common | {"what": "draw", "agreed": False},
        "claim": common | {"seat": 1},
        "exchange": {"match": match},
        "revoke": {"match": match, "seat": 1},
        "withdraw": {"match": match},
        "say": {"match": match, "room": "table", "text": "Ahoy"},
        "lobby": {"watching": False},
        "ping": {},
    }
    return more.get(kind, common)


@given(changed)
@settings(derandomize=True, max_examples=200)
def test_whatever_is_decoded_is_a_message_or_no_message(change: Changed) -> None:
    told = {"answers": 7, "decision": {"type": "Sail", "islet": "reef"}}
    sent = message(whole(change[0], str(UUID(int=7)), told), change)
    try:
        decoded = wire.decode_incoming(sent.decode())
    except (MsgspecError, RecursionError, UnicodeDecodeError):  # of these, the last comes no farther
        return

    assert decoded == wire.decode_incoming(wire.encode(decoded))


class Table:
    """A match that has begun, and the connections of one seat, of an onlooker, and of the match's creator."""

    def __init__(self, server: Serving, capfd: pytest.CaptureFixture[str]) -> None:
        self.server, self._capfd = server, capfd
        self._stack = AsyncExitStack()
        self.created: Said = {}
        self.told: Said = {}
        self._talks: dict[str, Talk] = {}

    async def anew(self) -> None:
        """Begin a match."""
        await self.end()
        self._stack = AsyncExitStack()
        self.created, north, _ = await self._stack.enter_async_context(seated(self.server.url))
        asked = await north.hear("frame", "view") if not north.heard[-1].get("prompts") else north.heard[-1]
        self.told = {"answers": asked["upto"], "decision": asked["prompts"][0]["options"][0]}

    async def end(self) -> None:
        """Close all connections."""
        self._talks.clear()
        await self._stack.aclose()

    async def talk(self, who: str) -> Talk:
        """Return a connection that is open, in the match."""
        if who not in self._talks:
            talk = await self._stack.enter_async_context(talking(self.server.url, close_timeout=0.1))
            await enter(talk, self.created, 0 if who == "seat" else None)
            if who == "creator":
                link = next(link for link in self.created["links"] if link["role"] == "creator")
                await talk.say("hello", version=1, match=self.created["match"], token=link["token"])
            self._talks[who] = talk
        return self._talks[who]

    async def facts(self) -> list[Any]:
        """Return all facts of the match."""
        return list(await self.server.log.read_everything(UUID(self.created["match"])))

    async def send(self, who: str, change: Changed) -> None:
        """Send one message, and look at what came of it."""
        talk, before, last = await self.talk(who), await self.facts(), uuid4()
        talk.heard.clear()
        closed = None
        try:
            talk.socket.protocol.send_text(
                message(whole(change[0], self.created["match"], self.told), change)
            )
            talk.socket.send_data()
            await talk.ask(
                "resume", match=UUID(int=0), command=last
            )  # refused, and after all that went before
            talk.heard.pop()
        except ConnectionClosed:
            closed = talk.socket.close_code
            del self._talks[who]
        refused = {said["code"] for said in talk.heard if said["t"] == "refused"}
        receipts = [said["seq"] for said in talk.heard if said["t"] == "receipt"]
        after = await self.facts()
        logged = re.sub(r"\x1b\[[0-9;]*m", "", "".join(self._capfd.readouterr()))

        assert closed is None or closed in CLOSES
        assert refused <= set(get_args(Code)) - {"bug", "unavailable"}
        assert not re.search(r"\[(error|critical)|Traceback", logged), logged
        assert who == "seat" or not receipts
        assert before == after[: len(before)]
        assert len(after) == max([len(before), *receipts])
        if receipts or not await self._as_it_was(talk):
            await self.anew()

    async def _as_it_was(self, talk: Talk) -> bool:
        """Whether links and seats are those of before, as far as this connection was told."""
        return not {"linked", "withdrawn", "rematched"} & {said["t"] for said in talk.heard}


@pytest.fixture
async def table(
    server: Serving, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Table]:
    for module, limit in (
        (visit, "COMMANDS"), (visit, "HELLOS"), (visit, "LINES"), (paced, "FRAMES"),
        (addresses, "WORK"), (addresses, "ARRIVALS"), (addresses, "CREATIONS"),
    ):  # fmt: skip
        monkeypatch.setattr(module, limit, EVER)
    made = Table(server, capfd)
    await made.anew()
    yield made
    await made.end()


who = st.sampled_from(["seat", "seat", "seat", "onlooker", "creator"])
SAME_SERVER = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@given(who, changed)
@settings(derandomize=True, max_examples=150, suppress_health_check=SAME_SERVER)
async def test_whatever_is_sent_is_answered_or_closed_as_the_protocol_says_and_stores_nothing(
    table: Table, by: str, change: Changed
) -> None:
    await table.send(by, change)


@pytest.mark.soak
@given(who, changed)
@settings(max_examples=20_000, suppress_health_check=SAME_SERVER)
async def test_whatever_is_sent_at_greater_length(table: Table, by: str, change: Changed) -> None:
    await table.send(by, change)
