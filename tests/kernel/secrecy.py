"""The secrecy harness: does anything that an audience is sent depend on what it may not know?

It plays a match of any title by chance, without a server, and looks at every byte meant for each audience:
facts, the places of those it may not see, patches, the words of the log, its seats' prompts, error texts.

1. Canaries: the ids on one side's screen are searched for in all that the others are sent.
2. Sealed choices: at a prompt whose answer must stay hidden, each answer sends the others the same bytes;
   in a sealed step a dozen whole commands do.
3. Exchange: a card a side holds to the end and one that nobody drew change places; the others' bytes stay.
4. Fold: what an audience was sent folds to its view, and so do the patches.

Deliberately absent: any knowledge of a title. What must be known of its secrets is in `Hiding`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from msgspec import Raw, Struct, json

from domain.kernel.audience import Audience
from domain.kernel.dice import Dice, seeded
from domain.kernel.facts import Drew, Fact, State, evolve
from domain.kernel.procedures import Decision, Procedure
from domain.kernel.table import Illegal, NotOneCommand, NotQuiet, Table
from domain.match import draws, undoing
from domain.match.game import Game
from domain.match.parts import Part
from domain.match.refusals import RequestError
from domain.match.undo import Undone, standing
from domain.match.views import Views, patch, patched
from tests.kernel.playing import Log, Playing, any_command, copy_of, finished
from tests.seen import plain

SIDES = (0, 1, None)
"""The audiences; None for the onlookers."""

COMMANDS = 12
"""How many commands are compared at each prompt of a sealed step."""

SLIPS = 0.08
"""How often a seat that may takes its decision back."""


class Leak(AssertionError):
    """An audience was sent something that depends on what it may not know."""


class Hiding(Struct, frozen=True):
    """What the harness must be told of a title's secrets.

    `canaries` gives the ids behind a side's screen that nobody else may know at this moment; they must be
    unmistakable as text. `pile` gives the ids a draw for a purpose is made from, in the order of places.
    `sealed` says whether what a seat decides now must stay hidden for the time being.
    """

    canaries: Callable[[State[Any, Any], int], Iterable[str]]
    pile: Callable[[State[Any, Any], str], Sequence[str]]
    sealed: Callable[[Table, int], bool] = lambda table, seat: False  # noqa: ARG005


class Dealing(Table):
    """A table that notes purpose and id of each draw, by index, or deals the ids of `script` instead."""

    def __init__(
        self,
        game: Game,
        state: State[Any, Any],
        dice: Dice,
        *first: Procedure,
        hiding: Hiding,
        dealt: dict[int, tuple[str, str]],
        script: Mapping[int, str] | None = None,
    ) -> None:
        self.hiding, self.dealt, self.script = hiding, dealt, script
        super().__init__(game, state, dice, *first)

    def draw(self, purpose: str, left: int, count: int = 1, *, by: int = -1) -> tuple[int, ...]:
        if not count:
            return ()
        lying, index = list(self.hiding.pile(self.state, purpose)), self.state.rolls
        places = []
        for number in range(index, index + count):
            if self.script is None:
                place = self.dice.roll(number, 1, len(lying))[0] - 1
            elif self.script.get(number) in lying:
                place = lying.index(self.script[number])
            else:
                raise Leak(f"after an exchange there is another draw: {purpose} ({self.rule})")
            places.append(place)
            self.dealt[number] = (purpose, lying.pop(place))
        self.record(Drew(index, self.rule, purpose, by, left, tuple(places)))
        return tuple(places)


class Listener:
    """One audience: what it was sent, command by command, and what it makes of that.

    Views follow the change as on a server, with what is kept from one to the next.
    """

    def __init__(self, game: Game, side: int | None) -> None:
        self.game, self.side = game, side
        self.said: list[bytes] = []
        self.facts: Log = []
        self.state = game.state()
        self.audience = Audience.of(side)
        self.views, self.folding = Views(game), Views(game)
        self.now = self.seen(self.views, self.state)
        self.view = plain(self.now)

    def seen(self, views: Views, state: State[Any, Any]) -> Part:
        """What it sees of a state."""
        return views.of(state, (self.audience,))[self.audience]

    def send(self, playing: Playing, facts: Log) -> dict[str, Any]:
        """Keep the bytes of one command, and what is to be seen after it; return the patch to that."""
        before, self.now = self.now, self.seen(self.views, playing.state)
        change = patch(before, self.now)
        self.said.append(message(playing.table, facts, change, self.side) + errors(playing, self.side))
        return change

    def hear(self, playing: Playing, facts: Log) -> None:
        """Take in one command: keep the bytes, fold its facts, apply its patch."""
        change = self.send(playing, facts)
        mine = [(seq, fact) for seq, fact in facts if self.audience.sees(fact.audience())]
        self.facts += mine
        if any(isinstance(fact, Undone) for _, fact in mine):
            self.state = evolve(self.game.state(), (fact for _, fact in standing(self.facts)))
        else:
            evolve(self.state, (fact for _, fact in mine))
        self.view = patched(self.view, json.decode(json.encode(change)))

    def check(self) -> None:
        """Compare what it made of it with its view of the table; raises Leak."""
        seen = plain(self.now)
        if seen != self.view:
            raise Leak(f"the patches to audience {self.side} do not make its view")
        folded = plain(self.seen(self.folding, self.state)) | {"asked": seen["asked"]}
        if seen != folded:
            raise Leak(f"the facts sent to audience {self.side} do not fold to its view")
        for side in (0, 1):
            if side != self.side and self.state.own[side] != self.game.own():
                raise Leak(f"audience {self.side} was sent facts about the screen of side {side}")


class Heard(Struct):
    """A match that was listened to: what was done, what was drawn, what each audience was sent."""

    course: list[tuple[int, bytes]]
    """Seat and decisions of each command in order, as a JSON list; empty bytes are a slip taken back."""
    dealt: dict[int, tuple[str, str]]
    audiences: list[Listener]
    state: State[Any, Any]


def message(table: Table, facts: Log, change: dict[str, Any], side: int | None) -> bytes:
    """Return all that an audience is sent for one command, as bytes.

    A fact it may not see leaves its place (and, on the wire, a salted commitment that says nothing).
    """
    shown: list[Any] = []
    for seq, fact in facts:
        if Audience.of(side).sees(fact.audience()):
            shown += [seq, fact, fact.words()]
        else:
            shown += [seq, "sealed"]
    prompts = {seat: prompt for seat, prompt in table.prompts.items() if table.state.match.side(seat) == side}
    return json.encode([shown, change, prompts])


def errors(playing: Playing, side: int | None) -> bytes:
    """Return the texts an audience's seats get for what they may not do now."""
    texts: list[str] = []
    match, table, facts = playing.state.match, playing.table, playing.standing()
    for seat in () if side is None else match.seats_of(side):
        mine = table.prompts[seat].options if seat in table.prompts else ()
        for other, prompt in sorted(table.prompts.items()):
            if other != seat and prompt.options[0] not in mine:
                texts.append(_refusal(lambda s=seat, p=prompt: table.decide(s, p.options[0])))  # type: ignore[misc]
        texts += [
            _refusal(lambda s=seat: undoing.undo_slip(match, s, facts)),  # type: ignore[misc]
            _refusal(lambda s=seat: undoing.offer_undo(match, s, facts)),  # type: ignore[misc]
            _refusal(lambda s=seat: undoing.answer_undo(match, s, facts, agreed=True)),  # type: ignore[misc]
            _refusal(lambda s=seat: draws.answer_draw(match, s, agreed=True)),  # type: ignore[misc]
        ]
    return json.encode(texts)


