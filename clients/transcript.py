"""Writes the opening of a real match into PROTOCOL.md, and how one is joined, message by message as they go.

    python -m clients.transcript http://127.0.0.1:8000

A bot of the server is the opponent in the opening. Long lists are cut, and secrets are left out.
"""

import json
import re
import secrets
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import click
from websockets.sync.client import ClientConnection, connect

from clients import reading
from clients.links import NONCE_BYTES, default_url, new_seating, socket_url

PAGE: Final = Path(__file__).parent / "PROTOCOL.md"
BEGIN, END = "<!-- {}: python -m clients.transcript -->", "<!-- end of {} -->"

DECISIONS: Final = 2
"""How many decisions are shown."""

MANY: Final = 12
"""Entries of an object, or items of a list, above which most are left out."""

SECRET: Final = frozenset({"token", "path"})
HEX: Final = re.compile(r"[0-9a-f]{32,}")


class Conversation:
    """A connection that records its messages."""

    def __init__(self, socket: ClientConnection) -> None:
        self.lines: list[str] = []
        self._socket = socket

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.lines.append(f"> {shown(message)}")
        self._socket.send(json.dumps(message))

    def hear(self) -> Iterator[dict[str, Any]]:
        """Yield messages as they are received."""
        for text in self._socket:
            message = json.loads(text)
            self.lines.append(f"< {shown(message)}")
            yield message


def shown(message: dict[str, Any]) -> str:
    """Return a message as JSON, with long parts cut."""
    return json.dumps(cut(message), ensure_ascii=False, separators=(",", ":"))


def cut(value: Any, key: str = "") -> Any:
    """Return plain JSON with a placeholder for whatever is long or secret."""
    if isinstance(value, str):
        return "…" if key in SECRET else HEX.sub(lambda found: f"{found[0][:8]}…", value)
    if isinstance(value, dict):
        kept = list(value.items()) if len(value) <= MANY or "t" in value else list(value.items())[:2]
        short = {name: cut(item, name) for name, item in kept}
        return short if len(kept) == len(value) else {**short, "…": f"{len(value) - len(kept)} more"}
    if isinstance(value, list):
        kept_items = [cut(item) for item in value[:2]]
        return kept_items if len(value) == len(kept_items) else [*kept_items, f"… {len(value) - 2} more"]
    return value


def opening(url: str) -> list[str]:
    """Play the opening of a match against a bot and return its messages as text."""
    title = reading.titles(url)[0]
    bots, scenario = title.bots, title.scenarios[-1].id
    with connect(socket_url(url), max_size=None) as socket:
        talk = Conversation(socket)
        wish = {"title": title.name, "scenario": scenario, "bots": {"1": bots[-1]}}
        talk.say({"t": "create", "version": 1, "command": str(uuid4()), **wish})
        created = next(message for message in talk.hear() if message["t"] == "created")
        match = created["match"]
        token = next(link["token"] for link in created["links"] if link.get("seat") == 0)
        talk.say({"t": "hello", "version": 1, "match": match, "token": token})
        play(talk, match)
    return talk.lines


def joining(url: str) -> list[str]:
    """Join a match that is offered to whoever comes and return the messages of the joiner as text."""
    title = reading.titles(url)[0]
    wish = {"title": title.name, "scenario": title.scenarios[-1].id}
    with connect(socket_url(url), max_size=None) as maker:
        offer = Conversation(maker)
        offer.say({"t": "create", "version": 1, "command": str(uuid4()), **wish})
        match = next(offer.hear())["match"]
    with connect(socket_url(url), max_size=None) as socket:
        talk = Conversation(socket)
        hello = {"t": "hello", "version": 1, "match": match}
        by = new_seating()
        promise = sha256(secrets.token_bytes(NONCE_BYTES)).hexdigest()
        talk.say(hello)
        heard = talk.hear()
        next(message for message in heard if message["t"] == "view")
        talk.say(
            {"t": "join", "match": match, "command": str(by.command), "seat": 1, "token": by.token,
             "promise": promise, "name": "A bot", "kind": "bot"}
        )  # fmt: skip
        next(message for message in heard if message["t"] == "receipt")
        talk.say({**hello, "token": by.token})
        next(message for message in heard if message["t"] == "welcome")
    return talk.lines


def play(talk: Conversation, match: str) -> None:
    """Take seat 0, reveal the nonce and make the first decisions."""
    nonce, said, decided = secrets.token_bytes(NONCE_BYTES), 0, 0
    promise = sha256(nonce).hexdigest()
    steps: list[dict[str, Any]] = [
        {"t": "sit", "token": new_seating().token, "promise": promise, "kind": "bot"},
        {"t": "show", "nonce": nonce.hex()},
    ]
    promised: set[str] = set()
    for message in talk.hear():
        if message["t"] == "view":
            promised |= set(message["view"]["match"]["promises"])
        elif message["t"] == "frame":
            promised |= set(message["patch"].get("match", {}).get("promises", {}))
        elif message["t"] == "receipt" and decided == DECISIONS:
            return
        if message["t"] not in {"view", "frame"}:
            continue
        mine = [asked for asked in message["prompts"] if asked["seat"] == 0]
        if said == 0 or (said == 1 and len(promised) == 2):  # noqa: PLR2004 both seats
            talk.say({**steps[said], "match": match, "command": str(uuid4())})
            said += 1
        elif mine and decided < DECISIONS:
            talk.say(
                {"t": "decide", "match": match, "command": str(uuid4()), "answers": message["upto"],
                 "decision": mine[0]["options"][0]}
            )  # fmt: skip
            decided += 1


@click.command()
@click.argument("url", default=default_url)
@click.option(
    "--page", type=click.Path(dir_okay=False, path_type=Path), default=PAGE, help="Where it is written."
)
def command(url: str, page: Path) -> None:
    """Play the opening of a match on the server at URL, join one, and write both into PROTOCOL.md."""
    text = page.read_text(encoding="utf-8")
    for name, lines in (("joining", joining(url)), ("transcript", opening(url))):
        text = written(text, name, lines)
    page.write_text(text, encoding="utf-8")


def written(text: str, name: str, lines: list[str]) -> str:
    """Return the page with these lines in the place of that name."""
    begin, end = BEGIN.format(name), END.format(name)
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    listed = "\n".join(lines)
    return f"{before}{begin}\n\n```\n{listed}\n```\n\n{end}{after}"


if __name__ == "__main__":
    command()
