"""Positions: matches folded up to every so many facts, from which a node goes on that opens a match.

The view `view.position` has a row for the command in which a match reached a multiple of EVERY facts, and for
one that corrected it: past a correction none is folded on that lies behind what it goes back to. With it
stand the hash of its last fact, the title and revision of the rules, and the form that it was encoded in. It
holds the secrets of both sides: nodes read it, and nobody else.

Of the corrections in each hundred facts (CORRECTED) the first has a row. Each is a whole state and may cost a
fold from the first fact on, for which all who follow the log wait, so players who correct again and again
would hold them up. What remains: behind another correction, until there is a later row, whoever opens the
match folds from the last row at or before what was gone back to, or from its first fact.

A row is a convenience and never a source: its reader compares its hash with the log, and one that is damaged,
of another match, or of other rules is as good as none. `verify`, exports and deciding again do not read it.
A match that cannot be folded here, for want of its title or by a fault in it, has no rows, and stops nobody
else's. Deliberately absent: the fold itself (`domain.match.fold`).
"""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar, Final, TypeAlias
from uuid import UUID

import asyncpg
import structlog
from msgspec import MsgspecError, Struct, json

from domain.match import notices, position
from domain.match.chain import Entry
from domain.match.corrections import DiceCounted
from domain.match.fold import Fold, Forgotten
from domain.match.game import Game
from domain.match.position import Position
from domain.match.undo import Undos
from domain.titles import TITLES
from projections.projection import ProjectedFact, Projection, Tables
from projections.turns import undo_mark
from server.log.outcomes import Altered
from server.log.statements import COMMAND, MOST, ask, read_page
from server.postgres.database import Pool, PooledConnection

EVERY: Final = 1000
"""Facts of a match from one position to the next, so most often the most that are folded to open it."""

CORRECTED: Final = 100
"""Facts of a match of which one correction has a position behind it, the first."""

AT_ONCE: Final = 200
"""Facts folded before control returns to the event loop."""

Due: TypeAlias = dict[UUID, list[int]]
"""By match the facts, in order, behind which a position is due: at the end of their commands."""

Hundred: TypeAlias = tuple[UUID, int]
"""Match, and which CORRECTED facts of it."""

_COLUMNS: Final = """
  match_id uuid    NOT NULL,
  seq      integer NOT NULL,      -- the last fact of a command
  hash     bytea   NOT NULL,      -- of that fact
  title    text    NOT NULL,
  revision text    NOT NULL,      -- of the title's rules
  form     text    NOT NULL,      -- of the encoding, see domain.match.position
  digest   bytea   NOT NULL,      -- of all that stands here, against damage
  body     bytea   NOT NULL,
  PRIMARY KEY (match_id, seq)
"""
_WRITE: Final = """
INSERT INTO {table} (match_id, seq, hash, title, revision, form, digest, body)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (match_id, seq) DO UPDATE
   SET hash = excluded.hash, title = excluded.title, revision = excluded.revision, form = excluded.form,
       digest = excluded.digest, body = excluded.body
"""
_LATEST: Final = """
SELECT p.seq, p.hash, p.title, p.digest, p.body, f.hash AS on_the_log FROM {table} p
  JOIN unnest($3::text[], $4::text[], $5::text[]) AS k(title, revision, form)
    ON (p.title, p.revision, p.form) = (k.title, k.revision, k.form)
  LEFT JOIN log.fact f ON (f.match_id, f.seq) = (p.match_id, p.seq)
 WHERE p.match_id = $1 AND p.seq <= $2 ORDER BY p.seq DESC LIMIT 1
"""
_WAS_CORRECTED: Final = """
SELECT EXISTS (SELECT FROM log.fact WHERE match_id = $1 AND seq >= $2 AND seq < $3 AND type = 'DiceCounted')
"""
_UNDOS: Final = "SELECT seq, body FROM log.fact WHERE match_id = $1 AND type = 'Undone' ORDER BY seq"

_created = json.Decoder(notices.Created).decode

log = structlog.get_logger()


class BadPosition(Exception):
    """A position that is kept of a match cannot be used: it is damaged, or not on the chain."""


class Found(Struct, frozen=True):
    """A position that was kept of a match of a title, and is on the chain of the log."""

    game: Game
    position: Position


class Unfoldable(Exception):
    """A match that cannot be folded here."""


