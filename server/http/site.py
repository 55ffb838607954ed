"""The built page as it is served: its files, compressed as they were at the build, and the tags of its links.

A link to a match that is pasted into a chat shows which match it is (Open Graph tags in the page). A link's
token stands in its fragment, which no browser and no chat sends. Deliberately absent: what is read under
`/api` (`server.http.api`).
"""

import mimetypes
from collections.abc import Awaitable, Callable
from html import escape
from http import HTTPStatus
from pathlib import Path
from uuid import UUID

from msgspec import Struct

from domain.kernel.seats import the
from domain.match.notices import CALLED_OFF
from domain.titles import TITLES
from server.http.pages import FOR_EVER, FRESH, HTML, TEXT, Page, PageRequest, refusal
from server.play.failures import refusal_for
from server.protocol.listing import MatchInfo, SeatInfo

NO_PAGE = b"This server was built without the page. Bots and the command line work: see fleetfold --help.\n"

COMPRESSED = (("br", ".br"), ("gzip", ".gz"))
"""Encodings and what the build adds to the names of such files, the smallest first."""

HOUSE = "/preview/fleetfold.jpg"
"""The path of the picture that is shown where a title has none."""

Describe = Callable[[UUID], Awaitable[MatchInfo]]
"""Returns how a match that is not private stands; raises RequestError for others."""


class Preview(Struct, frozen=True):
    """What a link shows where it is pasted: a title, a sentence or two, and the path of a picture."""

    title: str = "Fleetfold"
    text: str = "Wargames of the Pacific war for two: played, watched, replayed and verified."
    picture: str = HOUSE
    path: str = ""
    """The address that it is about, where that is a match."""


class Site:
    """The built page of a server."""

    def __init__(self, built: Path, describe: Describe, home: str | None) -> None:
        """Take the page's folder, which need not exist; `home` begins links, None: the Host asked for."""
        self._built = built.resolve() if (built / "index.html").is_file() else None
        self._describe, self._home = describe, home

    @property
    def built(self) -> bool:
        """Whether there is a page to open in a browser."""
        return self._built is not None

    async def answer(self, request: PageRequest) -> Page:
        """Return the file under a path; the page itself for all paths that name none."""
        parts = request.parts
        if self._built is None:
            return Page(NO_PAGE, TEXT, FRESH, HTTPStatus.OK if not parts else HTTPStatus.NOT_FOUND)
        if parts not in {(), ("index.html",)}:
            found = self._file(self._built, request)
            if found is not None:
                return found
            if parts[0] == "assets" or "." in parts[-1]:
                return refusal("no_page", "there is nothing under this path", HTTPStatus.NOT_FOUND)
        return self._index(self._built, request, await self._preview(parts))

    def _file(self, built: Path, request: PageRequest) -> Page | None:
        path = _within(built, request.parts)
        if path is None:
            return None
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        kind += "; charset=utf-8" if kind.startswith("text/") else ""
        caching = FOR_EVER if request.parts[0] == "assets" else FRESH
        for encoding, suffix in COMPRESSED:
            smaller = path.with_name(path.name + suffix)
            if encoding in request.encodings and smaller.is_file():
                return Page(smaller.read_bytes(), kind, caching, encoding=encoding)
        # Some chats let the browser of whoever reads them fetch the picture of a link.
        return Page(path.read_bytes(), kind, caching, anywhere=request.parts[0] == "preview")

    def _index(self, built: Path, request: PageRequest, preview: Preview) -> Page:
        html = (built / "index.html").read_text(encoding="utf-8")
        home = self._home or (f"http://{request.host}" if request.host else "")
        picture = preview.picture if built.joinpath(preview.picture[1:]).is_file() else HOUSE
        said = {
            "og:site_name": "Fleetfold",
            "og:type": "website",
            "og:title": preview.title,
            "og:description": preview.text,
            "og:image": home + picture,
        }
        if preview.path:
            said["og:url"] = home + preview.path
        tags = "".join(
            f'<meta property="{name}" content="{escape(text)}" />\n' for name, text in said.items()
        )
        tags += '<meta name="twitter:card" content="summary_large_image" />\n'
        html = html.replace("<title>Fleetfold</title>", f"<title>{escape(preview.title)}</title>", 1)
        return Page(html.replace("</head>", f"{tags}</head>", 1).encode(), HTML, FRESH)

    async def _preview(self, parts: tuple[str, ...]) -> Preview:
        """Return what the link of a public match shows; of a private one, and of other pages, the house."""
        if parts[:1] != ("match",) or len(parts) < 2:  # noqa: PLR2004 /match/ID
            return Preview()
        try:
            return preview_of(await self._describe(UUID(parts[1])))
        except ValueError:
            return Preview()
        except Exception as why:
            if refusal_for(why) is None:
                raise
            return Preview()


def _within(built: Path, parts: tuple[str, ...]) -> Path | None:
    """Return the path of a file of the page; None if there is none, or if it is hidden or lies outside."""
    try:
        path = built.joinpath(*parts).resolve()
        if not path.is_relative_to(built) or not path.is_file():
            return None
    except (OSError, ValueError):  # no file can have this name
        return None
    # Build tools leave hidden files there.
    return None if any(part.startswith(".") for part in path.relative_to(built).parts) else path


def preview_of(info: MatchInfo) -> Preview:
    """Return what a link to a match shows: title, who plays whom, how it stands, and the title's picture."""
    game = TITLES[info.title]
    seated = {seat.side for seat in info.seats}
    players = " against ".join(
        [
            *(_player(seat) for seat in info.seats),
            *(f"{name} (plays itself)" for side, name in enumerate(game.sides) if side not in seated),
        ]
    )
    scenario = game.scenarios[info.scenario].title if info.scenario in game.scenarios else ""
    text = ". ".join(part.rstrip(".") for part in (info.label, scenario, _state(info, game.sides)) if part)
    return Preview(
        f"{game.title}: {players}", f"{text}.", f"/preview/{game.name}.jpg", f"/match/{info.match}"
    )


def _player(seat: SeatInfo) -> str:
    if seat.taken is None:
        return f"{seat.name} (free)"
    return f"{seat.player} ({seat.name})" if seat.player else seat.name


def _state(info: MatchInfo, sides: tuple[str, ...]) -> str:
    match info.state:
        case "open":
            return "Not begun yet"
        case "playing":
            return "Being played: watch it live"
        case "ended":
            if info.reason == CALLED_OFF:
                return "Called off, without a result"
            won = "Drawn" if info.winner is None else f"{the(sides[info.winner])} won"
            return f"{won[0].upper()}{won[1:]}: {info.reason}. Replay it and check every die"
