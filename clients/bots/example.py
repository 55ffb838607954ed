"""A whole bot with nothing of Fleetfold's: `python example.py http://host:8000/match/ID#TOKEN`.

With the token of a registered bot in FLEETFOLD_BOT_TOKEN the seat is that bot's.
It picks any legal decision. PROTOCOL.md says what a bot should do besides: keep its nonce, check the chain,
say hello again after a hole, connect again, answer offers.
"""

import hashlib
import json
import os
import random
import secrets
import sys
import uuid
from typing import Any

from websockets.sync.client import connect


def merged(old: Any, patch: Any) -> Any:
    """Apply a JSON merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    kept = {key: value for key, value in old.items() if key not in patch} if isinstance(old, dict) else {}
    before = old if isinstance(old, dict) else {}
    return kept | {k: merged(before.get(k), value) for k, value in patch.items() if value is not None}


def play(link: str, registered: str = "") -> dict[str, Any]:
    """Play a seat to the end of the match and return what all titles share of its view."""
    headers = {"Authorization": f"Bearer {registered}"} if registered else {}
    address, _, token = link.partition("#")
    server, _, match = address.partition("/match/")
    view: dict[str, Any] = {}
    prompts: list[dict[str, Any]] = []
    nonces, seat, upto, waiting, seen = [secrets.token_bytes(16)], "", 0, False, 0
    url = server.replace("http", "ws", 1) + "/socket"
    with connect(url, max_size=None, additional_headers=headers) as socket:
        socket.send(json.dumps({"t": "hello", "version": 1, "match": match, "token": token}))
        for text in socket:
            message = json.loads(text)
            kind = message["t"]
            if kind == "welcome":
                seat = str(message["seat"])
            elif kind == "view" or (kind == "frame" and message["after"] == upto):
                view = message["view"] if kind == "view" else merged(view, message["patch"])
                upto, prompts = message["upto"], message["prompts"]
            elif kind in {"receipt", "refused"}:  # refused: overtaken by something that is on its way
                waiting, seen = False, message.get("seq") or upto + 1
            if kind == "refused" and not view:
                raise SystemExit(f"{message['code']}: {message['reason']}")
            if view and view["match"].get("over"):
                return dict(view["match"])
            command = (
                None
                if not view or waiting or upto < seen
                else choose(view["match"], seat, prompts, nonces, upto)
            )
            if command is not None:
                socket.send(json.dumps({**command, "match": match, "command": str(uuid.uuid4())}))
                waiting = True
    raise SystemExit("the server has closed the connection")


def choose(
    match: dict[str, Any], seat: str, prompts: list[dict[str, Any]], nonces: list[bytes], upto: int
) -> dict[str, Any] | None:
    """Return what to say now: sit down, show the nonce, pick any legal decision, or nothing.

    Where another seat committed anew when `nonces[0]` was shown, it counts no more: another takes its place.
    """
    if seat not in match["taken"]:
        return {
            "t": "sit",
            "token": secrets.token_urlsafe(20),  # of the link that this bot could come back by
            "promise": hashlib.sha256(nonces[0]).hexdigest(),
            "kind": "bot",
        }
    if seat not in match["promises"]:
        nonces[0] = secrets.token_bytes(16)
        return {"t": "anew", "promise": hashlib.sha256(nonces[0]).hexdigest()}
    if len(match["promises"]) == len(match["seats"]) and seat not in match["nonces"]:
        return {"t": "show", "nonce": nonces[0].hex()}
    for asked in prompts:
        if str(asked["seat"]) == seat:
            option = random.choice(asked["options"])  # noqa: S311 a choice is not a secret
            return {"t": "decide", "answers": upto, "decision": option}
    return None


if __name__ == "__main__":
    print(play(sys.argv[1], os.environ.get("FLEETFOLD_BOT_TOKEN", ""))["reason"])  # noqa: T201 the outcome