class Dues(Struct):
    """What is due of the matches of a page, and in which hundreds of facts they were corrected."""

    corrected: set[Hundred]
    due: Due = {}

    def add(self, fact: ProjectedFact) -> None:
        """Note whether a position is due behind a fact."""
        is_due = fact.seq % EVERY == 0
        if _corrects(fact):
            is_due = is_due or _hundred(fact) not in self.corrected
            self.corrected.add(_hundred(fact))
        if is_due:
            self.due.setdefault(fact.match, []).append(fact.seq)


def _corrects(fact: ProjectedFact) -> bool:
    return fact.type == DiceCounted.__name__


def _hundred(fact: ProjectedFact) -> Hundred:
    return fact.match, fact.seq // CORRECTED


class Positions(Projection[Dues]):
    """The projection that keeps a position of each match every EVERY facts, and behind corrections."""

    name: ClassVar[str] = "positions"
    views: ClassVar[Mapping[str, str]] = {"position": _COLUMNS}
    for_nodes_only: ClassVar[bool] = True

    async def load(self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables) -> Dues:  # noqa: ARG002
        """Read whether what is corrected in this page was corrected shortly before it.

        What is folded is read when it is known to be due.
        """
        firsts = {_hundred(fact): fact.seq for fact in reversed(page) if _corrects(fact)}
        corrected = {
            (match, number)
            for (match, number), seq in firsts.items()
            if await conn.fetchval(_WAS_CORRECTED, match, number * CORRECTED, seq)
        }
        return Dues(corrected)

    def fold(self, folding: Dues, fact: ProjectedFact) -> None:
        """Note whether a position is due."""
        folding.add(fact)

    async def store(self, conn: PooledConnection, folding: Dues, tables: Tables) -> None:
        """Fold each match from its last position on, and write those that are due."""
        for match, due in folding.due.items():
            try:
                await _keep(conn, match, due, tables["view.position"])
            except Unfoldable as why:
                log.warning("position.left_out", match=str(match), seq=due[0], why=str(why))


async def latest(
    conn: PooledConnection, match: UUID, upto: int = MOST, table: str = "view.position"
) -> Found | None:
    """Return the last position of a match at or before fact `upto`, of a title and revision known here.

    Raises BadPosition if it is damaged, or not on the chain of the log.
    """
    return _checked(match, await _row_at(conn, match, upto, table))


async def find(pool: Pool, match: UUID, upto: int) -> Found | None:
    """Do what `latest` does, asking again where the database does not answer; raises Unavailable too."""
    return _checked(match, await ask(pool, lambda conn: _row_at(conn, match, upto, "view.position")))


async def _row_at(conn: PooledConnection, match: UUID, upto: int, table: str) -> asyncpg.Record | None:
    known = [(game.name, game.revision, position.form(game)) for game in TITLES.values()]
    return await conn.fetchrow(_LATEST.format(table=table), match, upto, *map(list, zip(*known, strict=True)))


def _checked(match: UUID, row: asyncpg.Record | None) -> Found | None:
    """Return the position in a row. Raises BadPosition."""
    if row is None:
        return None
    game, seq = TITLES[row["title"]], row["seq"]
    if row["hash"] != row["on_the_log"]:
        raise BadPosition(f"the position at fact {seq} is not on the chain of the log")
    if row["digest"] != _digest(match, game, seq, row["hash"], row["body"]):
        raise BadPosition(f"the position at fact {seq} is damaged")
    try:
        return Found(game, position.decode(row["body"]))
    except MsgspecError as why:
        raise BadPosition(f"the position at fact {seq} cannot be read: {why}") from why


async def differing(conn: PooledConnection, match: UUID) -> list[int]:
    """Fold a match from its start and return the seqs of its positions that are not what it folds to.

    Those of other rules than today's are not compared. Raises Unfoldable.
    """
    kept = {
        row["seq"] for row in await conn.fetch("SELECT seq FROM view.position WHERE match_id = $1", match)
    }
    fold: Fold | None = None
    async for command in _commands(conn, match, 0):
        fold = fold or _from_the_start(command[0], forgets=False)
        _apply(fold, command)
        if fold.seq in kept and await _is_right(conn, match, fold):
            kept.remove(fold.seq)
    return sorted(kept)


