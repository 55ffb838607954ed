import re
from pathlib import Path
from typing import get_args

import pytest

import clients
from clients import transcript
from clients.client import FINAL_CLOSES
from domain.match.refusals import Code
from server.fanout.slow_watchers import TOO_SLOW
from server.play.failures import REFUSALS
from server.protocol import wire
from server.serving import RESTART
from server.socket import visit, visitor

ROOT = Path(clients.__file__).parent.parent
PAGE = (ROOT / "clients" / "PROTOCOL.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("message", [*get_args(wire.Incoming), *get_args(wire.Outgoing)])
def test_every_message_is_on_the_page_with_its_fields(message: type[wire.Message]) -> None:
    name = str(message.__struct_config__.tag)
    named = rf"`{name}`|\"t\":\"{name}\"|\*\*{name}\*\*"
    said = "\n".join(part for part in re.split(r"\n\n|\n(?=\|)", PAGE) if re.search(named, part))

    assert said, name
    assert [] == [field for field in message.__struct_fields__ if not re.search(rf"\b{field}\b", said)]


def test_every_code_of_a_refusal_is_on_the_page() -> None:
    folders = [ROOT / "server", ROOT / "domain" / "kernel", ROOT / "domain" / "match"]
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    raised = set(re.findall(r'(?:Refused|RequestError|[Rr]efusal|super\(\).__init__)\(\s*"([a-z_]+)"', text))
    codes = raised | {code for code, _ in REFUSALS.values()}
    over_http = {"no_page", "origin"}
    chapter = PAGE[PAGE.index("\n## Refusals\n") : PAGE.index("\n## Close codes\n")]
    listed = {
        code
        for line in chapter.splitlines()
        if line.startswith("| `")
        for code in re.findall("`([a-z_]+)`", line.split("|")[1])
    }

    assert {"no_undo", "busy", "stale", "illegal", "bug", "over", "too_fast", "bad_token"} <= codes
    assert set(get_args(Code)) == codes | over_http
    assert set(get_args(Code)) - over_http == listed


def test_every_close_code_is_on_the_page_as_a_client_takes_it() -> None:
    ours = {visit.BAD_MESSAGE, visit.FLOOD, visit.NOT_KNOWN, visit.SILENT, TOO_SLOW, RESTART}
    chapter = PAGE[PAGE.index("\n## Close codes\n") : PAGE.index("\n## Limits\n")]
    rows = [line.split("|")[1:4] for line in chapter.splitlines() if re.match(r"\| \d", line)]
    again = {int(code): answer.strip()[:2] for codes, _, answer in rows for code in codes.split(",")}

    assert ours | visitor.THEIRS <= set(again)
    assert {code for code in again if again[code] == "no"} == {code for code in again if code in FINAL_CLOSES}


def test_the_page_is_of_this_version() -> None:
    assert PAGE.startswith(f"# The protocol, version {wire.VERSION}\n")


def test_nothing_secret_and_nothing_long_is_in_a_transcript() -> None:
    told = transcript.shown(
        {
            "t": "created",
            "links": [{"token": "abc", "path": "/match/1#abc"}] * 3,
            "h": "0" * 64,
            "n": {"a": 1},
        }
    )

    assert '{"t":"created","links":[{"token":"…","path":"…"},{"token":"…","path":"…"},"… 1 more"],' in told
    assert told.endswith('"h":"00000000…","n":{"a":1}}')
