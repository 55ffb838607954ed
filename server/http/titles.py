"""What there is to play: the titles, what their ids are called, their rulebooks, and the schemas of messages.

All of it is the same for everybody while a server runs, so that it is kept compressed. Deliberately absent:
matches (`server.http.matches`).
"""

from functools import cache
from pathlib import Path

from msgspec import json
from msgspec.structs import replace

import domain
from clients import bots
from domain.match.game import Game, Scenario
from domain.titles import TITLES
from server.http.asked import title_of
from server.http.pages import JSON, MARKDOWN, Handler, Page, PageRequest, found
from server.protocol import shown, wire
from server.protocol.responses import TitleInfo

PLACES = (Path(__file__).parents[1] / "rules", Path(domain.__file__).parents[1] / "docs" / "rules")
RULES = next((place for place in PLACES if place.is_dir()), PLACES[-1])
"""The rulebooks: in a wheel they are in `server`, in a checkout under docs."""


def routes() -> dict[tuple[str, ...], Handler]:
    """Return the handlers by path; `*` stands for one part."""
    return {
        ("api", "titles"): _titles,
        ("api", "names", "*"): _names,
        ("api", "protocol.json"): _protocol,
        ("api", "schema", "*"): _schema,
        ("api", "rules", "*"): _rules,
    }


async def _titles(request: PageRequest) -> Page:
    told = _short if request.query.get("short") == "1" else _whole
    return found([told(game) for game in TITLES.values()], lasting=True)


async def _names(request: PageRequest) -> Page:
    return found(TITLES[title_of(request.parts[2])].names, lasting=True)


async def _protocol(_: PageRequest) -> Page:
    return Page(_messages(), JSON, lasting=True)


async def _schema(request: PageRequest) -> Page:
    return Page(_schema_of(title_of(request.parts[2])), JSON, lasting=True)


async def _rules(request: PageRequest) -> Page:
    title = title_of(request.parts[2])
    return Page((RULES / f"{title.replace('_', '-')}.md").read_bytes(), MARKDOWN, lasting=True)


def _whole(game: Game) -> TitleInfo:
    """Return all that can be chosen of a title."""
    return TitleInfo(
        name=game.name,
        title=game.title,
        revision=game.revision,
        sides=game.sides,
        scenarios=list(game.scenarios.values()),
        default_scenario=game.default_scenario,
        options=list(game.options.values()),
        bots=list(bots.strengths(game.name)),
    )


def _short(game: Game) -> TitleInfo:
    """Return what of a title is called how: most of the rest only matters to who offers a match of it."""
    named = [Scenario(one.id, one.title) for one in game.scenarios.values()]
    return replace(_whole(game), scenarios=named, options=[])


@cache
def _messages() -> bytes:
    return json.format(json.encode(wire.schema()), indent=2)


@cache
def _schema_of(title: str) -> bytes:
    return json.format(json.encode(shown.schema(TITLES[title])), indent=2)
