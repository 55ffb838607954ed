"""Judges whether the notices of a recorded match were possible where they are.

Every command of a log begins with what was requested: a notice, a decision, or neither, where a newer
revision of the rules went on without one. Each notice is computed again by its function in
`domain.match.notices`, from the state before it and the request alone, and must equal the recorded one, with
the notices that follow from it. Of the rest of a command it is judged who decided, by choice or by default,
and where the match ends.

Deliberately absent: the consequences of a decision, and which decision is the default (`adjudicate`); hashes,
keys and dice; whether a request was really made by its seat, which no log shows.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from domain.kernel.facts import Decided, Fact, Notice, evolve
from domain.match import anew, claims, corrections, draws, holidays, notices, pauses, replacing, undoing
from domain.match.chain import Entry, Fault
from domain.match.fold import Fold
from domain.match.game import BadSetUp, Game
from domain.match.hours import HoursFixed
from domain.match.notices import Created, Ended, GameEnded, Started, TimeOutClaimed
from domain.match.refusals import RequestError
from domain.match.undo import Undone, Undos, undos_of


class Wrong(Exception):
    """A fact of a command is impossible at its place; `place` counts the facts of the command from 0."""

    def __init__(self, place: int, why: str) -> None:
        super().__init__(why)
        self.place, self.why = place, why


class Judge:
    """Judges a match from its first command on, and holds no more of it than an undo may go back to."""

    def __init__(self, game: Game, undos: Undos) -> None:
        """Take the title, and the undos of the whole match, since corrections go back far."""
        self._fold = Fold(game, forgets=True, undos=undos)
        self._decisions = corrections.Decisions()

    def take(self, command: Sequence[Entry], facts: Sequence[Fact]) -> Fault | None:
        """Judge the next whole command, with its facts; return the first that is impossible, or None.

        Behind a fault nothing can be judged. An undo is judged before it is folded, so that none goes back
        to what this has forgotten.
        """
        try:
            _judge(self._fold, command[0].at, facts, self._decisions.behind)
        except Wrong as wrong:
            return Fault(command[wrong.place].seq, wrong.why)
        try:
            evolve(self._fold.state, facts)
            self._fold.note(command, facts)
        except Exception as fault:  # altered facts may break any fold; that is a finding, not a bug
            return Fault(command[0].seq, f"and what came with it do not fit the match before: {fault!r}")
        for entry, fact in zip(command, facts, strict=True):
            self._decisions.add(entry.seq, fact)
        return None


def judge(game: Game, commands: Iterable[Sequence[Entry]]) -> Fault | None:
    """Return the first fact of a match that is impossible at its place, or None.

    `commands` are all facts of the match, or its beginning, in whole commands. The set-up of the match is
    checked by `set_up_fault`.
    """
    read = [(command, [game.fact(entry.body) for entry in command]) for command in commands]
    undos = undos_of((entry.seq, fact) for one in read for entry, fact in zip(*one, strict=True))
    judged = Judge(game, undos)
    faults = (judged.take(command, facts) for command, facts in read)
    return next((fault for fault in faults if fault is not None), None)


def was_asked_for(head: Fact) -> bool:
    """Return whether a seat requested a command that begins with this fact; else newer rules went on."""
    return isinstance(head, Notice) or (isinstance(head, Decided) and head.how != "forced")


def set_up_fault(game: Game, created: Fact) -> str:
    """Return how the first fact differs from the title's set-up, or an empty string.

    An option that the fact lacks has its default: titles gain options without a new revision.
    """
    if not isinstance(created, Created):
        return "the first fact does not say what is played"
    if created.title != game.name:
        return f"the title is {game.name}, not {created.title}"
    try:
        options = game.set_up(created.scenario, created.options)
        notices.fit_clock(created.clock)
    except (BadSetUp, RequestError) as why:
        return str(why)
    if created.seats != (seats := game.seats(created.scenario, options)):
        return f"the seats are {_names(seats)}, not {_names(created.seats)}"
    return ""


def _names(seats: Sequence[Any]) -> str:
    return ", ".join(f"{seat.name} of side {seat.side}" for seat in seats) or "none"


def _judge(fold: Fold, at: int, facts: Sequence[Fact], stood: corrections.Stood) -> None:
    """Raise Wrong for the first impossible fact of a command."""
    head = facts[0]
    if not fold.seq:
        _the_first(facts)
    elif isinstance(head, corrections.CorrectionOffered):
        _remade(fold, facts, lambda: corrections.offer(fold.state.match, head.by, head.back_to, stood))
    elif isinstance(head, Notice):
        _notices(fold, at, facts)
    elif not fold.state.match.started or fold.state.match.over:
        raise Wrong(0, f"is play, and {_why_not(fold)}")
    elif was_asked_for(head) and fold.state.match.paused:
        raise Wrong(0, "is a decision, and the match is paused")
    else:
        _play(fold, facts, 0)
        if not was_asked_for(head) and fold.state.match.revision == fold.game.revision:
            why = "begins a command that nobody asked for, under the rules that the match was begun with"
            raise Wrong(0, why)


def _the_first(facts: Sequence[Fact]) -> None:
    if not isinstance(facts[0], Created):
        raise Wrong(0, "does not say what is played, as the first must")
    if len(facts) > 1:
        raise Wrong(1, "cannot come with what is played: nobody has sat down")


def _why_not(fold: Fold) -> str:
    return "the match is over" if fold.state.match.over else "the match has not begun"


# notices


Remake = Callable[[Fold, int, Any, Sequence[Fact]], Sequence[Notice]]
"""Makes the notices of a request once more, from the state, the time, its first notice and what follows."""


def _sat(fold: Fold, _: int, taken: notices.SeatTaken, said: Sequence[Fact]) -> Sequence[Notice]:
    promise = next((fact.hash for fact in said[:1] if isinstance(fact, notices.NonceCommitted)), "")
    hours = next((fact.hours for fact in said[1:2] if isinstance(fact, HoursFixed)), None)
    return notices.take_seat(fold.state.match, taken.seat, taken.kind, promise, hours)


def _replaced(fold: Fold, _: int, taken: replacing.SeatReplaced, said: Sequence[Fact]) -> Sequence[Notice]:
    hours = next((fact.hours for fact in said[:1] if isinstance(fact, HoursFixed)), None)
    return replacing.take_over(fold.state.match, fold.clocks, taken.seat, taken.kind, hours)


def _within(fold: Fold, at: int, told: int) -> int:
    """Return a time that a fact tells if it lies between its command and the one before, else the nearest."""
    return min(max(told, fold.at), at)


def _called_off(fold: Fold, at: int, off: claims.CalledOff) -> Sequence[Notice]:
    if off.seat is None:
        return claims.call_off(fold.state.match, off.by, fold.decided)
    return claims.claim_off(fold.state.match, off.seat, off.by, at, fold.state.asked, fold.waited_since)


REMAKE: dict[type[Fact], Remake] = {
    notices.SeatTaken: _sat,
    anew.NonceCommittedAnew: lambda fold, _, f, __: anew.commit_anew(fold.state.match, f.seat, f.hash),
    notices.NonceShown: lambda fold, _, f, __: notices.show_nonce(fold.state.match, f.seat, f.nonce),
    notices.Resigned: lambda fold, _, f, __: notices.resign(fold.state.match, f.seat),
    draws.DrawOffered: lambda fold, _, f, __: draws.offer_draw(fold.state.match, f.seat),
    draws.DrawAnswered: lambda fold, _, f, __: draws.answer_draw(fold.state.match, f.seat, agreed=f.agreed),
    Undone: lambda fold, _, f, __: undoing.undo_slip(fold.state.match, f.seat, fold.facts),
    undoing.UndoOffered: lambda fold, _, f, __: undoing.offer_undo(fold.state.match, f.seat, fold.facts),
    undoing.UndoAnswered: lambda fold, _, f, __: undoing.answer_undo(
        fold.state.match, f.seat, fold.facts, agreed=f.agreed
    ),
    corrections.CorrectionAnswered: lambda fold, _, f, __: corrections.answer(
        fold.state, f.seat, agreed=f.agreed
    ),
    corrections.CorrectionWithdrawn: lambda fold, _, __, ___: corrections.withdraw(fold.state.match),
    pauses.PauseOffered: lambda fold, _, f, __: pauses.offer(fold.state.match, f.seat),
    pauses.PauseAnswered: lambda fold, _, f, __: pauses.answer(fold.state.match, f.seat, agreed=f.agreed),
    pauses.ClocksStarted: lambda fold, _, f, __: pauses.resume(fold.state.match, f.seat, fold.state.asked),
    TimeOutClaimed: lambda fold, at, f, __: notices.claim_time(
        fold.state.match, fold.clocks, f.seat, f.by, at, fold.state.asked
    ),
    claims.WinClaimed: lambda fold, at, f, __: claims.claim_win(
        fold.state.match, fold.clocks, f.seat, f.by, at, fold.state.asked, fold.waited_since
    ),
    holidays.HolidayBegan: lambda fold, at, f, __: holidays.begin(
        fold.state.match, f.seat, f.days, _within(fold, at, f.since)
    ),
    holidays.HolidayEnded: lambda fold, at, f, __: holidays.end(
        fold.state.match, f.seat, _within(fold, at, f.until)
    ),
    replacing.SeatOffered: lambda fold, at, f, __: replacing.offer_seat(
        fold.state.match, fold.clocks, f.seat, f.by, at, fold.state.asked
    ),
    replacing.SeatReplaced: _replaced,
    claims.CalledOff: lambda fold, at, f, __: _called_off(fold, at, f),
}
"""How each notice that a command may begin with is made again."""


def _notices(fold: Fold, at: int, facts: Sequence[Fact]) -> None:
    """Judge a command that begins with a notice."""
    head = facts[0]
    again = REMAKE.get(type(head))
    if again is None:
        why = "lays the match open once more" if isinstance(head, Created) else "follows from nothing"
        raise Wrong(0, why)
    _remade(fold, facts, lambda: again(fold, at, head, facts[1:]))


def _remade(fold: Fold, facts: Sequence[Fact], again: Callable[[], Sequence[Notice]]) -> None:
    """Judge a command that begins with a notice by what its function makes again."""
    try:
        made = _with_closing(fold, again())
    except RequestError as why:
        raise Wrong(0, f"could not be: {why.reason}") from None
    for place, fact in enumerate(made):
        if place == len(facts):
            raise Wrong(place - 1, f"is not followed by what comes of it: {_told(fact)}")
        if facts[place] != fact:
            raise Wrong(place, f"is not what it should be: {_told(fact)}")
    if isinstance(made[-1], Started | TimeOutClaimed):
        _play(fold, facts, len(made))
    else:
        _end(facts, len(made), any(isinstance(fact, GameEnded) for fact in made))


def _told(fact: Fact) -> str:
    """Say a fact to whoever checks a record: of an undo, too, how far it goes back."""
    return f"{fact.words()}, back to fact {fact.back_to}" if isinstance(fact, Undone) else fact.words()


def _with_closing(fold: Fold, made: Sequence[Fact]) -> Sequence[Fact]:
    """Return notices with the title's `closing` facts before a `GameEnded`; the fold does not change."""
    if not any(isinstance(notice, GameEnded) for notice in made):
        return made
    return fold.game.noted(fold.game.restore(fold.game.encode(fold.state)), made)