def listen(game: Game, scenario: str, options: Mapping[str, Any] | None, seed: int, hiding: Hiding) -> Heard:
    """Play a match by chance and check canaries, sealed choices and folds at every command; raises Leak."""
    chance, dealt = Random(seed), dict[int, tuple[str, str]]()
    make = partial(Dealing, hiding=hiding, dealt=dealt)
    playing = Playing(game, scenario, options, seeded(seed), make)
    heard = Heard([], dealt, [Listener(game, side) for side in SIDES], playing.state)
    _hear(heard, playing, 0, hiding)
    while not playing.state.match.over:
        _sealed(playing, heard, hiding)
        before, seat = len(playing.log), heard.course[-1][0] if heard.course else 0
        slip = _slip(playing, seat) if chance.random() < SLIPS else []
        if slip:
            playing.notice(slip)
            heard.course.append((seat, b""))
        else:
            seat, decisions = any_command(playing.table, chance)
            playing.decide_all(seat, decisions)
            heard.course.append((seat, game.encode(decisions)))
        _hear(heard, playing, before, hiding)
    heard.state = playing.state
    return heard


def exchange(
    game: Game,
    scenario: str,
    options: Mapping[str, Any] | None,
    seed: int,
    hiding: Hiding,
    heard: Heard,
    side: int,
) -> bool:
    """Play a match again with a secret of `side` exchanged; the others must be sent the same; raises Leak.

    Returns whether there was anything to exchange. The course ends early where the side itself, with the
    other card in its hand, may no longer decide as it did: until there nobody else can tell.
    """
    kept = set(hiding.canaries(heard.state, side))
    drawn = {card for _, card in heard.dealt.values()}
    pairs = [
        (card, other)
        for purpose, card in heard.dealt.values()
        for other in hiding.pile(heard.state, purpose)
        if card in kept and other not in drawn
    ]
    if not pairs:
        return False
    one, other = Random(seed).choice(pairs)
    script = {index: other if card == one else card for index, (_, card) in heard.dealt.items()}
    make = partial(Dealing, hiding=hiding, dealt={}, script=script)
    playing = Playing(game, scenario, options, seeded(seed), make)
    again = [Listener(game, audience) for audience in SIDES]
    _same(heard, playing, again, 0, side)
    for seat, sent in heard.course:
        before = len(playing.log)
        if sent:
            decided = json.decode(sent.replace(one.encode(), other.encode()), type=list[Raw])
            try:
                playing.decide_all(seat, [game.decision(decision) for decision in decided])
            except NotQuiet:
                raise
            except (Illegal, NotOneCommand):
                return True
        else:
            playing.notice(_slip(playing, seat))
        _same(heard, playing, again, before, side)
    return True


