"""What a projection is, and what it is given: the facts of a page, as the log has them.

Deliberately absent: where a projection stands (`projections.cursor`), how facts come to it
(`projections.feed`), how its tables are made and swapped (`projections.generations`), and any title: a
projection that needs one gets it from `domain.titles`.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Generic, TypeVar
from uuid import UUID

import asyncpg
from msgspec import Struct

from server.postgres.database import PooledConnection

WRONG: Final = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError)
"""Errors of Postgres that are caused by some fact of the page."""

Tables = Mapping[str, str]
"""View name to the name of its table in one generation, both with the schema."""

_Folding = TypeVar("_Folding")


class ProjectedFact(Struct, frozen=True, gc=False):
    """A fact as passed to projections. `at` is in microseconds since the epoch."""

    match: UUID
    seq: int
    at: int
    type: str
    ver: int
    body: bytes


class UnprojectableFact(Exception):
    """A fact that a projection cannot apply. The projection stops before it; the log does not change."""

    def __init__(self, projection: str, match: UUID, seq: int, why: str) -> None:
        super().__init__(f"{projection} stops before fact {seq} of match {match}: {why}")
        self.projection, self.match, self.seq, self.why = projection, match, seq, why


class Projection(Generic[_Folding]):
    """A read model of matches, made from their facts alone.

    `views` has the columns of each view, in SQL; each generation has a table for each. A page is processed by
    `load`, `fold` for each of its facts, and `store`. Only `fold` may fail because of a fact.
    """

    name: ClassVar[str]
    views: ClassVar[Mapping[str, str]]
    indexes: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Of each view, by a name of their own, the indexes of its tables besides the primary key, in SQL."""
    for_nodes_only: ClassVar[bool] = False
    """Whether auditors may not read the views, since these hold secrets in a form that nobody has to see, or
    say what persons did."""

    async def load(self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables) -> _Folding:
        """Read the rows that the facts of a page will change, without decoding their bodies."""
        raise NotImplementedError

    def fold(self, folding: _Folding, fact: ProjectedFact) -> None:
        """Fold one fact. Any exception stops the projection before this fact."""
        raise NotImplementedError

    async def store(self, conn: PooledConnection, folding: _Folding, tables: Tables) -> None:
        """Write what has changed."""
        raise NotImplementedError

    async def apply(self, conn: PooledConnection, page: Sequence[ProjectedFact], tables: Tables) -> None:
        """Apply a page in the current transaction, which the caller must roll back if it raises.

        Raises UnprojectableFact.
        """
        folding = await self.load(conn, page, tables)
        for fact in page:
            try:
                self.fold(folding, fact)
            except Exception as fault:
                raise UnprojectableFact(self.name, fact.match, fact.seq, repr(fault)) from fault
        try:
            await self.store(conn, folding, tables)
        except WRONG as fault:
            if len(page) == 1:
                raise UnprojectableFact(self.name, page[0].match, page[0].seq, repr(fault)) from fault
            raise

    def tables(self, gen: int) -> dict[str, str]:
        """Return the tables of a generation, by view."""
        return {f"view.{view}": f"view.{view}_{gen}" for view in self.views}
