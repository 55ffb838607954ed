"""Corrections by consent: who proposes and answers, how far they go back, and that no die falls twice."""

from functools import partial
from itertools import pairwise

import pytest
from msgspec import UNSET, json

from domain.kernel.audience import VIEWERS, Audience
from domain.kernel.facts import Decided, Roll, RolledUnseen, evolve
from domain.kernel.seats import Clock, Correction
from domain.match import corrections, notices, pauses
from domain.match.corrections import (
    CorrectionAnswered,
    CorrectionOffered,
    CorrectionWithdrawn,
    Decisions,
    DiceCounted,
    seat_of,
)
from domain.match.fold import Fold, Forgotten
from domain.match.judging import judge
from domain.match.position import Position
from domain.match.refusals import RequestError
from domain.match.replacing import SeatReplaced
from domain.match.undo import Undone, standing, undos_of
from domain.match.views import patch, patched, view
from domain.titles import TITLES
from tests.kernel.playing import Playing
from tests.kernel.test_undo import HERE, THERE, offer, refused, skirmish, slip
from tests.projections.play import SECOND, Played, play, retold, tale
from tests.seen import plain
from tests.tiny import GAME
from tests.tiny.decisions import Lose, Pass

GAMES = {GAME.name: GAME, **TITLES}


def propose(playing: Playing, by: int | None, back_to: int) -> None:
    playing.notice(corrections.offer(playing.state.match, by, back_to, decisions(playing).behind))


def reply(playing: Playing, seat: int, *, agreed: bool = True) -> None:
    playing.notice(corrections.answer(playing.state, seat, agreed=agreed))


def decisions(playing: Playing) -> Decisions:
    found = Decisions()
    for seq, fact in playing.log:
        found.add(seq, fact)
    return found


def behind(playing: Playing) -> list[int]:
    """The facts behind which a decision stands."""
    return [seq - 1 for seq, fact in playing.standing() if seat_of(fact) is not None]


def fought() -> Playing:
    """A skirmish in which both have decided, been revealed, met and rolled, with hits on North to take."""
    playing = skirmish([3, 3], [1, 1], [6, 6], [6, 6])
    for seat in (0, 1):
        playing.decide(seat, HERE)
    for seat in (1, 0):
        playing.decide(seat, Pass())
    assert {0} == set(playing.table.prompts)
    return playing


def test_past_a_roll_and_a_reveal_the_match_goes_on_from_before_a_decision_all_agree_to() -> None:
    playing = skirmish([3, 3], [1, 1], [6, 6], [6, 6])
    playing.decide(0, HERE)
    back_to, before = len(playing.log), GAME.encode(playing.state)
    playing.decide(1, HERE)
    for seat in (1, 0):
        playing.decide(seat, Pass())
    rolls, seen = playing.state.rolls, [plain(view(GAME, playing.state, side)) for side in VIEWERS]

    propose(playing, 0, back_to)

    assert CorrectionOffered(0, back_to, 1) == playing.log[-1][1]
    assert Correction(back_to, 1, (0,), 0) == playing.state.match.correction
    reply(playing, 1)
    assert [
        CorrectionAnswered(1, agreed=True),
        Undone(1, back_to, consent=True),
        DiceCounted(rolls, 0),
    ] == [fact for _, fact in playing.log[-3:]]
    then = GAME.restore(before)
    assert then.rolls < rolls == playing.state.rolls
    then.rolls = rolls
    assert then == playing.state
    assert seen != [plain(view(GAME, playing.state, side)) for side in VIEWERS]
    assert {1} == set(playing.table.prompts)


def test_whoever_plays_on_has_declined_and_cannot_agree_once_he_knows_how_his_dice_fell() -> None:
    playing = fought()
    propose(playing, 1, behind(playing)[0])

    playing.decide(0, Lose("boat:n1"))

    assert not playing.state.match.correction
    assert "no_offer" == refused(lambda: corrections.answer(playing.state, 0, agreed=True))


