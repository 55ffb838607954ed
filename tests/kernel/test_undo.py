"""Which facts still count, and how far a seat may go back. Played on the tiny title."""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from domain.kernel.dice import Scripted, seeded
from domain.kernel.facts import Decided, Fact
from domain.match import draws, undoing
from domain.match.notices import Started
from domain.match.refusals import RequestError
from domain.match.undo import TakenBack, Undone, reach, standing, undos_of
from domain.match.undoing import UndoAnswered, UndoOffered
from tests.kernel.playing import Log, Playing
from tests.kernel.probe import Said
from tests.tiny import GAME
from tests.tiny.decisions import Lose, Pass, Play, Press, Sail

DEALT = [[1], [1], [1], [1], [1], [1]]

HERE, THERE = Sail("islet:1"), Sail("islet:2")


def skirmish(*rolls: list[int]) -> Playing:
    """A skirmish before its first orders; North holds cards 1, 2 and 5, South 3, 4 and 6."""
    return Playing(GAME, "skirmish", {}, Scripted([*DEALT, *rolls]))


def slip(playing: Playing, seat: int) -> None:
    playing.notice(undoing.undo_slip(playing.state.match, seat, playing.standing()))


def offer(playing: Playing, seat: int) -> None:
    playing.notice(undoing.offer_undo(playing.state.match, seat, playing.standing()))


def answer(playing: Playing, seat: int, *, agreed: bool) -> None:
    playing.notice(undoing.answer_undo(playing.state.match, seat, playing.standing(), agreed=agreed))


def refused(attempt: Callable[[], object]) -> str:
    with pytest.raises(RequestError) as caught:
        attempt()
    return caught.value.code


def met(*rolls: list[int]) -> Playing:
    """A skirmish in which the fleets have met; turn 1, so South has the initiative and speaks first."""
    playing = skirmish(*rolls)
    playing.decide(0, HERE)
    playing.decide(1, HERE)
    return playing


def test_the_hands_are_as_the_other_tests_take_them() -> None:
    assert ["card:01", "card:02", "card:05"] == skirmish().table.own[0].hand
    assert ["card:03", "card:04", "card:06"] == skirmish().table.own[1].hand


def test_ones_own_slip_is_taken_back() -> None:
    playing = skirmish()
    before, at = GAME.encode(playing.state), len(playing.log)
    playing.decide(0, HERE)

    slip(playing, 0)

    assert Undone(0, at) == playing.log[-1][1]
    assert before == GAME.encode(playing.state)
    assert [0, 1] == sorted(playing.table.prompts)
    assert [] == playing.table.facts


def test_nothing_is_deleted_and_the_rest_stands() -> None:
    playing = skirmish()
    playing.decide(0, HERE)
    log = list(playing.log)

    slip(playing, 0)
    playing.decide(0, THERE)

    assert log == playing.log[: len(log)]
    assert [THERE] == [
        GAME.decision(fact.decision) for _, fact in playing.standing() if isinstance(fact, Decided)
    ]
    assert "islet:2" == playing.table.own[0].order


def test_two_slips_one_after_the_other() -> None:
    playing = met()
    first = len(playing.log)
    for _ in range(2):
        playing.decide(1, Pass())
        slip(playing, 1)

    assert [Undone(1, first), Undone(1, first + 3)] == [
        fact for _, fact in playing.log if isinstance(fact, Undone)
    ]
    assert {1} == set(playing.table.prompts)
    assert "no_undo" == refused(lambda: slip(playing, 1))


def test_two_decisions_in_a_row_are_taken_back_one_by_one() -> None:
    playing = met([3, 3], [1, 1])
    for seat in (1, 0):
        playing.decide(seat, Pass())
    playing.decide(0, Lose("boat:n1"))
    before = len(playing.log)
    playing.decide(0, Lose("boat:n2"))
    playing.decide(1, Press())

    assert "no_undo" == refused(lambda: slip(playing, 0))
    slip(playing, 1)
    slip(playing, 0)
    assert {0} == set(playing.table.prompts)
    assert Undone(0, before) == playing.log[-1][1]
    slip(playing, 0)
    assert [2, 2] == [playing.table.open.boats[boat].steps for boat in ("boat:n1", "boat:n2")]
    assert "no_undo" == refused(lambda: slip(playing, 0))


