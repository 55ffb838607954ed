"""The built page: which files are served and how small, and what a link shows where it is pasted."""

import gzip
import html
import re
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest
from msgspec import structs

from domain.match.refusals import RequestError
from server.http.pages import Pages
from server.http.site import Site, preview_of
from server.protocol.listing import MatchInfo, SeatInfo
from server.serving import Serving
from tests.server.reading import HEADERS, get, pages
from tests.server.talk import offer, seated

INDEX = "<head><title>Fleetfold</title></head>"


class Folder:
    """A folder with a page, and what lies beside it."""

    def __init__(self, folder: Path) -> None:
        self.built = folder / "dist"
        (self.built / "assets").mkdir(parents=True)
        (self.built / "index.html").write_text(INDEX)
        (self.built / "mark.svg").write_text("<svg/>")
        (self.built / "assets" / "index-1a2b.js").write_text("'use strict'")
        (self.built / "assets" / "index-1a2b.js.gz").write_bytes(gzip.compress(b"'use strict'", mtime=0))
        (self.built / "assets" / "index-1a2b.js.br").write_bytes(b"brotli")
        (self.built / "assets" / "index-1a2b.css").write_text("body{}")
        (self.built / "assets" / "type-1a2b.woff2").write_bytes(b"wOF2")
        (self.built / ".ready").write_text("secret")
        (self.built / "assets" / ".ready").write_text("secret")
        (self.built / ".git").mkdir()
        (self.built / ".git" / "config.txt").write_text("secret")
        (folder / "secret.txt").write_text("secret")
        (folder / "distance").mkdir()
        (folder / "distance" / "secret.txt").write_text("secret")
        (self.built / "way out").symlink_to(folder / "secret.txt")


async def nobody(_: UUID) -> MatchInfo:
    """Know no match."""
    raise RequestError("no_match", "there is no such match")


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[str]:
    """Serve a page that was built."""
    async with pages(Pages({}, Site(Folder(tmp_path).built, nobody, None).answer)) as url:
        yield url


@pytest.mark.parametrize(
    ("path", "kind", "caching", "body"),
    [
        ("/mark.svg", "image/svg+xml", "no-cache", b"<svg/>"),
        ("/assets/index-1a2b.css", "text/css; charset=utf-8", "immutable", b"body{}"),
        ("/assets/index-1a2b.js", "javascript", "immutable", b"'use strict'"),
        ("/assets/type-1a2b.woff2", "font/woff2", "immutable", b"wOF2"),
    ],
)
async def test_the_page_is_served_with_types_and_times(
    site: str, path: str, kind: str, caching: str, body: bytes
) -> None:
    got = await get(site, path)

    assert (200, body) == (got.status, got.body)
    assert "content-encoding" not in got.headers
    assert kind in got.headers["content-type"]
    assert caching in got.headers["cache-control"]


MARKS = (
    "/.ready",
    "/%2eready",
    "/./.ready",
    "/assets/.ready",
    "/assets/..%2f.ready",
    "/.git/config.txt",
    "/.git%2fconfig.txt",
)
"""What lies in the page's folder and is not of the page."""


@pytest.mark.parametrize(
    "path",
    [
        *MARKS,
        "/secret.txt",
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/secret.txt",
        "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/../distance/secret.txt",
        "/..%5csecret.txt",
        "/%2fetc%2fpasswd",
        "//etc/passwd",
        "/way%20out",
        "/none.js",
        "/assets/none.js",
        "/assets/none",
        "/%00",
        "/index.html%00.js",
        "/assets/" + "x" * 300,
        "/\udcff".encode("utf-8", "surrogateescape").decode("latin-1"),
        "/%ff",
    ],
)
async def test_nothing_outside_of_the_page_is_served(site: str, path: str) -> None:
    got = await get(site, path)

    assert got.status in {200, 400, 404}
    assert b"secret" not in got.body
    assert b"root:" not in got.body
    assert (got.status == 200) == (b"<title>" in got.body)
    assert HEADERS.items() <= got.headers.items()


async def test_a_file_that_is_not_there_is_not_the_page(site: str) -> None:
    """Else a browser would take HTML for a script, and keep it."""
    for path in ("/none.js", "/assets/none.js", "/assets/none", *MARKS):
        got = await get(site, path)

        assert (404, "no_page") == (got.status, got.json["code"])