def test_dice_go_on_with_a_new_index_after_each_correction_also_unseen_ones() -> None:
    for title, scenario, options in (
        ("tiny", "campaign", {}),
        ("midway", "duel", {}),
        ("nimitz", "1943", {"mode": 2}),
    ):
        game = GAMES[title]
        played = play(game, scenario, options, seed=5, undos=0.1, corrected=0.1, most=150)
        facts = [fact for _, fact in played.facts]

        for unseen in (False, True):
            found = [
                fact for fact in facts if isinstance(fact, Roll) and isinstance(fact, RolledUnseen) is unseen
            ]
            assert all(one.index < other.index for one, other in pairwise(found))
        assert any(isinstance(fact, DiceCounted) for fact in facts)


def test_unseen_rolls_are_counted_for_the_umpire_alone_and_go_on_too() -> None:
    state = GAME.state()
    state.rolls, state.unseen = 3, 2
    counted = DiceCounted(7, 4)

    counted.fold(state)

    assert 7 == state.rolls
    assert 4 == state.unseen
    assert Audience.UMPIRE is counted.audience()
    empty = GAME.state()
    DiceCounted(8).fold(empty)
    assert 8 == empty.rolls
    assert empty.unseen is UNSET


def test_a_seat_of_four_proposes_and_all_others_have_to_agree() -> None:
    playing = Playing(GAME, "campaign", {"pairs": True})
    back_to = len(playing.log)
    playing.decide(0, HERE)

    propose(playing, 2, back_to)
    reply(playing, 0)
    reply(playing, 3)
    assert "islet:1" == playing.table.own[0].order
    assert "no_offer" == refused(lambda: reply(playing, 3))
    reply(playing, 1)

    assert Undone(0, back_to, consent=True) == playing.log[-2][1]
    assert "" == playing.table.own[0].order


def test_to_a_proposal_of_the_director_all_have_to_agree() -> None:
    playing = fought()
    back_to = behind(playing)[0]

    propose(playing, None, back_to)

    assert Correction(back_to, 0, ()) == playing.state.match.correction
    reply(playing, 1)
    assert not isinstance(playing.log[-1][1], DiceCounted)
    reply(playing, 0)
    assert isinstance(playing.log[-1][1], DiceCounted)
    assert {0, 1} == set(playing.table.prompts)


@pytest.mark.parametrize(("by", "seat"), [(0, 1), (0, 0), (None, 0), (None, 1)])
def test_anybody_of_them_declines_whoever_proposed_too_and_it_is_gone(by: int | None, seat: int) -> None:
    playing = fought()
    before = playing.standing()
    propose(playing, by, behind(playing)[0])

    reply(playing, seat, agreed=False)

    assert not playing.state.match.correction
    assert CorrectionAnswered(seat, agreed=False) == playing.log[-1][1]
    assert before == playing.standing()[: len(before)]
    assert "no_offer" == refused(lambda: reply(playing, 1 - seat))
    propose(playing, 1, behind(playing)[0])


def test_while_one_is_proposed_another_is_refused_the_directors_too() -> None:
    playing = fought()
    first, second, *_ = behind(playing)
    propose(playing, 0, first)

    for by in (0, 1, None):
        assert "offered" == refused(partial(propose, playing, by, second))


def test_what_the_director_proposes_he_withdraws_and_proposes_another() -> None:
    playing = fought()
    before = playing.standing()
    first, second, *_ = behind(playing)
    propose(playing, None, first)
    reply(playing, 1)

    playing.notice(corrections.withdraw(playing.state.match))

    assert CorrectionWithdrawn(first) == playing.log[-1][1]
    assert before == playing.standing()[: len(before)]
    assert "no_offer" == refused(lambda: reply(playing, 0))
    propose(playing, None, second)
    assert Correction(second, 1, ()) == playing.state.match.correction


def test_the_director_withdraws_nothing_that_he_does_not_propose() -> None:
    new, playing = GAME.state(), fought()

    assert "not_started" == refused(lambda: corrections.withdraw(new.match))
    assert "no_offer" == refused(lambda: corrections.withdraw(playing.state.match))
    propose(playing, 0, behind(playing)[0])
    assert "no_offer" == refused(lambda: corrections.withdraw(playing.state.match))


def test_one_that_is_proposed_gives_way_once_anything_is_undone() -> None:
    playing = fought()
    early = behind(playing)[0]
    playing.decide(0, Lose("boat:n1"))
    propose(playing, 1, behind(playing)[-1])

    slip(playing, 0)
    assert not playing.state.match.correction

    playing.decide(0, Lose("boat:n1"))
    propose(playing, 1, early)
    slip(playing, 0)
    assert not playing.state.match.correction