def test_after_another_seat_only_the_other_can_let_it_go_back() -> None:
    playing = met([3, 3], [1, 1])
    for seat in (1, 0):
        playing.decide(seat, Pass())
    playing.decide(0, Lose("boat:n1"))
    before = len(playing.log)
    playing.decide(0, Lose("boat:n1"))
    playing.decide(1, Press())
    assert "no_undo" == refused(lambda: slip(playing, 0))

    offer(playing, 0)

    assert UndoOffered(0, before) == playing.log[-1][1]
    assert ((0,), before) == (playing.state.match.undo, playing.state.match.undo_to)
    assert "offered" == refused(lambda: offer(playing, 0))
    answer(playing, 1, agreed=True)
    assert [UndoAnswered(1, agreed=True), Undone(0, before)] == [fact for _, fact in playing.log[-2:]]
    assert {0} == set(playing.table.prompts)
    assert 1 == playing.table.open.boats["boat:n1"].steps
    assert ((), 0) == (playing.state.match.undo, playing.state.match.undo_to)


def test_an_offer_may_be_declined_and_made_again() -> None:
    playing = skirmish()
    playing.decide(0, HERE)
    offer(playing, 0)
    with pytest.raises(RequestError, match=r"^an undo is on offer already$") as caught:
        offer(playing, 0)
    assert "offered" == caught.value.code

    answer(playing, 1, agreed=False)

    assert not playing.state.match.undo
    assert "no_offer" == refused(lambda: answer(playing, 1, agreed=True))
    offer(playing, 0)
    assert (0,) == playing.state.match.undo


def test_who_offers_does_not_answer() -> None:
    playing = skirmish()
    playing.decide(0, HERE)
    offer(playing, 0)

    assert "no_offer" == refused(lambda: answer(playing, 0, agreed=True))


def test_an_offer_is_void_when_the_match_has_moved_on() -> None:
    playing = met([3, 3], [3, 3])
    playing.decide(1, Pass())
    offer(playing, 1)
    playing.decide(0, Pass())

    with pytest.raises(
        RequestError, match=r"^the match has moved on: dice fell or something was revealed since$"
    ):
        answer(playing, 0, agreed=True)
    answer(playing, 0, agreed=False)
    assert not playing.state.match.undo


def test_a_void_offer_does_not_bar_another() -> None:
    playing = met([3, 3], [3, 3])
    playing.decide(1, Pass())
    offer(playing, 1)
    playing.decide(0, Pass())
    playing.decide(1, Press())

    offer(playing, 1)

    assert (1,) == playing.state.match.undo
    answer(playing, 0, agreed=True)
    assert {1} == set(playing.table.prompts)


def test_all_seats_of_both_teams_must_agree() -> None:
    playing = Playing(GAME, "campaign", {"pairs": True})
    before = len(playing.log)
    playing.decide(0, HERE)
    offer(playing, 0)

    answer(playing, 2, agreed=True)
    answer(playing, 1, agreed=True)
    assert (0, 2, 1) == playing.state.match.undo
    assert "no_offer" == refused(lambda: answer(playing, 2, agreed=True))
    assert "islet:1" == playing.table.own[0].order
    answer(playing, 3, agreed=True)

    assert Undone(0, before) == playing.log[-1][1]
    assert "" == playing.table.own[0].order


def test_not_after_a_roll() -> None:
    playing = met([3, 3], [3, 3])
    playing.decide(1, Pass())
    playing.decide(0, Pass())

    for seat in (0, 1):
        assert "no_undo" == refused(partial(slip, playing, seat))
        assert "no_undo" == refused(partial(offer, playing, seat))


def test_not_after_a_reveal() -> None:
    playing = met()

    for seat in (0, 1):
        assert "no_undo" == refused(partial(slip, playing, seat))
        assert "no_undo" == refused(partial(offer, playing, seat))


def test_not_after_a_card_out_of_a_hidden_hand() -> None:
    playing = met()
    playing.decide(1, Play("card:04"))

    assert "no_undo" == refused(lambda: slip(playing, 1))
    assert "no_undo" == refused(lambda: offer(playing, 1))


def test_not_after_a_draw() -> None:
    playing = skirmish([1], [1])
    playing.decide(0, HERE)
    playing.decide(1, THERE)
    playing.decide(1, Pass())
    playing.decide(0, Pass())
    assert 2 == playing.table.open.turn

    assert "no_undo" == refused(lambda: slip(playing, 0))
    assert "no_undo" == refused(lambda: offer(playing, 1))


def test_not_what_the_clock_decided_nor_what_came_before_it() -> None:
    playing = skirmish()
    playing.decide(0, HERE, "default")

    assert "no_undo" == refused(lambda: slip(playing, 0))
    assert "no_undo" == refused(lambda: offer(playing, 0))


