"""Rated matches in short, from the offer to the end, and their persons, as lobby and log have them."""

import random
from collections.abc import Sequence
from uuid import UUID, uuid5

from msgspec import Struct

from domain.kernel.facts import Fact, Rolled
from domain.kernel.seats import Clock, Seat
from domain.match.chain import ZERO, Entry, seal
from domain.match.notices import Created, Ended, GameEnded, SeatTaken
from server.log.outcomes import Stored
from server.log.store import Log
from server.postgres.database import Connection, PooledConnection
from tests.projections.play import START, draft

NAMES = UUID(int=0)
DAY = 86_400_000_000


def uid(name: str) -> UUID:
    """The id of something by its name, the same each time."""
    return uuid5(NAMES, name)


class Duel(Struct, frozen=True, kw_only=True):
    """A match that ended: who sat on which seat, the side that won, and when, in days of its test."""

    name: str
    players: tuple[str, ...] = ("ann", "bob")
    winner: int | None = 0
    day: float = 0.0
    title: str = "tiny"
    scenario: str = "duel"
    reason: str = "victory"
    rule: str = "7.1"
    clock: Clock | None = Clock(60)
    rated: bool = True
    private: bool = False
    sides: tuple[int, ...] = (0, 1)

    @property
    def match(self) -> UUID:
        """Its id."""
        return uid(self.name)

    @property
    def at(self) -> int:
        """When it ended, in microseconds since the epoch."""
        return START + round(self.day * DAY)

    def command(self, seat: int) -> UUID:
        """The id of the command by which a seat was taken."""
        return uid(f"{self.name} {seat}")

    def facts(self) -> list[tuple[UUID, list[Fact]]]:
        """Its commands."""
        seats = tuple(Seat(f"seat {number}", side) for number, side in enumerate(self.sides))
        created = Created(self.title, self.scenario, {}, "1", "", seats, self.clock)
        seated = range(len(self.players))
        taken: list[tuple[UUID, list[Fact]]] = [(self.command(n), [SeatTaken(n, "person")]) for n in seated]
        end: list[Fact] = [GameEnded(self.winner, self.reason, self.rule), Ended("")]
        return [(uid(f"{self.name} created"), [created]), *taken, (uid(f"{self.name} end"), end)]


class Thrown(Duel, frozen=True, kw_only=True):
    """A match in which these facts came before the end, by one command."""

    between: tuple[Fact, ...] = ()

    def facts(self) -> list[tuple[UUID, list[Fact]]]:
        """Its commands."""
        *before, end = super().facts()
        return [*before, (uid(f"{self.name} between"), [*self.between]), end]


def dice(by: int, faces: Sequence[int], target: str = "4+ hits", sides: int = 6) -> Rolled:
    """A roll of a side."""
    return Rolled(0, "1", "fire", by, sides, tuple(faces), target)


def house(player: str) -> str:
    """The strength of a bot of the house, as players are named here; empty for others."""
    return player.removeprefix("house:") if player.startswith("house:") else ""


async def enter_person(owner: "Connection | PooledConnection", handle: str, of: str = "") -> UUID:
    """Make a person, or a bot `of` one; one who is there stays."""
    await owner.execute(
        "INSERT INTO people.person (id, handle, name, owner) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        uid(handle),
        handle,
        handle.capitalize(),
        uid(of) if of else None,
    )
    return uid(handle)


async def enter(owner: "Connection | PooledConnection", duel: Duel) -> None:
    """Put a match into the lobby, with who sits there: persons, `house:STRENGTH`, or "" for a guest."""
    await owner.execute(
        "INSERT INTO lobby.match (match_id, title, scenario, pace, private, clocked, rated, command,"
        " ended_at) VALUES ($1, $2, $3, '', $4, $5, $6, sha256($7), to_timestamp($8))",
        duel.match,
        duel.title,
        duel.scenario,
        duel.private,
        duel.clock is not None,
        duel.rated,
        duel.match.bytes,
        duel.at / 1e6,
    )
    for seat, player in enumerate(duel.players):
        person = await enter_person(owner, player) if player and not house(player) else None
        await owner.execute(
            "INSERT INTO lobby.seat (match_id, seat, name, kind, strength, person_id)"
            " VALUES ($1, $2, $3, 'person', $4, $5)",
            duel.match,
            seat,
            player,
            house(player),
            person,
        )
        if not house(player):
            await owner.execute(
                "INSERT INTO lobby.joining (hash, match_id, command_id, seat, name, kind, person_id)"
                " VALUES (sha256($1), $2, $3, $4, $5, 'person', $6)",
                duel.command(seat).bytes,
                duel.match,
                duel.command(seat),
                seat,
                player,
                person,
            )


async def store(log: Log, duel: Duel) -> None:
    """Append a match to the log."""
    entries: list[Entry] = []
    for command, facts in duel.facts():
        prev = entries[-1].hash if entries else ZERO
        sealed = seal(duel.match, command, duel.at, len(entries), prev, map(draft, facts), bytes(16))
        assert await log.append(sealed, prev) == Stored()
        entries += sealed


def season(seed: int, matches: int, players: int = 6) -> list[Duel]:
    """Matches between some persons over half a year, in the order of their ends; some end at one moment."""
    chance = random.Random(seed)
    names = [f"player_{number}" for number in range(players)]
    days = sorted(chance.choice([chance.uniform(0, 180), chance.randrange(180)]) for _ in range(matches))
    return [
        Duel(
            name=f"{seed} {number}",
            players=tuple(chance.sample(names, 2)),
            winner=chance.choice([0, 0, 1, None]),
            day=day,
            scenario=chance.choice(["duel", "campaign"]),
        )
        for number, day in enumerate(days)
    ]
