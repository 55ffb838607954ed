"""Reports: how a match ended, in sentences and figures, for the page about its end and for the terminal.

The measure of a moment: every scene, a strike or a battle, is weighed by what was lost in it and by what came
into other hands, both as the title's account counts them (`domain.match.account`). The five that weigh most
decided the match, and each is told by what happened. Facts that were taken back count for nothing, but for
dice: whoever could have them corrected away would look lucky.

Deliberately absent: reports of matches that have not ended, which would tell what is hidden.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.facts import OWN_CHOICE, Decided, Fact, Notice, Roll, State, UmpireFact
from domain.kernel.seats import the
from domain.match.account import ENDS, Held, Row
from domain.match.chain import Entry
from domain.match.game import Game
from domain.match.notices import CALLED_OFF, Created, GameEnded, Started
from domain.match.undo import TakenBack, Undos
from projections.history import named, undone
from projections.luck import Luck, Tally
from server.protocol.names import called

MOST: Final = 5
"""How many moments are told."""

SENTENCES: Final = 4
"""How many sentences a moment has: those that weigh most."""

NAMED: Final = 6
"""How many a sentence names."""

SLIGHT: Final = 0.1
"""What weighs less than this share of the weightiest deed is no moment by itself, nor a sentence of one."""


DAYS_FROM: Final = 48
"""From so many hours on a span is told in days."""


class NotEnded(Exception):
    """A match has not ended, so that there is no report of it yet."""


class Moment(Struct, frozen=True):
    """A scene that decided much: the fact that weighs most, where in the match it was, and what was done."""

    seq: int
    when: str
    words: list[str]
    """Sentences, the weightiest first."""
    weight: float


class LossGroup(Struct, frozen=True):
    """What a side lost of one kind: its ids, in the order in which they were lost."""

    kind: str
    ids: list[str]


class Report(Struct, frozen=True):
    """How a match ended. Sentences have ids in square brackets; times are in microseconds since the epoch."""

    title: str
    scenario: str
    winner: int | None
    """The side; None where nobody has won."""
    reason: str
    rule: str
    """The rule of the title that ended it; `match` where none of them did: a resignation, a claim."""
    rows: list[Row]
    """The victory points; none if the title has no points."""
    losses: tuple[list[LossGroup], list[LossGroup]]
    moments: list[Moment]
    luck: list[Luck]
    when: str
    """How far it went: `Turn 6`."""
    began: int
    ended: int
    decisions: int
    """How often somebody decided, counted by commands."""
    rolls: int


class _Deed(Struct, frozen=True):
    """What a fact did to the result: `says` with `{}` for `name`, or nothing if it only weighs."""

    seq: int
    side: int
    says: str
    name: str
    weight: float
    place: bool = False
    """Whether it is something held, and no loss."""


class _Scene(Struct):
    """What was under way, who held what when it began, and what was done in it."""

    when: str
    held: dict[str, Held]
    deeds: list[_Deed] = []
    changed: dict[str, int] = {}
    """The last fact by which something came into other hands."""

    @property
    def weight(self) -> float:
        return _weight(self.deeds)

    @property
    def told(self) -> list[_Deed]:
        return [deed for deed in self.deeds if deed.says]


class _Account(Struct):
    """The match, folded while it is weighed."""

    game: Game
    state: State[Any, Any]
    lost: dict[tuple[int, str], list[str]] = {}
    """Side and kind to the ids lost."""
    scenes: list[_Scene] = []
    held: dict[str, Held] = {}
    """Who holds what counts; while it is fought for, who held it before."""

    def fold(self, seq: int, fact: Fact) -> None:
        """Fold a fact and weigh it."""
        if isinstance(fact, Notice | UmpireFact | Roll):
            fact.fold(self.state)
            return
        account, board = self.game.account, self.state.open
        scene, losses = self._scene(account.scene(board)), account.losses(board, fact)
        fact.fold(self.state)
        held = account.held(board)
        if isinstance(fact, account.set_up):
            self.held = scene.held = held
            return
        scene.deeds += [_Deed(seq, loss.side, loss.says, f"[{loss.id}]", loss.worth) for loss in losses]
        for loss in losses:
            ids = self.lost.setdefault((loss.side, loss.kind), [])
            if loss.gone and loss.id not in ids:
                ids.append(loss.id)
        if held != self.held:
            self._hold(scene, seq, held)

    def _scene(self, when: str) -> _Scene:
        if not self.scenes or self.scenes[-1].when != when:
            self.close()
            self.scenes.append(_Scene(when, self.held))
        return self.scenes[-1]

    def _hold(self, scene: _Scene, seq: int, held: dict[str, Held]) -> None:
        """Note what came into other hands; what is fought for stays whose it was."""
        disputed = {name for name, one in held.items() if one.side is None}
        now = {name: one for name, one in held.items() if name not in disputed}
        now |= {name: self.held[name] for name in disputed if name in self.held}
        for name in (*self.held, *now):
            if self.held.get(name) != now.get(name):
                scene.changed[name] = seq
        self.held = now

    def close(self) -> None:
        """Tell what a scene brought into other hands, without what was taken and given back in it."""
        if not self.scenes:
            return
        scene = self.scenes[-1]
        for name, seq in scene.changed.items():
            before, after = scene.held.get(name), self.held.get(name)
            weight = sum(one.worth for one in (before, after) if one)
            now = after or before
            if before == after or not now or not weight:
                continue
            verb, part = ("took", "the last of") if after else ("lost", "part of")
            called = the(self.game.names.get(name, ""), f"[{name}]")
            if now.whole:
                called = f"{part} {now.whole} ([{name}])"
            scene.deeds.append(
                _Deed(seq, now.side or 0, f"[side:{now.side}] {verb} {{}}", called, weight, place=True)
            )


class _Counted(Struct):
    """What of a match is counted and noted beside its account."""

    decisions: int = 0
    began: int | None = None
    scenario: str = ""
    end: GameEnded | None = None
    command: UUID | None = None
    """The last command in which somebody decided."""

    def note(self, entry: Entry, fact: Fact) -> None:
        """Note the next fact in force."""
        if isinstance(fact, Decided) and fact.how in OWN_CHOICE and entry.command != self.command:
            self.command = entry.command
            self.decisions += 1
        elif isinstance(fact, Started):
            self.began = entry.at if self.began is None else self.began
        elif isinstance(fact, Created):
            self.scenario = self.scenario or fact.scenario
        elif isinstance(fact, GameEnded):
            self.end = fact


def report(game: Game, entries: Iterable[Entry], undos: Undos | None = None) -> Report:
    """Return the report of a whole match. Raises NotEnded; ValueError for facts that the title lacks.

    Where its `undos` are known beforehand, the match is gone through once and not held.
    """
    if undos is None:
        entries = list(entries)
        undos = undone(game, entries)
    gone, account, counted, tally = TakenBack(undos), _Account(game, game.state()), _Counted(), Tally()
    first = last = None
    for last in entries:
        first = first or last
        fact = game.fact(last.body)
        if isinstance(fact, Roll):
            tally.add(fact)
        if gone.covers(last.seq, fact):
            continue
        account.fold(last.seq, fact)
        counted.note(last, fact)
    account.close()
    match, board = account.state.match, account.state.open
    if first is None or last is None or not last.final:
        raise NotEnded("the match has not ended")
    if counted.end is None:
        raise NotEnded("the match was never decided")
    return Report(
        title=game.name,
        scenario=counted.scenario,
        winner=match.winner,
        reason=game.sentence(game.account.reason(board, counted.end)),
        rule=counted.end.rule,
        rows=game.account.rows(board),
        losses=(_lost(account, 0), _lost(account, 1)),
        moments=_moments(game, account.scenes),
        luck=[replace(one, words=game.sentence(one.words)) for one in tally.luck()],
        when=game.account.when(board),
        began=first.at if counted.began is None else counted.began,
        ended=last.at,
        decisions=counted.decisions,
        rolls=account.state.rolls,
    )


def _moments(game: Game, scenes: Sequence[_Scene]) -> list[Moment]:
    """Return the scenes that weigh most, in their order.

    Of a match with fewer of them than are told, one is told in two: its weightiest deed, and the others.
    """
    heaviest = max((deed.weight for scene in scenes for deed in scene.told), default=0.0)
    scenes = [scene for scene in scenes if _weighty(scene, heaviest)]
    while len(scenes) < MOST and (parted := _parted(scenes, heaviest)):
        scenes = parted
    chosen = sorted(scenes, key=lambda scene: -scene.weight)[:MOST]
    return sorted((_moment(game, scene) for scene in chosen), key=lambda moment: moment.seq)


def _weighty(scene: _Scene, heaviest: float) -> bool:
    return any(deed.weight >= SLIGHT * heaviest for deed in scene.told)


def _parted(scenes: Sequence[_Scene], heaviest: float) -> list[_Scene]:
    """Return the scenes with the heaviest of those parted that can be; nothing if none can."""
    for scene in sorted(scenes, key=lambda scene: -scene.weight):
        first = max(scene.told, key=lambda deed: deed.weight)
        rest = _Scene(scene.when, {}, [deed for deed in scene.deeds if deed is not first])
        if _weighty(rest, heaviest):
            alone = _Scene(scene.when, {}, [first])
            return [*(other for other in scenes if other is not scene), alone, rest]
    return []


def _moment(game: Game, scene: _Scene) -> Moment:
    """Tell what was done in a scene: the same that befell several in one sentence."""
    sentences: dict[tuple[int, str, bool], list[_Deed]] = {}
    for deed in scene.told:
        sentences.setdefault((deed.side, deed.says, deed.place), []).append(deed)
    heaviest = sorted(sentences.values(), key=lambda deeds: max(deed.weight for deed in deeds), reverse=True)
    told = [deeds for deeds in heaviest[:SENTENCES] if _weight(deeds) >= SLIGHT * scene.weight]
    words = [game.sentence(_sentence(deeds)) for deeds in told]
    return Moment(max(scene.told, key=lambda deed: deed.weight).seq, scene.when, words, scene.weight)


def _weight(deeds: Iterable[_Deed]) -> float:
    return sum(deed.weight for deed in deeds)


def _sentence(deeds: Sequence[_Deed]) -> str:
    """Say what befell several, the weightiest first."""
    names = [*dict.fromkeys(deed.name for deed in sorted(deeds, key=lambda deed: -deed.weight))]
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return deeds[0].says.format(listed, was="were" if len(names) > 1 else "was")


def _lost(account: _Account, side: int) -> list[LossGroup]:
    """Return what a side lost, by kind in the title's order."""
    kinds = account.game.account.kinds
    return [LossGroup(kind, ids) for kind in kinds if (ids := account.lost.get((side, kind)))]


