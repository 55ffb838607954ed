"""What commands do to a live match, and how a repeated command is recognised by the facts on the log.

A function that carries out a command of a client or of the server returns a pair `(Action, IsRepetition)`
and raises nothing itself. The action runs under the match's lock on the match as it is then, which may have
moved on since the sender looked at it: it raises RequestError or Illegal, or returns the resulting facts. It
appends nothing to the log (`server.play.matches` does). Deliberately absent: sockets, tokens, who may ask
what.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Literal

import structlog
from msgspec import UNSET, MsgspecError, Raw
from msgspec.structs import replace

from domain.kernel.facts import Decided, Fact
from domain.kernel.procedures import Decision
from domain.kernel.seats import Hours, Match
from domain.kernel.table import NotOneCommand, NotQuiet, Table
from domain.match import anew, claims, draws, holidays, notices, pauses, replacing, undoing
from domain.match.claims import CalledOff, WinClaimed
from domain.match.holidays import HolidayBegan, HolidayEnded
from domain.match.hours import keeps_hours
from domain.match.notices import TimeOutClaimed
from domain.match.refusals import RequestError
from domain.match.replacing import SeatOffered, SeatReplaced
from domain.match.undo import Undone
from server.play import taking_back
from server.play.live import Live

logger = structlog.get_logger()

Action = Callable[[Live], list[Fact]]
"""Carries out a command: returns the resulting facts, or raises RequestError, Illegal or NotOneCommand and
changes nothing.

After any other exception, or if its facts are not stored, the live match must be evicted.
"""

IsRepetition = Callable[[Live, Sequence[Fact]], bool]
"""Whether the facts stored under a command's id result from that command."""

OfferKind = Literal["draw", "undo", "pause"]

OFFERED: Final[dict[OfferKind, type[Fact]]] = {
    "draw": draws.DrawOffered,
    "undo": undoing.UndoOffered,
    "pause": pauses.PauseOffered,
}
"""The fact that each kind of offer is recorded as."""

ANSWERED: Final = {
    "draw": draws.DrawAnswered,
    "undo": undoing.UndoAnswered,
    "pause": pauses.PauseAnswered,
}
"""The fact that an answer to each kind of offer is recorded as."""


class Stale(RequestError):
    """The decision answers a prompt that has been replaced. `seq` is the head of the match."""

    def __init__(self, seq: int) -> None:
        super().__init__("stale", "the match has moved on")
        self.seq = seq


def sit(
    seat: int, kind: str, promise: str, hours: Callable[[], Hours | None] = lambda: None
) -> tuple[Action, IsRepetition]:
    """Take a seat as a `kind` of player and commit to a nonce, whose SHA-256 in hex is `promise`.

    `hours` returns those that the seat keeps, and is asked only where a clock goes by them. Its action raises
    RequestError: no_seat, seat_taken, bad_kind, bad_nonce, bad_hours.
    """

    def act(live: Live) -> list[Fact]:
        match = live.state.match
        return live.note(notices.take_seat(match, seat, kind, promise, _kept(match, hours)))

    return (
        act,
        _begins(notices.SeatTaken(seat, kind), notices.NonceCommitted(seat, promise.lower())),
    )


def join(
    seat: int, kind: str, promise: str, hours: Callable[[], Hours | None] = lambda: None
) -> tuple[Action, IsRepetition]:
    """Take a free seat as `sit` does or, in a match that has begun, one that is offered to others.

    There is no use for a `promise` then. Its action raises what `sit` and `replacing.take_over` raise.
    """
    sitting, sat = sit(seat, kind, promise, hours)

    def act(live: Live) -> list[Fact]:
        match = live.state.match
        if not match.started:
            return sitting(live)
        return live.note(replacing.take_over(match, live.clocks, seat, kind, _kept(match, hours)))

    replaced = _begins(SeatReplaced(seat, kind))
    return act, lambda live, facts: sat(live, facts) or replaced(live, facts)


def _kept(match: Match, hours: Callable[[], Hours | None]) -> Hours | None:
    """Return the hours that a seat keeps, as far as a clock goes by them."""
    kept = hours() if keeps_hours(match) else None
    if kept is not None and match.clock is not None and not match.clock.nights:
        kept = replace(kept, night=UNSET)  # said by whoever says it always
    return kept


def show(seat: int, nonce: str) -> tuple[Action, IsRepetition]:
    """Reveal the nonce committed to, in hex; the last one revealed starts the match.

    Its action raises RequestError: no_seat, too_early, shown, bad_nonce.
    """
    return (
        lambda live: live.note(notices.show_nonce(live.state.match, seat, nonce)),
        _begins(notices.NonceShown(seat, nonce.lower())),
    )


def commit_anew(seat: int, promise: str, instead: str) -> tuple[Action, IsRepetition]:
    """Commit the seat to another nonce in place of what it has promised, `instead`.

    Its action raises Stale if it has promised something else, and what `anew.commit_anew` raises.
    """

    def act(live: Live) -> list[Fact]:
        match = live.state.match
        if match.promises.get(seat, "") != instead.lower():
            raise Stale(live.seq)
        return live.note(anew.commit_anew(match, seat, promise))

    return act, _begins(anew.NonceCommittedAnew(seat, promise.lower()))


