"""What commands do to a live match, without a log: it takes whatever they come to."""

import gc
from collections.abc import Sequence
from hashlib import sha256
from types import SimpleNamespace
from typing import cast
from uuid import UUID, uuid4

import pytest
from msgspec import Raw

from domain.kernel.facts import Decided, Fact
from domain.kernel.seats import Clock
from domain.kernel.table import NotOneCommand, NotQuiet, Table
from domain.match import notices
from domain.match.chain import Entry
from domain.match.judging import judge
from domain.match.notices import Created
from domain.match.refusals import RequestError
from domain.match.rest import SECOND
from server.limits import GARBAGE, search_less_for_garbage
from server.play import acts
from server.play.acts import Action
from server.play.failures import refusal_for
from server.play.live import Live
from server.proof import keys
from server.protocol.refusals import Refusal
from tests.kernel.probe import Pick
from tests.kernel.test_sealed import GAME as PLOTTING
from tests.kernel.test_sealed import plotting
from tests.projections.play import START
from tests.tiny import GAME

KEY = bytes(range(32))


class Hall:
    """A live match and its log. `at` is the time of the next command, in microseconds since the epoch."""

    def __init__(self, options: dict[str, bool], clock: Clock | None = None) -> None:
        self.live, self.commands, self.at = Live(UUID(int=7), GAME, KEY), list[list[Entry]](), START
        chosen = GAME.set_up("campaign", options)
        seats = GAME.seats("campaign", chosen)
        promise = keys.dice_commitment(KEY)
        created = Created("tiny", "campaign", chosen, GAME.revision, promise, seats, clock)
        self.store(self.live.note([created]))
        nonces = [bytes([seat]) * notices.NONCE_BYTES for seat in range(len(seats))]
        for seat, nonce in enumerate(nonces):
            self.command(acts.sit(seat, "person", sha256(nonce).hexdigest())[0])
        for seat, nonce in enumerate(nonces):
            self.command(acts.show(seat, nonce.hex())[0])

    def command(self, act: Action) -> None:
        self.store(self.live.closed(act(self.live)))

    def store(self, facts: Sequence[Fact]) -> None:
        sealings = self.live.sealed(uuid4(), self.at, facts)
        self.live.stored(sealings, facts)
        self.commands.append([one.entry for one in sealings])


def refused(hall: Hall, act: Action) -> str:
    with pytest.raises(RequestError) as caught:
        act(hall.live)
    return caught.value.code


def first_option(hall: Hall, seat: int) -> Raw:
    assert hall.live.table is not None
    return Raw(GAME.encode(hall.live.table.prompts[seat].options[0]))


def test_a_seat_that_has_resigned_decides_no_more_though_its_side_plays_on() -> None:
    hall = Hall({"pairs": True})
    seat = hall.live.state.asked[0]
    decision, answers = first_option(hall, seat), hall.live.seq

    hall.command(acts.resign(seat)[0])

    assert "resigned" == refused(hall, acts.decide(seat, answers, [decision])[0])
    hall.command(acts.absent(seat)[0])
    assert judge(GAME, hall.commands) is None


def test_a_decision_that_is_wrongly_called_quiet_is_answered_as_one_that_must_stand_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def loud(*_: object) -> None:
        raise NotQuiet

    hall = Hall({"pairs": False})
    seat, answers = hall.live.state.asked[0], hall.live.seq
    decisions = [first_option(hall, seat)]
    for name in ("decide_all", "ahead"):
        monkeypatch.setattr(Table, name, loud)

    with pytest.raises(NotOneCommand) as decided:
        acts.decide(seat, answers, decisions)[0](hall.live)
    with pytest.raises(NotOneCommand) as foreseen:
        acts.foresee(hall.live, seat, answers, decisions)

    assert [NotOneCommand, NotOneCommand] == [decided.type, foreseen.type]


def test_time_that_was_found_to_have_run_out_has_run_out_in_the_log_too() -> None:
    hall = Hall({"pairs": False}, Clock(60))
    out = START + 60 * SECOND
    early, late = acts.time_out(0, 1, lambda: out - 1)[0], acts.time_out(0, 1, lambda: out)[0]
    assert "no_time_out" == refused(hall, early)

    hall.at = out - SECOND  # the node's clock was set back meanwhile
    hall.command(late)

    assert [out] == list({entry.at for entry in hall.commands[-1]})
    assert judge(GAME, hall.commands) is None