def lines(game: Game, one: Report, names: dict[str, str]) -> list[str]:
    """Return a report as lines of text, with the names of ids."""
    kinds = " or ".join(", ".join(game.account.kinds).lower().rsplit(", ", 1))
    nothing = f"  No {kinds}" if kinds else "  None"
    sides = [names.get(f"side:{side}", f"side {side}") for side in (0, 1)]
    drawn = "The match is called off." if one.reason == ENDS[CALLED_OFF] else "The match is drawn."
    result = drawn if one.winner is None else named(f"{the(sides[one.winner])} won.", names)
    text = [result, named(one.reason, names), _length(one), *_table(one.rows, sides, names)]
    for name, lost in zip(sides, one.losses, strict=True):
        told = [f"  {group.kind}: {', '.join(called(names, i) or i for i in group.ids)}" for group in lost]
        text += ["", f"Losses of {the(name)}", *(told or [nothing])]
    if one.moments:
        text += ["", "What decided it"]
    for moment in one.moments:
        text.append(f"  {moment.when or f'Fact {moment.seq}'}")
        text += [f"    {named(words, names)}" for words in moment.words]
    if one.luck:
        text += ["", "Luck", *(f"  {named(each.words, names)}" for each in one.luck)]
    return text


def _table(rows: Sequence[Row], sides: Sequence[str], names: dict[str, str]) -> list[str]:
    """Return the victory points as a table; a side without any has no column."""
    if not rows:
        return []
    told = [(named(row.words, names), row.points) for row in rows]
    columns = [side for side in (0, 1) if any(points[side] for _, points in told)]
    width = max(len(words) for words, _ in told)
    head = " " * width + "".join(f"  {sides[side]:>14}" for side in columns)
    return [
        "",
        head,
        *(f"{words:{width}}" + "".join(f"  {points[side]:14}" for side in columns) for words, points in told),
    ]


def _length(one: Report) -> str:
    """Say how far the match went and how long it took."""
    minutes = (one.ended - one.began) // 60_000_000
    hours = minutes // 60
    span = (
        f"{hours // 24} days"
        if hours >= DAYS_FROM
        else f"{hours} h {minutes % 60} min"
        if hours
        else f"{minutes} min"
        if minutes
        else "less than a minute"
    )
    counts = f"{one.decisions} decisions, {one.rolls} rolls and draws, {span}."
    return f"{one.when}, {counts}" if one.when else counts