def decide(seat: int, answers: int, decisions: Sequence[Raw]) -> tuple[Action, IsRepetition]:
    """Choose an option of the prompt that the seat saw at fact `answers`, or several options in turn.

    Its action raises what `table_if_asked`, `chosen` and `Table.decide_all` raise.
    """

    def act(live: Live) -> list[Fact]:
        table = table_if_asked(live, seat, answers)
        with _not_quiet_logged():
            return table.decide_all(seat, chosen(live, decisions))

    def is_repetition(live: Live, facts: Sequence[Fact]) -> bool:
        taken = [fact for fact in facts if isinstance(fact, Decided) and fact.how != "forced"]
        sent = [live.game.encode(decision) for decision in chosen(live, decisions)]
        return {fact.seat for fact in taken} == {seat} and [bytes(fact.decision) for fact in taken] == sent

    return act, is_repetition


def foresee(live: Live, seat: int, answers: int, decisions: Sequence[Raw]) -> Table:
    """Return a copy of the table after quiet decisions of a seat. The match itself is not changed.

    Raises what `table_if_asked`, `chosen` and `Table.ahead` raise.
    """
    table = table_if_asked(live, seat, answers)
    with _not_quiet_logged():
        return table.ahead(seat, chosen(live, decisions))


@contextmanager
def _not_quiet_logged() -> Iterator[None]:
    """Replace NotQuiet, which is a bug of the title, by NotOneCommand, and log it."""
    try:
        yield
    except NotQuiet:
        logger.exception("a decision is not quiet")
        raise NotOneCommand from None


def table_if_asked(live: Live, seat: int, answers: int) -> Table:
    """Return the table if the seat still has the prompt it had at fact `answers`.

    Else raises RequestError: not_started, over, paused, resigned or not_asked, or Stale for an earlier
    prompt.
    """
    if live.table is None or live.state.match.over:
        raise RequestError("over" if live.state.match.over else "not_started", "nothing can be decided now")
    notices.check_going_on(live.state.match)
    if seat in live.state.match.resigned:
        raise RequestError("resigned", "this seat has resigned")
    if seat not in live.asked_at:
        raise RequestError("not_asked", "this seat is not asked")
    if not live.asked_at[seat] <= answers <= live.seq:
        raise Stale(live.seq)
    return live.table


def chosen(live: Live, decisions: Sequence[Raw]) -> list[Decision]:
    """Decode decisions of the title; raises RequestError, whose text depends on nothing but the message."""
    if not decisions:
        raise RequestError("bad_decision", "either a decision is sent, or a list of them")
    try:
        return [live.game.decision(decision) for decision in decisions]
    except (MsgspecError, RecursionError) as why:
        raise RequestError("bad_decision", f"this is no decision of {live.game.title}: {why}") from None


def undo(seat: int, at: Callable[[], int]) -> tuple[Action, IsRepetition]:
    """Take back the decisions of the seat's last command; `at` is that of `time_out`.

    Its action raises what `taking_back.slip` raises.
    """
    return lambda live: taking_back.slip(live, seat, at), _first(Undone, seat)


def offer(seat: int, what: OfferKind, at: Callable[[], int]) -> tuple[Action, IsRepetition]:
    """Offer a draw or a pause, or ask for an undo; `at` is that of `time_out`.

    Its action raises what the function of `domain.match` raises that makes this offer.
    """

    def act(live: Live) -> list[Fact]:
        match = live.state.match
        if what == "draw":
            return live.note(draws.offer_draw(match, seat))
        if what == "pause":
            return live.note(pauses.offer(match, seat))
        return taking_back.ask(live, seat, at)

    return act, _first(OFFERED[what], seat)


def answer_offer(seat: int, what: OfferKind, *, agreed: bool) -> tuple[Action, IsRepetition]:
    """Agree to what is on offer, or decline it.

    Its action raises what the function of `domain.match` raises that answers this offer.
    """

    def act(live: Live) -> list[Fact]:
        match = live.state.match
        if what == "draw":
            return live.note(draws.answer_draw(match, seat, agreed=agreed))
        if what == "pause":
            return live.note(pauses.answer(match, seat, agreed=agreed))
        return live.note(undoing.answer_undo(match, seat, live.facts, agreed=agreed))

    return act, _begins(ANSWERED[what](seat, agreed))


def resume(seat: int) -> tuple[Action, IsRepetition]:
    """End the pause for all. Its action raises RequestError: not_started, over, no_seat, not_paused."""
    return (
        lambda live: live.note(pauses.resume(live.state.match, seat, live.state.asked)),
        _first(pauses.ClocksStarted, seat),
    )


def resign(seat: int) -> tuple[Action, IsRepetition]:
    """Resign the seat. Its action raises RequestError: not_started, over, no_seat, resigned."""
    return (
        lambda live: live.note(notices.resign(live.state.match, seat)),
        _begins(notices.Resigned(seat)),
    )


