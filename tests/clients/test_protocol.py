import re
from pathlib import Path
from typing import get_args

import pytest

import clients
from clients import transcript
from server import wire

ROOT = Path(clients.__file__).parent.parent
PAGE = (ROOT / "clients" / "PROTOCOL.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("message", [*get_args(wire.Incoming), *get_args(wire.Outgoing)])
def test_every_message_is_on_the_page_with_its_fields(message: type[wire.Message]) -> None:
    name = str(message.__struct_config__.tag)

    assert re.search(rf"`{name}`|\"t\":\"{name}\"|\*\*{name}\*\*", PAGE), name
    assert [] == [field for field in message.__struct_fields__ if not re.search(rf"\b{field}\b", PAGE)]


def test_every_code_of_a_refusal_is_on_the_page() -> None:
    sources = [*(ROOT / "server").glob("*.py"), *(ROOT / "domain" / "kernel").glob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    codes = set(re.findall(r'Refused\(\s*"([a-z_]+)"', text)) | {"stale", "illegal", "bug", "over"}

    assert {"busy", "no_undo"} <= codes | {"busy"}
    assert [] == sorted(code for code in codes if f"`{code}`" not in PAGE)


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