def test_time_that_ran_out_by_the_log_has_run_out_though_the_clock_was_set_back() -> None:
    hall = Hall({"pairs": False}, Clock(60))
    hall.at = out = START + 60 * SECOND
    hall.command(acts.offer(1, "draw", lambda: hall.at)[0])

    hall.at = out - SECOND
    hall.command(acts.time_out(0, 1, lambda: hall.at)[0])

    assert [out] == list({entry.at for entry in hall.commands[-1]})
    assert judge(GAME, hall.commands) is None


def test_an_order_is_carried_out_though_another_seat_has_taken_back_and_not_where_its_own_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(GAME, "ordered", GAME.default)
    hall = Hall({"pairs": False})
    seat, other = hall.live.state.asked
    hall.command(acts.decide(seat, hall.live.seq, [first_option(hall, seat)])[0])

    hall.command(acts.undo(seat, lambda: hall.at)[0])

    assert "not_asked" == refused(hall, acts.carry_out(seat, hall.live.asked_at[seat])[0])
    hall.command(acts.carry_out(other, hall.live.asked_at[other])[0])
    decided = GAME.fact(hall.commands[-1][0].body)
    assert isinstance(decided, Decided)
    assert (other, "ordered") == (decided.seat, decided.how)


def test_a_snapshot_knows_no_end_of_a_command_that_came_later() -> None:
    hall = Hall({"pairs": False})
    before = hall.live.snapshot

    hall.command(acts.offer(0, "draw", lambda: hall.at)[0])

    now = hall.live.snapshot
    assert [before.hash, None] == [before.end(seq) for seq in (before.seq, now.seq)]
    assert [before.hash, now.hash] == [now.end(seq) for seq in (before.seq, now.seq)]


def test_nobody_decides_for_a_seat_while_the_match_is_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAME, "ordered", GAME.default)
    hall = Hall({"pairs": False}, Clock(60))
    seat = hall.live.state.asked[0]
    since = hall.live.asked_at[seat]
    for other in (0, 1):
        act = (
            acts.answer_offer(other, "pause", agreed=True)
            if other
            else acts.offer(other, "pause", lambda: hall.at)
        )
        hall.command(act[0])

    assert ["paused", "paused", "no_time_out"] == [
        refused(hall, acts.carry_out(seat, since)[0]),
        refused(hall, acts.absent(seat)[0]),
        refused(hall, acts.time_out(seat, None, lambda: START + 1_000 * SECOND)[0]),
    ]
    assert {} == hall.live.snapshot.deadlines

    hall.command(acts.resume(seat)[0])
    hall.command(acts.carry_out(seat, since)[0])
    assert judge(GAME, hall.commands) is None


def test_two_seats_do_not_promise_one_nonce() -> None:
    hall = Hall({"pairs": False})
    hall.live = Live(UUID(int=8), GAME, KEY)
    promise = sha256(bytes(16)).hexdigest()
    seats = GAME.seats("campaign", options := GAME.set_up("campaign", {}))
    hall.store(hall.live.note([Created("tiny", "campaign", options, "1", "", seats)]))
    hall.command(acts.sit(0, "person", promise)[0])

    assert "bad_nonce" == refused(hall, acts.sit(1, "bot", promise)[0])


def test_a_lone_quiet_decision_of_a_sealed_step_is_answered_in_clear_words() -> None:
    with pytest.raises(NotOneCommand) as caught:
        plotting().decide_all(0, [Pick(1)])

    refusal = Refusal("apart", "here decisions are sent together, up to one that is not quiet")
    assert refusal == refusal_for(caught.value)


def test_a_default_that_ends_no_command_of_its_step_is_a_bug() -> None:
    table = plotting()
    table.state.match.resigned = (0,)
    live = cast("Live", SimpleNamespace(game=PLOTTING, state=table.state, table=table))

    with pytest.raises(RuntimeError, match=r"^the default under rule 8\.1 ends no command of its step$"):
        acts.absent(0)[0](live)


def test_what_decisions_make_is_freed_without_a_search_for_garbage() -> None:
    hall = Hall({"pairs": False})

    def decide() -> None:
        seat = hall.live.state.asked[0]
        hall.command(acts.decide(seat, hall.live.seq, [first_option(hall, seat)])[0])

    decide()
    gc.collect()
    gc.disable()  # so that what there is to find is found here
    try:
        for _ in range(5):
            decide()
        found = gc.collect()
    finally:
        gc.enable()

    assert not found


def test_a_server_that_has_started_searches_for_garbage_less_often() -> None:
    usual = gc.get_threshold()
    try:
        search_less_for_garbage()
        spared, often = gc.get_freeze_count(), gc.get_threshold()
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)

    assert spared
    assert GARBAGE == often