def time_out(seat: int, by: int | None, at: Callable[[], int]) -> tuple[Action, IsRepetition]:
    """Claim that a seat's time is up; if it is, the seat takes the title's default decision.

    `by` is the seat that claims it, None for the server; `at` returns the time in microseconds since the
    epoch. Its action raises RequestError: no_seat, no_time_out, not_allowed, resigned.
    """

    def act(live: Live) -> list[Fact]:
        now = max(at(), live.at)
        claimed = notices.claim_time(live.state.match, live.clocks, seat, by, now, live.state.asked)
        assert live.table is not None  # or no time would be running
        default = _default(live, live.table, seat)
        live.not_before = now
        return live.note(claimed) + live.table.decide(seat, default, "default")

    return act, _begins(TimeOutClaimed(seat, by))


def claim_win(seat: int, by: int, at: Callable[[], int]) -> tuple[Action, IsRepetition]:
    """Claim for `by` to have won against a seat that it has waited for; `at` is that of `time_out`.

    Its action raises what `claims.claim_win` raises.
    """

    def act(live: Live) -> list[Fact]:
        live.not_before = now = max(at(), live.at)
        match, asked, since = live.state.match, live.state.asked, live.waited_since
        return live.note(claims.claim_win(match, live.clocks, seat, by, now, asked, since))

    return act, _begins(WinClaimed(seat, by))


def claim_off(seat: int, by: int, at: Callable[[], int]) -> tuple[Action, IsRepetition]:
    """Call the match off for `by`, as a seat is away; `at` is that of `time_out`.

    Its action raises what `claims.claim_off` raises.
    """

    def act(live: Live) -> list[Fact]:
        live.not_before = now = max(at(), live.at)
        match, asked, since = live.state.match, live.state.asked, live.waited_since
        return live.note(claims.claim_off(match, seat, by, now, asked, since))

    return act, _begins(CalledOff(by, seat))


def offer_seat(seat: int, by: int, at: Callable[[], int]) -> tuple[Action, IsRepetition]:
    """Offer for `by` a seat that stays away to others; `at` is that of `time_out`.

    Its action raises what `replacing.offer_seat` raises.
    """

    def act(live: Live) -> list[Fact]:
        live.not_before = now = max(at(), live.at)
        match, asked = live.state.match, live.state.asked
        return live.note(replacing.offer_seat(match, live.clocks, seat, by, now, asked))

    return act, _begins(SeatOffered(seat, by))


def call_off(by: int) -> tuple[Action, IsRepetition]:
    """Call the match off before both sides have decided.

    Its action raises RequestError: not_started, over, no_seat, resigned, too_late.
    """
    return (
        lambda live: live.note(claims.call_off(live.state.match, by, live.decided)),
        _begins(CalledOff(by)),
    )


def holiday(seat: int, days: int, at: Callable[[], int]) -> tuple[Action, IsRepetition]:
    """Go on holiday for so many days, or come back with 0; `at` is that of `time_out`.

    Its action raises what the functions of `holidays` raise.
    """

    def act(live: Live) -> list[Fact]:
        live.not_before = now = max(at(), live.at)
        match = live.state.match
        return live.note(holidays.begin(match, seat, days, now) if days else holidays.end(match, seat, now))

    return act, _first(HolidayBegan if days else HolidayEnded, seat)


def absent(seat: int) -> tuple[Action, IsRepetition]:
    """Decide the default for a seat that has resigned while its side plays on.

    Its action raises RequestError: paused, not_asked.
    """

    def act(live: Live) -> list[Fact]:
        table = live.table
        notices.check_going_on(live.state.match)
        if table is not None and seat in table.prompts and seat in live.state.match.resigned:
            return table.decide(seat, _default(live, table, seat), "default")
        raise RequestError("not_asked", "this seat is not asked, or decides for itself")

    return act, _first(Decided, seat)


def carry_out(seat: int, since: int) -> tuple[Action, IsRepetition]:
    """Take the decision that a seat has ordered in advance for the prompt it has had since fact `since`.

    Its action raises RequestError: paused, not_asked.
    """

    def act(live: Live) -> list[Fact]:
        notices.check_going_on(live.state.match)
        ordered = live.order(seat)
        if live.table is None or ordered is None or live.asked_at.get(seat) != since:
            raise RequestError("not_asked", "this seat is not asked, or decides for itself")
        return live.table.decide(seat, ordered, "ordered")

    return act, _first(Decided, seat)


def _default(live: Live, table: Table, seat: int) -> Decision:
    prompt = table.prompts[seat]
    default = live.game.default(live.state, seat, prompt)
    if default not in prompt.options:
        raise RuntimeError(f"the default under rule {prompt.rule} is not on its list")
    if table.sealed(seat) and default in table.quiet(seat):
        raise RuntimeError(f"the default under rule {prompt.rule} ends no command of its step")
    return default


def _begins(*first: Fact) -> IsRepetition:
    return lambda _, facts: (*facts[: len(first)],) == first


def _first(kind: type[Fact], seat: int) -> IsRepetition:
    return lambda _, facts: isinstance(facts[0], kind) and getattr(facts[0], "seat", None) == seat