def test_one_that_a_decision_took_off_the_table_does_not_stand_again_once_that_is_undone() -> None:
    playing = fought()
    propose(playing, 1, behind(playing)[0])
    playing.decide(0, Lose("boat:n1"))

    slip(playing, 0)

    assert not playing.state.match.correction


def test_who_proposes_agrees_and_cannot_agree_twice() -> None:
    playing = fought()
    propose(playing, 0, behind(playing)[0])

    with pytest.raises(RequestError, match=r"^this seat has agreed already$") as caught:
        reply(playing, 0)
    assert "no_offer" == caught.value.code


def test_whatever_else_is_named_is_refused_in_one_way_hidden_or_not() -> None:
    playing = fought()
    playing.decide(0, Lose("boat:n1"))
    gone = behind(playing)[-1]
    slip(playing, 0)
    allowed = set(behind(playing))
    said = set()

    for back_to in [*range(-2, len(playing.log) + 3), 2**40]:
        if back_to in allowed:
            continue
        with pytest.raises(RequestError) as caught:
            propose(playing, 1, back_to)
        said.add((caught.value.code, caught.value.reason))

    assert {("no_undo", "no decision that stands was taken there")} == said
    assert gone not in allowed
    assert any(isinstance(fact, Decided) for _, fact in playing.log if fact.audience() is Audience.UMPIRE)


def test_not_before_the_start_nor_after_the_end_nor_in_a_pause() -> None:
    new = GAME.state()
    assert "not_started" == refused(lambda: corrections.offer(new.match, 0, 1, lambda _: 0))
    assert "not_started" == refused(lambda: corrections.answer(new, 0, agreed=True))
    playing = fought()
    back_to = behind(playing)[0]
    playing.state.match.clock = Clock(60)
    playing.notice(pauses.offer(playing.state.match, 0))
    propose(playing, 1, back_to)
    playing.notice(pauses.answer(playing.state.match, 1, agreed=True))
    assert "paused" == refused(lambda: reply(playing, 0))
    assert "paused" == refused(lambda: reply(playing, 0, agreed=False))
    assert "paused" == refused(lambda: propose(playing, None, back_to))
    playing.notice(pauses.resume(playing.state.match, 0, (0,)))
    playing.notice(notices.resign(playing.state.match, 0))
    assert playing.state.match.over
    assert not playing.state.match.correction
    assert "over" == refused(lambda: propose(playing, 1, back_to))
    assert "over" == refused(lambda: reply(playing, 0))


def test_nor_by_a_seat_that_is_not_there() -> None:
    playing = fought()

    assert "no_seat" == refused(lambda: propose(playing, 2, behind(playing)[0]))
    assert "no_seat" == refused(lambda: reply(playing, -1))


def test_who_plays_alone_has_nobody_to_agree_with_and_throws_no_dice_again() -> None:
    played = play(TITLES["nimitz"], "1942", seed=1, most=30)
    fold = Fold(played.game)
    for command in played.commands:
        fold.apply(command)
    seq = next(seq for seq, fact in fold.facts if seat_of(fact) is not None)

    assert 1 == len(fold.state.match.seats)
    for by in (0, None):
        assert "nobody" == refused(partial(corrections.offer, fold.state.match, by, seq - 1, lambda _: 0))


def test_who_has_resigned_neither_proposes_nor_answers_and_need_not_agree() -> None:
    playing = Playing(GAME, "campaign", {"pairs": True})
    back_to = len(playing.log)
    playing.decide(0, HERE)
    playing.notice(notices.resign(playing.state.match, 2))

    assert "resigned" == refused(lambda: propose(playing, 2, back_to))
    propose(playing, 0, back_to)
    assert "resigned" == refused(lambda: reply(playing, 2, agreed=False))
    reply(playing, 1)
    reply(playing, 3)
    assert Undone(0, back_to, consent=True) == playing.log[-2][1]