def _end(facts: Sequence[Fact], place: int, over: bool) -> None:
    """Judge the end of a command, from `place` on: the key if the match is over, else nothing."""
    if not over and place < len(facts):
        why = "ends what has not ended" if isinstance(facts[place], Ended) else "has no part in this command"
        raise Wrong(place, why)
    if over and place == len(facts):
        raise Wrong(place - 1, "ends the match, and the key does not follow")
    if over and not isinstance(facts[place], Ended):
        raise Wrong(place, "stands where the key is revealed")
    if over and place + 1 < len(facts):
        raise Wrong(place + 1, "follows the end")


# play


def _play(fold: Fold, facts: Sequence[Fact], start: int) -> None:
    """Judge the facts of play in a command, from `start` on: who decided, and the end of the match."""
    if start and isinstance(facts[start - 1], TimeOutClaimed):
        _by_default(facts, start)
    over = False
    for place, fact in enumerate(facts[start:], start):
        if isinstance(fact, Decided):
            _decided(fold, facts, place, fact)
        elif isinstance(fact, GameEnded) and not over:
            over = True
            if fact.rule == notices.BY_MATCH:
                raise Wrong(place, f"ends the match by {fact.reason}, and there was none")
        elif isinstance(fact, Ended):
            _end(facts, place, over)
            return
        elif isinstance(fact, Notice):
            raise Wrong(place, "stands in the midst of play")
    _end(facts, len(facts), over)


