"""Whole matches for tests: played at random, with real nonces, fair dice, undos, and the chain of a real log.

Everything is a function of the seed, the times too, so that two plays with the same seed are the same bytes.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid5

from msgspec import Struct, json
from msgspec.structs import replace

from domain.kernel.dice import UNSEEN, Fair
from domain.kernel.facts import Drew, Fact, Roll, RolledUnseen, State, evolve
from domain.kernel.seats import Clock, Hours
from domain.kernel.table import Table
from domain.match import corrections, notices, pauses, undoing
from domain.match.chain import ZERO, Draft, Entry, committed, link, seal
from domain.match.fold import Fold
from domain.match.game import Game
from domain.match.notices import Created, Ended, NonceShown
from domain.match.refusals import RequestError
from server.log.store import Log, Stored
from server.proof.keys import dice_commitment, dice_key, salt_key
from tests.kernel.playing import finished

START = 1_750_000_000_000_000
"""When matches begin: June 2025, in microseconds since the epoch."""

SECOND = 1_000_000

CORRECTIONS = 8
"""How many are proposed in a match at most: if it went back again and again it would not come to its end."""


class Played(Struct, frozen=True):
    """A match and its key."""

    game: Game
    match: UUID
    key: bytes
    entries: list[Entry]

    @property
    def k_salt(self) -> bytes:
        """The key of its salts."""
        return salt_key(self.key)

    @property
    def facts(self) -> list[tuple[int, Fact]]:
        """Its facts with their seqs."""
        return [(entry.seq, self.game.fact(entry.body)) for entry in self.entries]

    @property
    def commands(self) -> list[list[Entry]]:
        """Its commands, in order."""
        found: list[list[Entry]] = []
        for entry in self.entries:
            if entry.index == 0:
                found.append([])
            found[-1].append(entry)
        return found

    def cut(self, commands: int) -> "Played":
        """The match as it stood after so many commands."""
        facts = [entry for command in self.commands[:commands] for entry in command]
        return Played(self.game, self.match, self.key, facts)

    def changed(self, seq: int, fact: Fact) -> "Played":
        """The match with another fact in the place of one, linked anew: what a forger would write."""
        name, ver, audience, final, body = draft(fact)
        entries = list(self.entries)
        entries[seq - 1] = replace(
            entries[seq - 1], type=name, ver=ver, audience=audience, final=final, body=body
        )
        return relinked(self, entries)


Tale = list[tuple[int, list[Fact]]]
"""A match as its commands: when each was stored, in microseconds since the epoch, and what it came to."""


def tale(played: Played) -> Tale:
    """A match as its commands."""
    return [(command[0].at, [played.game.fact(e.body) for e in command]) for command in played.commands]


def retold(played: Played, told: Tale) -> Played:
    """The match with these commands, with ids, hashes and salts made anew: as a forger with its key does."""
    entries: list[Entry] = []
    for number, (at, facts) in enumerate(told):
        prev = entries[-1].hash if entries else ZERO
        command = uuid5(played.match, f"retold {number}")
        entries += seal(played.match, command, at, len(entries), prev, map(draft, facts), played.k_salt)
    return Played(played.game, played.match, played.key, entries)


def without(played: Played, gone: Callable[[Fact], bool]) -> Played:
    """The match without these facts, with dice from the key and the nonces that are left, linked anew."""
    kept = [(at, [fact for fact in facts if not gone(fact)]) for at, facts in tale(played)]
    shown = {fact.seat: fact.nonce for _, facts in kept for fact in facts if isinstance(fact, NonceShown)}
    fair = Fair(dice_key(played.key), [bytes.fromhex(shown[seat]) for seat in sorted(shown)])
    return retold(played, [(at, [cast_by(fair, fact) for fact in facts]) for at, facts in kept if facts])


def cast_by(fair: Fair, fact: Fact) -> Fact:
    """A roll or a draw with what these dice give; any other fact as it is."""
    if isinstance(fact, Roll):
        first = UNSEEN if isinstance(fact, RolledUnseen) else 0
        return replace(fact, dice=fair.roll(first + fact.index, len(fact.dice), fact.sides))
    if isinstance(fact, Drew):
        places = (fair.roll(fact.index + n, 1, fact.left - n)[0] - 1 for n in range(len(fact.places)))
        return replace(fact, places=tuple(places))
    return fact


def relinked(played: Played, entries: Sequence[Entry]) -> Played:
    """The same match with these facts, linked anew."""
    prev, out = ZERO, []
    for entry in entries:
        prev = link(entry.match, entry.seq, prev, committed(entry, played.k_salt))
        out.append(replace(entry, hash=prev))
    return Played(played.game, played.match, played.key, out)


def draft(fact: Fact) -> Draft:
    """A fact as it goes into the log."""
    return type(fact).__name__, fact.ver, fact.audience(), fact.final, json.encode(fact)


def play(
    game: Game,
    scenario: str,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 1,
    undos: float = 0.1,
    lapses: float = 0.0,
    paused: float = 0.0,
    corrected: float = 0.0,
    most: int = 100_000,
    clock: Clock | None = None,
    resign_after: int | None = None,
    hours: Mapping[int, Hours] = {},
) -> Played:
    """Play a match to its end, or to `most` commands; `undos` is the share of slips taken back,
    `lapses` that of decisions taken by the clock, `paused` that of decisions followed by a pause, `corrected`
    that of decisions after which somebody proposes to go back to before any decision that stands.

    After `resign_after` decisions seat 0 resigns, and all seats of its side. Where the clock decides, or
    there are pauses, there is one, of an hour each unless said. `hours` are those that seats keep.
    """
    clock = clock or (Clock(3600) if lapses or paused else None)
    host = _Host(game, seed)
    host.begin(scenario, game.set_up(scenario, options or {}), clock, hours)
    decided = 0
    while not host.state.match.over and len(host.commands) < most:
        if decided == resign_after:
            side = host.state.match.seats_of(host.state.match.side(0))
            for seat in side:
                host.tell(notices.resign(host.state.match, seat))
            break
        host.decide(lapses)
        decided += 1
        if host.random.random() < undos:
            host.undo()
        if paused and not host.state.match.over and host.random.random() < paused:
            host.pause()
        if corrected and not host.state.match.over and host.random.random() < corrected:
            host.correct()
    return Played(game, host.match, host.key, [entry for command in host.commands for entry in command])


class _Host:
    """One match being played: what a server does, without a server."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.random = random.Random(f"{game.name} {seed}")
        self.match = UUID(int=(seed << 80) | (7 << 76) | (2 << 62) | self.random.getrandbits(60))
        self.key = self.random.randbytes(32)
        self.fold = Fold(game)
        self.commands: list[list[Entry]] = []
        self.at = START
        self.table: Table | None = None
        self.corrections = 0

    @property
    def state(self) -> State[Any, Any]:
        return self.fold.state

    def begin(
        self, scenario: str, options: dict[str, Any], clock: Clock | None, hours: Mapping[int, Hours]
    ) -> None:
        game, chairs = self.game, self.game.seats(scenario, options)
        self.tell(
            [Created(game.name, scenario, options, game.revision, dice_commitment(self.key), chairs, clock)]
        )
        nonces = [self.random.randbytes(notices.NONCE_BYTES) for _ in chairs]
        for seat, nonce in enumerate(nonces):
            kind = self.random.choice(("person", "bot"))
            promise = sha256(nonce).hexdigest()
            self.tell(notices.take_seat(self.state.match, seat, kind, promise, hours.get(seat)))
        for seat in self.random.sample(range(len(nonces)), len(nonces)):
            shown: list[Fact] = [*notices.show_nonce(self.state.match, seat, nonces[seat].hex())]
            evolve(self.state, shown)
            if self.state.match.started:
                self.table = Table(game, self.state, self.dice(), game.first(scenario, options))
                shown += self.table.facts
            self.store(shown)

    def dice(self) -> Fair:
        shown = self.state.match.nonces
        return Fair(dice_key(self.key), [bytes.fromhex(shown[seat]) for seat in sorted(shown)])

    def decide(self, lapses: float) -> None:
        assert self.table is not None
        seat = self.random.choice(sorted(self.table.prompts))
        if lapses and self.random.random() < lapses:
            assert self.fold.clocks is not None
            self.at = max(self.at, self.fold.clocks.deadline(seat) or 0)
            choice = self.game.default(self.state, seat, self.table.prompts[seat])
            claimed = notices.claim_time(self.state.match, self.fold.clocks, seat, None, self.at)
            evolve(self.state, claimed)
            self.store([*claimed, *self.table.decide(seat, choice, "default")])
            return
        option = self.random.choice(self.table.prompts[seat].options)
        self.store(self.table.decide_all(seat, finished(self.table, seat, option, self.random.choice)))

    def undo(self) -> None:
        """Take the last decision back, if some seat may."""
        for seat in range(len(self.state.match.seats)):
            try:
                taken_back = undoing.undo_slip(self.state.match, seat, self.fold.facts)
            except RequestError:
                continue
            self.store([*taken_back])
            self.table = Table(self.game, self.state, self.dice())
            return

    def correct(self) -> None:
        """Propose a correction, as a seat or as the director, and let all agree, or now and then not."""
        seats = list(range(len(self.state.match.seats)))
        stand = [seq for seq, fact in self.fold.facts if corrections.seat_of(fact) is not None]
        if not stand or self.corrections == CORRECTIONS:
            return
        self.corrections += 1
        by, seq = self.random.choice([*seats, None]), self.random.choice(stand)
        behind = self.fold.decided_at
        self.tell(corrections.offer(self.state.match, by, seq - 1, lambda back_to: behind(back_to + 1)))
        for seat in self.random.sample(seats, len(seats)):
            if seat != by and self.state.match.correction:
                agreed = self.random.random() < 0.9
                self.tell(corrections.answer(self.state, seat, agreed=agreed))
        self.table = Table(self.game, self.state, self.dice())

    def pause(self) -> None:
        """Offer a pause, let all agree to it, and go on after some time."""
        match = self.state.match
        seats = self.random.sample(range(len(match.seats)), len(match.seats))
        self.tell(pauses.offer(match, seats[0]))
        for seat in seats[1:]:
            self.tell(pauses.answer(match, seat, agreed=True))
        self.tell(pauses.resume(match, seats[-1], self.state.asked))

    def tell(self, facts: Iterable[Fact]) -> None:
        """Fold and store notices."""
        self.store(self.game.noted(self.state, [*facts]))

    def store(self, facts: Sequence[Fact]) -> None:
        """Put folded facts into the log; the end brings the key."""
        if self.state.match.over:
            facts = [*facts, Ended(self.key.hex())]
            evolve(self.state, facts[-1:])
        after = self.commands[-1][-1].seq if self.commands else 0
        prev = self.commands[-1][-1].hash if self.commands else ZERO
        self.at += self.random.randrange(1, 90 * SECOND)
        command = UUID(int=self.random.getrandbits(128), version=4)
        entries = seal(self.match, command, self.at, after, prev, map(draft, facts), salt_key(self.key))
        self.commands.append(entries)
        self.fold.note(entries, facts)


async def keep(log: Log, played: Played, after: int = 0) -> None:
    """Append a match to a log, command by command, from the command behind fact `after` on."""
    prev = played.entries[after - 1].hash if after else ZERO
    for command in played.commands:
        if command[0].seq > after:
            assert await log.append(command, prev) == Stored()
            prev = command[-1].hash