def test_one_that_only_who_has_resigned_had_yet_to_answer_gives_way_to_another() -> None:
    playing = Playing(GAME, "campaign", {"pairs": True})
    back_to = len(playing.log)
    playing.decide(0, HERE)
    propose(playing, 0, back_to)
    reply(playing, 1)
    reply(playing, 3)
    playing.notice(notices.resign(playing.state.match, 2))

    propose(playing, 1, back_to)

    assert Correction(back_to, 0, (1,), 1) == playing.state.match.correction


def test_another_player_in_a_seat_that_had_agreed_is_bound_by_no_correction() -> None:
    for seat, stays in ((0, False), (1, True)):
        playing = fought()
        propose(playing, 0, behind(playing)[0])
        playing.notice([SeatReplaced(seat, "person")])

        assert stays is bool(playing.state.match.correction)


def test_behind_a_correction_no_seat_takes_back_what_was_before_it() -> None:
    playing = fought()
    _, second, *_ = behind(playing)
    propose(playing, 0, second)
    reply(playing, 1)

    assert {1} == set(playing.table.prompts)
    for seat in (0, 1):
        assert "no_undo" == refused(partial(slip, playing, seat))
        assert "no_undo" == refused(partial(offer, playing, seat))
    playing.decide(1, THERE)


def test_a_correction_goes_back_past_another() -> None:
    playing = fought()
    first, second, *_ = behind(playing)
    propose(playing, 0, second)
    reply(playing, 1)
    rolls = playing.state.rolls

    propose(playing, 1, first)
    reply(playing, 0)

    assert {0, 1} == set(playing.table.prompts)
    assert rolls == playing.state.rolls
    assert 2 == sum(isinstance(fact, DiceCounted) for _, fact in playing.standing())


def test_what_is_proposed_agreed_declined_and_carried_out_is_said_in_words() -> None:
    assert [
        "[seat:0] proposed to correct the match: to go on from before an earlier decision of [seat:1]",
        "The director proposed to correct the match: to go on from before an earlier decision of [seat:1]",
        "[seat:1] agreed to the correction",
        "[seat:1] declined the correction",
        "The director withdrew the correction that he had proposed",
        "Corrected by consent: the match goes on from before an earlier decision of [seat:1]",
    ] == [
        fact.words()
        for fact in (
            CorrectionOffered(0, 11, 1),
            CorrectionOffered(None, 11, 1),
            CorrectionAnswered(1, agreed=True),
            CorrectionAnswered(1, agreed=False),
            CorrectionWithdrawn(11),
            Undone(1, 11, consent=True),
        )
    ]


def test_an_undo_of_a_seat_is_written_as_it_was_before_there_were_corrections() -> None:
    assert b'{"type":"Undone","seat":0,"back_to":4}' == GAME.encode(Undone(0, 4))
    assert Undone(0, 4) == GAME.fact(b'{"type":"Undone","seat":0,"back_to":4}')


def test_in_the_view_a_proposal_of_the_director_leaves_nothing_of_a_seats() -> None:
    seen = []
    for by in (None, 0, None):
        playing = fought()
        propose(playing, by, behind(playing)[0])
        seen.append(view(GAME, playing.state, Audience.ONLOOKERS))
    seats, directors = plain(seen[1])["match"]["correction"], plain(seen[0])["match"]["correction"]

    back_to = seats["back_to"]
    assert {"by": 0, "back_to": back_to, "of": 0, "agreed": [0]} == seats
    assert {"back_to": back_to, "of": 0, "agreed": []} == directors
    assert plain(seen[2]) == patched(plain(seen[1]), json.decode(json.encode(patch(seen[1], seen[2]))))
    assert "correction" not in plain(view(GAME, fought().state, Audience.ONLOOKERS))["match"]


# clocks


def test_a_correction_gives_no_time_and_takes_none() -> None:
    """Given ten minutes, one more a decision and two a turn, and taking back that gives no time."""
    clock = Clock(600, 60, turn=120, rewinds=True)
    played = play(GAME, "campaign", seed=4, undos=0.2, corrected=0.3, clock=clock, lapses=0.1, most=200)
    fold, seen = Fold(GAME), 0
    for command in played.commands:
        before = fold.clocks.copy() if fold.clocks else None
        asked = fold.state.asked
        facts = fold.apply(command)
        if not any(isinstance(fact, DiceCounted) for fact in facts):
            continue
        assert before is not None
        assert fold.clocks is not None
        ran = command[0].at - before.turning().since
        left = {seat: max(0, time - (ran if seat in asked else 0)) for seat, time in before.left.items()}
        assert left == fold.clocks.left
        assert before.late == fold.clocks.late
        assert (command[0].at, fold.state.asked) == (
            fold.clocks.turning().since,
            fold.clocks.turning().asked,
        )
        assert before.turning().turn == fold.clocks.turning().turn
        seen += 1
    assert seen > 3
    assert judge(GAME, played.commands) is None