async def test_without_a_page_it_says_what_works(tmp_path: Path) -> None:
    async with pages(Pages({}, Site(tmp_path / "dist", nobody, None).answer)) as url:
        root, other = await get(url, "/"), await get(url, "/match/x")

    assert (200, 404) == (root.status, other.status)
    assert b"fleetfold --help" in root.body


@pytest.mark.parametrize("path", ["/", "/index.html", "/match/0189", "/replay/0189/12"])
async def test_the_page_itself_answers_where_no_file_lies(site: str, path: str) -> None:
    got = await get(site, path)

    assert 200 == got.status
    assert ("text/html; charset=utf-8", "no-cache") == (
        got.headers["content-type"],
        got.headers["cache-control"],
    )
    assert b"<title>Fleetfold</title>" in got.body


# Compressed


@pytest.mark.parametrize(
    ("reads", "encoding", "body"),
    [
        ("gzip, deflate, br, zstd", "br", b"brotli"),
        ("gzip;q=1.0, identity; q=0.5", "gzip", b""),
        ("br;q=0, gzip", "gzip", b""),
        ("BR ; q=0.000,GZIP", "gzip", b""),
        ("deflate", None, b"'use strict'"),
        ("gzip;q=0", None, b"'use strict'"),
    ],
)
async def test_a_file_is_sent_compressed_to_who_reads_that(
    site: str, reads: str, encoding: str | None, body: bytes
) -> None:
    got = await get(site, "/assets/index-1a2b.js", reads=reads)

    assert encoding == got.headers.get("content-encoding")
    assert "Accept-Encoding" == got.headers["vary"]
    assert "javascript" in got.headers["content-type"]
    assert (body or gzip.compress(b"'use strict'", mtime=0)) == got.body


async def test_what_was_not_compressed_at_the_build_is_sent_as_it_is(site: str) -> None:
    got = await get(site, "/assets/type-1a2b.woff2", reads="gzip, br")

    assert ("content-encoding" not in got.headers, b"wOF2") == (True, got.body)


@pytest.mark.parametrize(
    "path",
    [
        "/api/titles",
        "/api/names/nimitz",
        "/api/rules/midway",
        "/api/protocol.json",
        "/api/schema/midway",
    ],
)
async def test_what_is_the_same_for_all_is_sent_compressed(server: Serving, path: str) -> None:
    plain, small = await get(server.url, path), await get(server.url, path, reads="gzip")

    assert plain.body == gzip.decompress(small.body)
    assert len(small.body) < len(plain.body) / 2
    assert ("gzip", plain.headers["content-type"]) == (
        small.headers["content-encoding"],
        small.headers["content-type"],
    )


async def test_a_whole_match_is_sent_compressed(server: Serving) -> None:
    async with seated(server.url) as (created, _, _):
        path = f"/api/matches/{created['match']}/steps"
        plain, small = await get(server.url, path), await get(server.url, path, reads="gzip")

    assert plain.body == gzip.decompress(small.body)
    assert len(small.body) < len(plain.body) / 2
    assert "application/x-ndjson" == small.headers["content-type"]


async def test_a_refusal_is_not_compressed(server: Serving) -> None:
    got = await get(server.url, "/api/rules/none", reads="gzip")

    assert (404, "no_title") == (got.status, got.json["code"])


# What a link shows where it is pasted


def shown(page: bytes) -> dict[str, str]:
    """Return the tags of a page, and its title as `title`."""
    text = page.decode()
    tags = [part.split('"') for part in re.split("<meta (?:property=(?=.og:)|name=(?=.twitter:))", text)[1:]]
    found = {part[1]: html.unescape(part[3]) for part in tags}
    return found | {"title": html.unescape(text.partition("<title>")[2].partition("</title>")[0])}


def seat(name: str, side: int, player: str = "", *, taken: bool = True) -> SeatInfo:
    return SeatInfo(name, side, "person" if taken else None, player, present=False, handle="")


INFO = MatchInfo(
    UUID(int=7),
    "midway",
    "duel",
    "Club night",
    "live",
    by_turns=False,
    private=False,
    imported=False,
    state="playing",
    seats=[seat("Japan", 0, "Red"), seat("United States", 1, "Blue")],
    joinable=[],
    asked=(0,),
    winner=None,
    reason="",
    clock=None,
    chosen={},
    rated=False,
    persons=False,
    band=None,
    onlookers=2,
    rematch=None,
    paired=False,
    same_sides=False,
    created=1,
    last=2,
    facts=40,
)


