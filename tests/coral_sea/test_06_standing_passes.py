"""C6.6 and C6.9: who is asked and waited for, and standing passes, tell nobody what a side holds."""

from random import Random
from typing import Any

import pytest
from msgspec import Struct

from domain.coral_sea import CORAL_SEA
from domain.coral_sea.cards import legal
from domain.coral_sea.charts import DECKS
from domain.coral_sea.decisions import AskAgain, EndOperation, Pass, PassOn, PlayReaction
from domain.coral_sea.facts import OperationEnded
from domain.coral_sea.intelligence import board as whole
from domain.coral_sea.reactions import AFTER_ACTION, CHECK_FAILED, OP_END, OP_OPEN, WINDOWS, ordered
from domain.coral_sea.secrets import StandingPasses
from domain.kernel.audience import Audience
from domain.kernel.dice import seeded
from domain.kernel.facts import Decided, Fact, State
from domain.kernel.table import Illegal, Table
from domain.match.adjudicate import readjudicate
from domain.match.views import Views, patches
from tests.coral_sea.board import AL, JP, Board, of, operation
from tests.kernel.playing import Playing, any_choice, copy_of
from tests.kernel.secrecy import message
from tests.seen import view


def opened(side: int = AL, **more: Any) -> Board:
    """An operation that has just been opened, at its first window, in which its owner is asked."""
    return operation(side, "papuan_coast", {"a_30": "abau", "j_144": "lae"}, stop=True, **more)


def standing(board: Board, side: int) -> tuple[str, ...]:
    return board.own(side).passing or ()


@pytest.mark.parametrize("hand", [("J24",), ("J07",), ()])
def test_c6_9_passing_on_is_offered_whatever_a_side_holds(hand: tuple[str, ...]) -> None:
    board = opened(hands=(hand, ()))
    board._take(AL, Pass())

    assert [JP] == board.asked
    assert [Pass(), PassOn()] == [
        option for option in board.offered() if not isinstance(option, PlayReaction)
    ]


def test_c6_9_a_standing_pass_is_for_windows_of_its_kind_and_ends_with_the_operation() -> None:
    board = opened()
    board._take(AL, PassOn())
    board._take(JP, PassOn())
    assert ((OP_OPEN,), (OP_OPEN,)) == (standing(board, JP), standing(board, AL))

    board.watch = True
    facts = board.go(EndOperation())
    while board.rule == "C6.5":
        seat = board.asked[0]
        assert None is ordered(board.table.state, seat, board.table.prompts[seat])
        facts += board.table.decide(seat, Pass())

    assert [OperationEnded(AL)] == of(facts, OperationEnded)
    assert ((), ()) == (standing(board, JP), standing(board, AL))


def test_c6_9_what_is_ordered_is_to_pass_on_and_only_that_is_taken_as_ordered() -> None:
    board = opened()
    refused = [Pass(), PassOn()]
    for decision in refused:
        with pytest.raises(Illegal):
            board.table.decide(AL, decision, "ordered")
    StandingPasses(AL, (OP_OPEN,)).fold(board.table.state)

    assert PassOn() == ordered(board.table.state, AL, board.table.prompts[AL])
    with pytest.raises(Illegal):
        board.table.decide(AL, Pass(), "ordered")
    facts = board.table.decide(AL, PassOn(), "ordered")
    assert ["ordered"] == [fact.how for fact in of(facts, Decided)]
    assert (OP_OPEN,) == standing(board, AL)


@pytest.mark.parametrize("answer", [Pass(), PlayReaction("J24")])
def test_c6_9_any_other_answer_of_its_own_ends_the_standing_pass_for_this_kind_alone(answer: Any) -> None:
    board = opened(hands=(("J24",), ()))
    board._take(AL, Pass())
    StandingPasses(JP, (OP_OPEN, CHECK_FAILED)).fold(board.table.state)

    board._take(JP, answer)

    assert (CHECK_FAILED,) == standing(board, JP)


def test_c6_9_a_side_may_ask_to_be_asked_in_every_window_again() -> None:
    board = opened(options={"always_ask": True})
    board._take(AL, Pass())
    StandingPasses(AL, (AFTER_ACTION, CHECK_FAILED)).fold(board.table.state)
    assert AskAgain() not in board.offered(seat=JP)
    board._take(JP, Pass())
    board.watch = True

    board.go(EndOperation())
    assert ([AL], "C6.5") == (board.asked, board.rule)
    board._take(AL, AskAgain())

    assert () == standing(board, AL)


def test_c6_9_a_match_begun_before_there_were_standing_passes_has_none() -> None:
    board = opened(options={"standing_passes": False})
    assert [Pass()] == board.offered()

    facts = board.table.decide(AL, Pass())

    assert [] == of(facts, StandingPasses)


def test_c6_9_c27_the_owner_sees_its_standing_passes_and_nobody_else_does() -> None:
    board = opened()
    board._take(AL, PassOn())
    own, foe, onlooker = (view(CORAL_SEA, board.table.state, Audience.of(side)) for side in (AL, JP, None))

    assert {OP_OPEN: "An operation is open, before its first action"} == own["table"]["own"]["passing"]
    assert "passing" not in foe["table"]["own"]
    assert "own" not in onlooker["table"]


