"""The list of matches: what the lobby shows of each, the same to everybody.

It is read from the lobby's tables and the standings, which follow the log within a second. Deliberately
absent: what is played (`server.play.matches`), and private matches, which are read one by one.
"""

from collections.abc import Callable, Collection, Mapping
from typing import cast
from uuid import UUID

from asyncpg import Record
from msgspec import Struct, json

from domain.match.refusals import RequestError
from projections.standings import Standing, read_standing
from server.postgres.database import Pool, connection
from server.protocol.listing import Kind, MatchInfo, MatchState, SeatInfo

SHOWN = 200
"""Matches on a list."""

LIVELY: tuple[MatchState, ...] = ("open", "playing")
"""The states that the lobby shows as it is watched."""

_PLAYERS = """
(SELECT json_object_agg(p.seat, json_build_object(
          'name', CASE WHEN p.hidden THEN '' ELSE p.name END, 'bot', p.strength <> ''))
   FROM lobby.seat p WHERE p.match_id = m.match_id)::text AS players
"""
_SHOWN = f"""
m.match_id, CASE WHEN m.hidden THEN '' ELSE m.label END AS label, m.pace, m.by_turns, m.private, m.imported,
{_PLAYERS}
"""
_FREE = """
EXISTS (SELECT FROM jsonb_array_elements(s.chairs) WITH ORDINALITY AS c(chair, number)
         WHERE c.chair ->> 'kind' = ''
           AND NOT EXISTS (SELECT FROM lobby.seat b WHERE b.match_id = s.match_id AND b.seat = c.number - 1
                                                      AND b.strength <> ''))
"""
_LISTED = f"""
SELECT s.*, {_SHOWN} FROM lobby.match m JOIN view.standings s USING (match_id)
 WHERE NOT m.private
   AND CASE WHEN s.over THEN 'ended' WHEN s.started THEN 'playing' WHEN {_FREE} THEN 'open' END = ANY($1)
 ORDER BY s.last_at DESC LIMIT $2
"""  # noqa: S608 constants of this module
_ONE = f"SELECT {_SHOWN} FROM lobby.match m WHERE m.match_id = $1"  # noqa: S608 the same


class Player(Struct, frozen=True):
    """Who sits on a seat, or is to: a name, and whether it is a bot that the server itself seats."""

    name: str
    bot: bool


_players = json.Decoder(dict[int, Player])


class Listing:
    """The list of matches of this server."""

    def __init__(self, pool: Pool, presence: Callable[[UUID], tuple[int, int | None]]) -> None:
        """Take, last, a function that returns the seats present at a match, a bit each, and its onlookers."""
        self._pool, self._presence = pool, presence

    async def matches(self, states: Collection[str]) -> list[MatchInfo]:
        """Return the matches in these states that are not private, the latest first."""
        async with connection(self._pool) as conn:
            rows = await conn.fetch(_LISTED, list(states), SHOWN)
        return [self._info(row, read_standing(row)) for row in rows]

    async def one(self, standing: Standing) -> MatchInfo:
        """Return what is shown of one match, private or not, that stands as given."""
        async with connection(self._pool) as conn:
            row = await conn.fetchrow(_ONE, standing.match)
        if row is None:
            raise RequestError("no_match", "there is no such match")
        return self._info(row, standing)

    def _info(self, row: Record, standing: Standing) -> MatchInfo:
        present, onlookers = self._presence(standing.match)
        players = _players.decode(row["players"] or "{}")
        return MatchInfo(
            match=standing.match,
            title=standing.title,
            scenario=standing.scenario,
            label=row["label"],
            pace=row["pace"],
            by_turns=row["by_turns"],
            private=row["private"],
            imported=row["imported"],
            state="ended" if standing.over else "playing" if standing.started else "open",
            seats=[
                SeatInfo(
                    name=chair.name,
                    side=chair.side,
                    taken=cast("Kind | None", chair.kind or None),
                    player=players[seat].name if seat in players else "",
                    present=bool(present >> seat & 1),
                )
                for seat, chair in enumerate(standing.chairs)
            ],
            joinable=[] if row["private"] or row["imported"] else joinable(standing, players),
            asked=standing.asked,
            winner=standing.winner,
            reason=standing.reason,
            onlookers=onlookers,
            created=standing.created,
            last=standing.last,
            facts=standing.facts,
        )


def joinable(standing: Standing, players: Mapping[int, Player]) -> list[int]:
    """Return the seats that are free for anybody, if the match is not private."""
    if standing.started or standing.over:
        return []
    return [
        seat
        for seat, chair in enumerate(standing.chairs)
        if not chair.kind and not (seat in players and players[seat].bot)
    ]