def test_there_is_nothing_to_take_back_in_a_log_without_decisions() -> None:
    assert reach([(1, Started())], 0, alone=False) is None


def test_not_before_the_first_decision() -> None:
    with pytest.raises(
        RequestError, match=r"^nothing of yours can be taken back: somebody has decided, rolled or"
    ):
        slip(skirmish(), 0)
    with pytest.raises(
        RequestError, match=r"^nothing of yours can be taken back: dice fell or something was"
    ):
        offer(skirmish(), 0)


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
def test_what_was_ordered_is_taken_back_as_what_was_chosen(
    monkeypatch: pytest.MonkeyPatch, seat: int, *, alone: bool
) -> None:
    monkeypatch.setattr(GAME, "ordered", lambda *_: HERE)
    chosen, ordered = skirmish(), skirmish()
    chosen.decide(0, HERE)
    ordered.decide(0, HERE, "ordered")

    assert reach(chosen.standing(), seat, alone=alone) == reach(ordered.standing(), seat, alone=alone)
    assert reach(ordered.standing(), 0, alone=True) is not None


def test_forced_picks_go_with_their_cause() -> None:
    """South has one boat left, so that its loss is forced; it follows from North's choice."""
    playing = met([1, 1], [3, 3], [1], [1], [1, 3], [1])
    for seat in (1, 0):
        playing.decide(seat, Pass())
    for decision in (Lose("boat:s1"), Lose("boat:s1"), Pass()):
        playing.decide(1, decision)
    for seat in (0, 1):
        playing.decide(seat, THERE)
    for seat in (0, 1):
        playing.decide(seat, Pass())
    before, state = len(playing.log), GAME.encode(playing.state)
    facts = playing.decide(0, Lose("boat:n1"))
    assert [(0, "chosen"), (1, "forced")] == [(f.seat, f.how) for f in facts if isinstance(f, Decided)]
    assert 1 == playing.table.open.boats["boat:s2"].steps

    slip(playing, 0)

    assert Undone(0, before) == playing.log[-1][1]
    assert state == GAME.encode(playing.state)
    assert 2 == playing.table.open.boats["boat:s2"].steps


def test_what_is_undone_twice_over_stays_undone_and_notices_stand() -> None:
    """An undo whose range holds another undo, an offer, and an answer."""
    playing = skirmish()
    at = len(playing.log)
    playing.decide(0, HERE)
    slip(playing, 0)
    playing.decide(0, THERE)
    playing.notice(draws.offer_draw(playing.state.match, 1))
    playing.notice(draws.answer_draw(playing.state.match, 0, agreed=False))

    slip(playing, 0)

    names = [type(fact).__name__ for seq, fact in playing.standing() if seq > at]
    assert ["Undone", "DrawOffered", "DrawAnswered", "Undone"] == names
    assert [0, 1] == sorted(playing.table.prompts)


def test_standing_skips_what_was_taken_back_and_no_notice() -> None:
    log: Log = [
        (1, Started()),
        (2, Said("a")),
        (3, Said("b")),
        (4, UndoOffered(0, 2)),
        (5, Undone(0, 2)),
        (6, Said("c")),
        (7, Undone(0, 2)),
        (8, Said("d")),
    ]
    kept: list[Fact] = [fact for _, fact in standing(log)]

    assert [Started(), Said("a"), UndoOffered(0, 2), Undone(0, 2), Undone(0, 2), Said("d")] == kept


def test_the_dice_are_not_turned_back() -> None:
    playing = Playing(GAME, "skirmish", {}, seeded(3))
    rolls = playing.state.rolls
    playing.decide(0, HERE)

    slip(playing, 0)

    assert rolls == playing.state.rolls


def test_what_is_in_force_is_told_from_the_undos_alone() -> None:
    """Of any log, one with undos that no rule would allow too: inside one another, and to what is ahead."""
    chance = Random(1)
    taken_back = 0
    for _ in range(300):
        log: Log = []
        for seq in range(1, chance.randrange(2, 60)):
            log.append((seq, chance.choice([Said("a"), Said("b"), Undone(0, chance.randrange(-1, 2 * seq))])))
        gone = TakenBack(undos_of(log))

        in_force = [(seq, fact) for seq, fact in log if not gone.covers(seq, fact)]

        assert standing(log) == in_force
        taken_back += len(log) - len(in_force)
    assert taken_back > 1000