def check(game: Game, scenario: str, options: Mapping[str, Any] | None, seed: int, hiding: Hiding) -> int:
    """Listen to one match and exchange each side's secrets; return how many exchanges were made."""
    heard = listen(game, scenario, options, seed, hiding)
    return sum(exchange(game, scenario, options, seed, hiding, heard, side) for side in (0, 1))


def parting(was: bytes, now: bytes) -> str:
    """Show where two messages part."""
    pairs = enumerate(zip(was, now, strict=False))
    same = next((n for n, (a, b) in pairs if a != b), min(len(was), len(now)))
    return f"{was[max(0, same - 60) : same + 60]!r} against {now[max(0, same - 60) : same + 60]!r}"


def _hear(heard: Heard, playing: Playing, before: int, hiding: Hiding) -> None:
    facts = playing.log[before:]
    for audience in heard.audiences:
        audience.hear(playing, facts)
        for side in (0, 1):
            if side != audience.side:
                _search(audience, hiding.canaries(playing.state, side), side)
        audience.check()


def _search(audience: Listener, canaries: Iterable[str], side: int) -> None:
    for canary in canaries:
        if canary.encode() in audience.said[-1]:
            where = audience.said[-1].index(canary.encode())
            around = audience.said[-1][max(0, where - 100) : where + 100]
            raise Leak(f"audience {audience.side} was sent {canary} of side {side}: {around!r}")


def _sealed(playing: Playing, heard: Heard, hiding: Hiding) -> None:
    """Let a seat answer a sealed prompt in every way, each on a copy; the others must not see which.

    In a sealed step it answers with the shortest command and some by chance.
    """
    game, table = playing.game, playing.table
    for seat, prompt in table.prompts.items():
        if not hiding.sealed(table, seat):
            continue
        sent: dict[int | None, bytes] = {}
        for decisions in _answers(table, seat, Random(len(playing.log))):
            fork = Table(game, copy_of(game, playing.state), playing.dice)
            facts = list(enumerate(fork.decide_all(seat, decisions), len(playing.log) + 1))
            for audience in heard.audiences:
                if audience.side != playing.state.match.side(seat):
                    change = patch(audience.now, audience.seen(audience.views.copy(), fork.state))
                    said = message(fork, facts, change, audience.side)
                    if sent.setdefault(audience.side, said) != said:
                        raise Leak(
                            f"audience {audience.side} can tell what seat {seat} chose ({prompt.rule})"
                        )


def _answers(table: Table, seat: int, chance: Random) -> Iterator[list[Decision]]:
    """Yield the commands to compare at a prompt."""
    options, quiet = table.prompts[seat].options, table.quiet(seat) if table.sealed(seat) else ()
    if not quiet:
        yield from ([option] for option in options)
        return
    yield from ([option] for option in [one for one in options if one not in quiet][:1])
    for _ in range(COMMANDS):
        yield finished(table, seat, chance.choice(options), chance.choice)


def _same(heard: Heard, playing: Playing, again: list[Listener], before: int, side: int) -> None:
    for audience, first in zip(again, heard.audiences, strict=True):
        if audience.side == side:
            continue
        audience.send(playing, playing.log[before:])
        was, now = first.said[len(audience.said) - 1], audience.said[-1]
        if was != now:
            raise Leak(f"audience {audience.side} can tell what side {side} holds: {parting(was, now)}")


def _slip(playing: Playing, seat: int) -> list[Fact]:
    try:
        return [*undoing.undo_slip(playing.state.match, seat, playing.standing())]
    except RequestError:
        return []


def _refusal(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except (Illegal, RequestError) as why:
        return f"{type(why).__name__} {getattr(why, 'code', '')} {why}"
    return ""