def test_a_link_names_title_sides_players_and_state() -> None:
    preview = preview_of(INFO)

    assert "Midway: Red (Japan) against Blue (United States)" == preview.title
    assert preview.text.startswith("Club night. ")
    assert preview.text.endswith("Being played: watch it live.")
    assert "/preview/midway.jpg" == preview.picture


@pytest.mark.parametrize(
    ("state", "winner", "reason", "said"),
    [
        ("open", None, "", "Not begun yet."),
        ("ended", 1, "Hiryu is sunk", "The United States won: Hiryu is sunk. Replay it and check every die."),
        ("ended", None, "agreed", "Drawn: agreed. Replay it and check every die."),
    ],
)
def test_a_link_says_how_the_match_stands(state: str, winner: int | None, reason: str, said: str) -> None:
    info = structs.replace(INFO, state=state, winner=winner, reason=reason)

    assert preview_of(info).text.endswith(said)


async def test_a_link_shows_the_picture_of_its_title_if_there_is_one(tmp_path: Path) -> None:
    async def known(_: UUID) -> MatchInfo:
        return INFO

    built = Folder(tmp_path).built
    (built / "preview").mkdir()
    (built / "preview" / "midway.jpg").write_bytes(b"JPEG")
    async with pages(Pages({}, Site(built, known, None).answer)) as url:
        got = await get(url, f"/match/{INFO.match}")
        picture = await get(url, "/preview/midway.jpg")

    tags = shown(got.body)
    assert "http://fleet.example/preview/midway.jpg" == tags["og:image"]
    assert f"http://fleet.example/match/{INFO.match}" == tags["og:url"]
    # A chat may let the browsers of its readers fetch the picture, and nothing else of ours.
    assert ["same-origin", "cross-origin"] == [
        page.headers["cross-origin-resource-policy"] for page in (got, picture)
    ]
    assert "summary_large_image" == tags["twitter:card"]


def test_a_link_says_which_seat_is_free() -> None:
    info = structs.replace(INFO, state="open", seats=[INFO.seats[0], seat("United States", 1, taken=False)])

    assert "Midway: Red (Japan) against United States (free)" == preview_of(info).title


def test_a_link_says_that_a_side_without_a_seat_plays_itself() -> None:
    seats = [seat("United States", 0, "Blue")]
    info = structs.replace(INFO, title="nimitz", scenario="1942", seats=seats)

    assert "Nimitz: Blue (United States) against Japan (plays itself)" == preview_of(info).title


async def test_the_page_of_a_match_carries_what_its_link_shows(server: Serving, tmp_path: Path) -> None:
    """And nothing that a name could smuggle in, nor a token."""
    made = Site(Folder(tmp_path).built, server.api.matches.describe, "https://fleet.example")
    async with seated(server.url, label='"><script>alert(1)</script>') as (created, _, _):
        path = f"/match/{created['match']}"
        async with pages(Pages({}, made.answer)) as url:
            play, replay = await get(url, path), await get(url, f"{path}/replay")

    tags = shown(play.body)
    assert tags == shown(replay.body)
    assert tags["og:title"] == tags["title"]
    assert tags["og:title"].startswith("The Tiny Lagoon: ")
    assert "https://fleet.example/preview/fleetfold.jpg" == tags["og:image"]
    assert f"https://fleet.example{path}" == tags["og:url"]
    assert '"><script>alert(1)</script>' in tags["og:description"]
    assert b"<script>" not in play.body
    assert not any(link["token"].encode() in play.raw for link in created["links"])


async def test_the_page_of_a_private_match_shows_nothing_of_it(server: Serving, tmp_path: Path) -> None:
    made = Site(Folder(tmp_path).built, server.api.matches.describe, None)
    created = await offer(server.url, private=True, label="Hush")
    async with pages(Pages({}, made.answer)) as url:
        private = await get(url, f"/match/{created['match']}")
        none = await get(url, f"/match/{UUID(int=0)}")

    assert none.body == private.body
    assert "Fleetfold" == shown(private.body)["og:title"]
    assert "http://fleet.example/preview/fleetfold.jpg" == shown(private.body)["og:image"]


async def test_a_mistake_of_ours_is_no_preview(tmp_path: Path) -> None:
    async def broken(_: UUID) -> MatchInfo:
        raise RuntimeError("card:07")

    async with pages(Pages({}, Site(Folder(tmp_path).built, broken, None).answer)) as url:
        got = await get(url, f"/match/{UUID(int=7)}")

    assert (500, "bug") == (got.status, got.json["code"])