def _by_default(facts: Sequence[Fact], start: int) -> None:
    """Judge that a claimed time-out, the fact before `start`, is followed by that seat's default decision."""
    claimed, decided = facts[start - 1], facts[start] if start < len(facts) else None
    assert isinstance(claimed, TimeOutClaimed)
    if not isinstance(decided, Decided) or (decided.seat, decided.how) != (claimed.seat, "default"):
        raise Wrong(start - 1, f"is not followed by the default decision of seat {claimed.seat}")


def _decided(fold: Fold, facts: Sequence[Fact], place: int, decided: Decided) -> None:
    """Judge who decides: the seat of the first fact; by default only a seat out of time or resigned."""
    match, head = fold.state.match, facts[0]
    if not 0 <= decided.seat < len(match.seats):
        raise Wrong(place, f"is of seat {decided.seat}, which is not there")
    if decided.how == "forced":
        return
    resigned = decided.seat in match.resigned
    if decided.how == "default":
        claimed = place and isinstance(facts[place - 1], TimeOutClaimed)
        if not claimed and (place or not resigned):
            raise Wrong(place, "is a default, and neither had time run out nor had the seat resigned")
    elif resigned:
        raise Wrong(place, f"is a decision of seat {decided.seat}, which had resigned")
    elif not isinstance(head, Decided) or head.seat != decided.seat or head.how in ("forced", "default"):
        raise Wrong(place, f"is a decision of seat {decided.seat} in a command that is not that seat's")
    elif decided.joined is (place == 0):
        why = (
            "is not joined to the one before it"
            if place
            else "is joined to one before it, and begins its command"
        )
        raise Wrong(place, f"is a decision that {why}")