async def _is_right(conn: PooledConnection, match: UUID, fold: Fold) -> bool:
    """Return whether the position kept at this fact, if it is of today's rules, is this fold."""
    try:
        found = await latest(conn, match, fold.seq)
        return found is None or found.position.seq < fold.seq or fold.stands_at(found.position)
    except (BadPosition, MsgspecError):
        return False


async def _keep(conn: PooledConnection, match: UUID, due: Sequence[int], table: str) -> None:
    """Write the positions due of a match. Raises Unfoldable."""
    upto, undos = due[0] - 1, list[tuple[int, int]]()
    try:
        while found := await latest(conn, match, upto, table):
            try:
                fold = Fold.at_position(found.game, found.position, undos)
                return await _fold(conn, match, due, table, fold)
            except Forgotten as why:
                if undos and found.position.seq <= why.back_to:
                    break
                upto, undos = min(upto, why.back_to), await _undos(conn, match)
    except (BadPosition, MsgspecError) as why:
        log.warning("position.ignored", match=str(match), seq=due[0], why=str(why))
    for known in (undos,) if undos else ((), await _undos(conn, match)):
        with contextlib.suppress(Forgotten):
            return await _fold(conn, match, due, table, None, undos=known)
    return await _fold(conn, match, due, table, None, forgets=False)


async def _undos(conn: PooledConnection, match: UUID) -> list[tuple[int, int]]:
    """Return the undos of a match. Raises MsgspecError for a damaged one."""
    return [(row["seq"], undo_mark(row["body"]).back_to) for row in await conn.fetch(_UNDOS, match)]


async def _fold(
    conn: PooledConnection,
    match: UUID,
    due: Sequence[int],
    table: str,
    fold: Fold | None,
    *,
    forgets: bool = True,
    undos: Undos = (),
) -> None:
    """Fold a match on, and write a position at the end of each command that holds a fact that is due.

    Raises Forgotten, Unfoldable.
    """
    wanted = list(due)
    async for command in _commands(conn, match, fold.seq if fold else 0, due[-1] + COMMAND):
        fold = fold or _from_the_start(command[0], forgets=forgets, undos=undos)
        _apply(fold, command)
        if command[-1].seq >= wanted[0]:
            await conn.execute(_WRITE.format(table=table), *_row(match, fold))
            wanted = [seq for seq in wanted if seq > command[-1].seq]
        if not wanted:
            return


async def _commands(
    conn: PooledConnection, match: UUID, after: int, upto: int = MOST
) -> AsyncIterator[list[Entry]]:
    """Yield the commands behind fact `after` that end at or before `upto`, giving way now and then.

    Raises Unfoldable.
    """
    more, folded = True, 0
    while more:
        try:
            page, more = await read_page(conn, match, after, min(upto, MOST))
        except Altered as why:
            raise Unfoldable(str(why)) from why
        for _, command in groupby(page, lambda entry: entry.command):
            entries = list(command)
            after = entries[-1].seq
            yield entries
            folded += len(entries)
            if folded >= AT_ONCE:
                folded = 0
                await asyncio.sleep(0)


def _from_the_start(first: Entry, *, forgets: bool, undos: Undos = ()) -> Fold:
    """Return the fold of a match before its first fact, which names the title. Raises Unfoldable."""
    try:
        title = _created(first.body).title
    except MsgspecError as why:
        raise Unfoldable(f"its first fact does not say what is played: {why}") from why
    if title not in TITLES:
        raise Unfoldable(f"there is no title {title} here")
    return Fold(TITLES[title], forgets=forgets, undos=undos)


def _apply(fold: Fold, command: Sequence[Entry]) -> None:
    """Fold a command. Raises Forgotten and, if anything else goes wrong, Unfoldable."""
    try:
        fold.apply(command)
    except Forgotten:
        raise
    except Exception as why:  # whatever a match holds, others are to have their positions
        raise Unfoldable(f"fact {command[0].seq} and what came with it: {why!r}") from why


def _row(match: UUID, fold: Fold) -> tuple[object, ...]:
    game, body = fold.game, position.encode(fold.position())
    digest = _digest(match, game, fold.seq, fold.hash, body)
    return match, fold.seq, fold.hash, game.name, game.revision, position.form(game), digest, body


def _digest(match: UUID, game: Game, seq: int, hash: bytes, body: bytes) -> bytes:
    """Return SHA-256 over all columns of a row."""
    names = json.encode((str(match), seq, hash, game.name, game.revision, position.form(game)))
    return hashlib.sha256(names + body).digest()