# One public course, two hands, three ways to pass


class Told(Struct):
    """What a course came to: for each command what the others were sent, and how many facts there were."""

    said: list[tuple[bytes, ...]]
    facts: list[int]
    hows: set[str]
    log: list[Fact]


def hands(state: State[Any, Any], side: int) -> tuple[list[str], list[str]] | None:
    """A hand with a card that fits the window that is open, and one without, as many cards each."""
    own, table = state.own[side], Table(CORAL_SEA, copy_of(CORAL_SEA, state), seeded(1))
    free = [c for c in DECKS[side] if c not in {*state.open.played[side], *own.discards}]
    fits = [c for c in free if legal(whole(table), side, c, state.open.windows[-1])]
    dull = [c for c in free if not any(legal(table.open, side, c, window, public=True) for window in WINDOWS)]
    count = len(own.hand)
    return ([fits[0], *dull[: count - 1]], dull[:count]) if fits and len(dull) >= count > 0 else None


def course(state: State[Any, Any], side: int, hand: list[str], way: str, seed: int) -> Told:
    """Play from a window to the end of the operation; `side` passes in every window, in some way.

    Nothing of its hand is chosen before the operation is over, so every way has the same public course.
    """
    state = copy_of(CORAL_SEA, state)
    state.own[side].hand = list(hand)
    table, chance, whim = Table(CORAL_SEA, state, seeded(seed)), Random(seed), Random(seed)
    others = [Audience.of(audience) for audience in (0, 1, None) if audience != side]
    # They follow the change as on a server: that they are the same as made from nothing is proven elsewhere.
    views = Views(CORAL_SEA)
    seen = views.of(state, others)
    told = Told([], [], set(), [])
    while not state.match.over and not any(isinstance(fact, OperationEnded) for fact in told.log):
        seat = min(table.prompts)
        prompt = table.prompts[seat]
        if prompt.rule == "C6.5":
            by_order = state.match.side(seat) == side and ordered(state, seat, prompt) is not None
            on = way == "on" or (way == "mixed" and whim.random() < 0.5)
            decision = PassOn() if state.match.side(seat) == side and (by_order or on) else Pass()
            facts = table.decide(seat, decision, "ordered" if by_order else "chosen")
        else:
            busy = [option for option in prompt.options if option != EndOperation()]
            facts = table.decide(seat, chance.choice(busy or prompt.options))
        numbered = list(enumerate(facts, len(told.log) + 1))
        now = views.of(state, others)
        changes = patches({other: (seen[other], now[other]) for other in others})
        told.said.append(tuple(message(table, numbered, changes[other], other.side) for other in others))
        told.facts.append(len(facts))
        told.hows |= {fact.how for fact in facts if isinstance(fact, Decided)}
        told.log += facts
        seen = now
    return told


@pytest.mark.parametrize("options", [{}, {"always_ask": True}, {"limited_intelligence": True}])
@pytest.mark.parametrize(
    ("seed", "most"), [(1, 3), *(pytest.param(n, 6, marks=pytest.mark.soak) for n in range(1, 12))]
)
def test_c6_6_c6_9_r79_a_hand_and_a_way_to_pass_tell_the_others_nothing(
    seed: int, most: int, options: dict[str, bool]
) -> None:
    chance, compared, hows = Random(seed), 0, set[str]()
    playing = Playing(CORAL_SEA, "campaign", options, seeded(seed))
    while (compared < most or "ordered" not in hows) and not playing.state.match.over:
        seat = min(playing.table.prompts)
        state, side = playing.state, playing.state.match.side(seat)
        # With the operation's last window no other of its kind comes, and no order is carried out.
        window = playing.table.prompts[seat].rule == "C6.5" and state.open.windows[-1] != OP_END
        if window and (pair := hands(state, side)):
            one, *rest = [
                course(state, side, hand, way, seed + compared)
                for hand in pair
                for way in ("by hand", "on", "mixed")
            ]
            for told in rest:
                assert (one.said, one.facts) == (told.said, told.facts)
            hows = hows.union(*(told.hows for told in rest))
            compared += 1
        playing.decide(*any_choice(playing.table, chance))

    assert most <= compared
    assert {"chosen", "ordered"} <= hows


def test_c6_9_a_match_with_ordered_passes_is_decided_again_as_it_was() -> None:
    chance, playing = Random(7), Playing(CORAL_SEA, "campaign", {}, seeded(7))
    hows = []
    while not playing.state.match.over and len(playing.log) < 4_000:
        seat, decision = any_choice(playing.table, chance)
        order = ordered(playing.state, seat, playing.table.prompts[seat])
        facts = playing.table.decide(seat, order or decision, "ordered" if order else "chosen")
        playing._keep(facts)
        hows += [fact.how for fact in of(facts, Decided)]

    assert "ordered" in hows
    assert [] == list(readjudicate(CORAL_SEA, playing.log))