# folds and records

MATCHES = [
    ("tiny", "campaign", {}, 250),
    ("tiny", "campaign", {"pairs": True}, 250),
    ("midway", "duel", {}, 250),
    ("nimitz", "1943", {"mode": 2}, 120),
    ("coral_sea", "campaign", {}, 120),
]


@pytest.mark.parametrize(("title", "scenario", "options", "most"), MATCHES)
def test_whatever_was_corrected_the_state_is_that_of_the_facts_that_stand(
    title: str, scenario: str, options: dict[str, bool], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a fold forgets, and knows what is corrected later."""
    monkeypatch.setattr("domain.match.fold.FORGET", 20)
    game = GAMES[title]
    played = play(game, scenario, options, seed=3, undos=0.1, corrected=0.06, most=most)
    facts, folded = played.facts, Fold(game)
    forgetful = Fold(game, forgets=True, undos=undos_of(facts))
    corrected = 0

    for command in played.commands:
        taken = folded.apply(command)
        forgetful.apply(command)
        stand = standing(facts[: command[-1].seq])
        assert stand == folded.facts
        if any(isinstance(fact, DiceCounted) for fact in taken):
            corrected += 1
            assert evolve(game.state(), [fact for _, fact in stand]) == folded.state
        assert folded.state == forgetful.state
        assert folded.position() == forgetful.position()
        assert forgetful.facts == folded.facts[len(folded.facts) - len(forgetful.facts) :]

    assert corrected > 2
    assert judge(game, played.commands) is None


def test_a_fold_that_does_not_know_of_it_says_so_and_one_from_before_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("domain.match.fold.FORGET", 20)
    played = long_ago()
    *before, last = played.commands
    forgetful, kept = Fold(GAME, forgets=True), list[Position]()
    for command in before:
        forgetful.apply(command)
        kept.append(forgetful.position())
    back_to = next(fact.back_to for _, fact in played.facts if isinstance(fact, Undone))
    whole = Fold(GAME)
    for command in played.commands:
        whole.apply(command)

    with pytest.raises(Forgotten) as caught:
        forgetful.apply(last)

    assert back_to == caught.value.back_to
    early = max((one for one in kept if one.seq <= back_to), key=lambda one: one.seq)
    late = next(one for one in kept if one.seq > back_to)
    assert whole.position() == gone_on(early, played).position()
    with pytest.raises(Forgotten):
        gone_on(late, played)


def gone_on(position: Position, played: Played) -> Fold:
    """The match folded from a position to its end, with its undos known."""
    fold = Fold.at_position(GAME, position, undos_of(played.facts))
    for command in played.commands:
        if command[0].seq > position.seq:
            fold.apply(command)
    return fold


def long_ago() -> Played:
    """A match of more facts than a fold holds, corrected back to near its beginning by its last command."""
    played = play(GAME, "campaign", seed=11, undos=0)
    told, fold = tale(played), Fold(GAME)
    facts = played.facts
    seq = [seq for seq, fact in facts if seat_of(fact) is not None][3]
    while len(told) < 3 or not any(seat_of(fact) for fact in told[-1][1]):
        told.pop()
    told.pop()
    for command in retold(played, told).commands:
        fold.apply(command)
    at = fold.at
    return retold(
        played,
        [
            *told,
            (at + SECOND, [CorrectionOffered(0, seq - 1, fold.decided_at(seq) or 0)]),
            (
                at + 2 * SECOND,
                [
                    CorrectionAnswered(1, agreed=True),
                    Undone(fold.decided_at(seq) or 0, seq - 1, consent=True),
                    DiceCounted(fold.state.rolls, fold.state.unseen or 0),
                ],
            ),
        ],
    )
