"""Deciding a recorded match again: a true log shows nothing, and each change is found at its place."""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

import pytest
from msgspec import Raw, structs

from domain.kernel.dice import seeded
from domain.kernel.facts import Decided, Drew, Fact, Paused, Rolled, State, evolve
from domain.kernel.procedures import Decision, Flow, Procedure, Prompt, step
from domain.match import adjudicate, draws, notices, undoing
from domain.match.adjudicate import DecidedAgain, Difference, decide_again, readjudicate
from domain.match.game import Game
from domain.match.notices import GameEnded, Started, TimeOutClaimed
from domain.match.refusals import RequestError
from domain.match.undo import Undone, add, undos_of
from tests.kernel.playing import Log, Playing, any_choice
from tests.tiny import GAME
from tests.tiny.battle import Battle, Losses
from tests.tiny.facts import CardDrawn, FlagRaised, HandHas, LagoonOpened, Ordered, StepsLeft, TurnBegan
from tests.tiny.sequence import Campaign, Turn
from tests.tiny.table import Table


def eventful(seed: int, *, resigning: bool = False) -> Log:
    """A campaign with slips taken back, offers, draws declined, and decisions taken by the clock."""
    chance, playing = Random(seed), Playing(GAME, "campaign", {"pairs": bool(seed % 2)}, seeded(seed))
    while not playing.state.match.over:
        seat, decision = any_choice(playing.table, chance)
        if chance.random() < 0.15:
            playing.notice([TimeOutClaimed(seat)])
            prompt = playing.table.prompts[seat]
            playing.decide(seat, GAME.default(playing.state, seat, prompt), "default")
        else:
            playing.decide(seat, decision)
        if chance.random() < 0.3 and not playing.state.match.over:
            offers_and_slips(playing, seat, chance)
        if resigning and len(playing.log) > 120 and not playing.state.match.over:
            for quitter in playing.state.match.seats_of(0):
                playing.notice(notices.resign(playing.state.match, quitter))
    return playing.log


def offers_and_slips(playing: Playing, seat: int, chance: Random) -> None:
    match, asks = playing.state.match, chance.choice(("slip", "undo", "draw"))
    try:
        if asks == "slip":
            playing.notice(undoing.undo_slip(match, seat, playing.standing()))
        elif asks == "undo":
            playing.notice(undoing.offer_undo(match, seat, playing.standing()))
            agreed = chance.random() < 0.7
            for other in range(len(match.seats)):
                if match.undo and other not in match.undo:
                    playing.notice(undoing.answer_undo(match, other, playing.standing(), agreed=agreed))
        else:
            playing.notice(draws.offer_draw(match, seat))
            playing.notice(draws.answer_draw(match, (seat + 1) % 2, agreed=False))
    except RequestError:
        return


def numbered(facts: list[Fact]) -> Log:
    return list(enumerate(facts, 1))


def differences(log: Log, game: Game = GAME) -> list[Difference]:
    return list(readjudicate(game, log))


def place(log: Log, kind: type[Fact], which: int = 0) -> int:
    """The seq of a fact of a class."""
    return [seq for seq, fact in log if isinstance(fact, kind)][which]


def changed(log: Log, seq: int, **fields: Any) -> Log:
    """The log with one fact's fields changed."""
    return [(n, structs.replace(fact, **fields) if n == seq else fact) for n, fact in log]


def a_log_with_battle(seed: int = 0) -> Log:
    """A plain campaign in which dice fell and boats were hit, and that did not end with it."""
    while True:
        chance, playing = Random(seed), Playing(GAME, "campaign", {}, seeded(seed))
        while not playing.state.match.over:
            playing.decide(*any_choice(playing.table, chance))
        kinds = [type(fact) for _, fact in playing.log]
        if kinds.count(StepsLeft) > 2 and kinds.count(Rolled) > 3 and FlagRaised in kinds:
            return playing.log
        seed += 1


LOG = a_log_with_battle()


def test_a_true_log_shows_no_difference() -> None:
    for seed in range(40):
        assert [] == differences(eventful(seed))
        assert [] == differences(eventful(seed, resigning=True))


def test_the_matches_it_was_tried_on_were_eventful() -> None:
    kinds = {type(fact).__name__ for seed in range(40) for _, fact in eventful(seed)}
    hows = {fact.how for seed in range(40) for _, fact in eventful(seed) if isinstance(fact, Decided)}

    assert {
        "Undone",
        "UndoOffered",
        "UndoAnswered",
        "DrawOffered",
        "TimeOutClaimed",
        "Rolled",
        "Drew",
    } <= kinds
    assert {"chosen", "forced", "default"} == hows


def test_a_log_cut_short_shows_no_difference_up_to_there() -> None:
    cut = place(LOG, Decided, 5)

    assert [] == differences(LOG[: cut - 1])
    assert [] == differences(LOG[:5])
    assert [] == differences([])


@pytest.mark.parametrize("keep", [1, 7, 40])
def test_a_log_that_is_gone_through_once_shows_the_same(monkeypatch: pytest.MonkeyPatch, keep: int) -> None:
    found = 0
    for seed in range(12):
        log = eventful(seed)
        odd = changed(log, place(log, Decided, 4), how="ordered") if seed % 3 else log
        for game in (GAME, amended(procedures={"Battle": SureFire, "Turn": LongTurn})):
            expected = differences(odd, game)
            found += len(expected)
            with monkeypatch.context() as patch:
                patch.setattr(adjudicate, "KEEP", keep)

                assert expected == list(readjudicate(game, iter(odd), undos_of(odd)))
    assert found > 40


def test_no_more_is_held_of_a_log_than_an_undo_may_go_back_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adjudicate, "KEEP", 10)
    held = list[int]()

    def counted(stand: Log, seq: int, fact: Fact) -> None:
        add(stand, seq, fact)
        held.append(len(stand))

    monkeypatch.setattr(adjudicate, "add", counted)

    assert [] == list(readjudicate(GAME, iter(LOG), ()))
    assert len(LOG) > 4 * max(held)


def test_a_changed_die_is_found() -> None:
    seq = place(LOG, Rolled)
    rolled: Rolled = LOG[seq - 1][1]  # type: ignore[assignment]
    hits = sum(die <= 2 for die in rolled.dice)
    dice = (6,) * len(rolled.dice) if hits else (1,) * len(rolled.dice)

    found = differences(changed(LOG, seq, dice=dice))

    assert found
    assert found[0].seq > seq
    assert "5.2" == found[0].rule


def test_a_die_that_was_never_cast_is_found_by_its_roll() -> None:
    seq = place(LOG, Rolled)

    found = differences(changed(LOG, seq, dice=(7, 7, 7)))[0]

    assert found.seq < seq
    assert isinstance(found.recorded, Decided)
    assert "and the script says (7, 7, 7)" in str(found.found)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [(StepsLeft, {"steps": 0}), (FlagRaised, {"side": 5}), (Rolled, {"target": "1 or less hits"})],
)
def test_a_changed_fact_is_found_and_the_rest_is_checked(kind: type[Fact], fields: dict[str, Any]) -> None:
    seq = place(LOG, kind)

    first = differences(changed(LOG, seq, **fields))[0]

    assert seq == first.seq
    assert LOG[seq - 1][1] == first.found
    assert structs.replace(LOG[seq - 1][1], **fields) == first.recorded


def test_a_fact_from_before_a_later_field_is_no_difference() -> None:
    seq = place(LOG, FlagRaised)
    old = changed(LOG, seq, why="")

    again = decide_again(GAME, old, seq)

    assert [] == differences(old)
    assert again is not None
    assert again.same


@pytest.mark.parametrize("fields", [{"why": "for its looks"}, {"why": "", "side": 5}])
def test_a_later_field_that_says_something_else_is_found(fields: dict[str, Any]) -> None:
    seq = place(LOG, FlagRaised)

    assert LOG[seq - 1][1] == differences(changed(LOG, seq, **fields))[0].found


def test_a_changed_draw_is_found() -> None:
    seq = place(LOG, Drew, 4)
    drew: Drew = LOG[seq - 1][1]  # type: ignore[assignment]

    first = differences(changed(LOG, seq, places=((drew.places[0] + 1) % drew.left,)))[0]

    assert (seq + 1, drew.rule) == (first.seq, first.rule)
    assert isinstance(first.recorded, CardDrawn)


def test_two_changes_are_both_found() -> None:
    one, other = place(LOG, HandHas), place(LOG, FlagRaised, -1)
    log = changed(changed(LOG, one, cards=9), other, islet="islet:9")

    assert [one, other] == [found.seq for found in differences(log)]


def test_an_added_fact_is_found() -> None:
    seq = place(LOG, StepsLeft)
    facts = [fact for _, fact in LOG]
    log = numbered([*facts[:seq], FlagRaised("islet:1", 0), *facts[seq:]])

    first = differences(log)[0]

    assert seq + 1 == first.seq
    assert FlagRaised("islet:1", 0) == first.recorded
    assert LOG[seq][1] == first.found


def test_a_missing_fact_is_found_where_it_should_be() -> None:
    seq = place(LOG, StepsLeft)
    log = numbered([fact for n, fact in LOG if n != seq])

    first = differences(log)[0]

    assert seq == first.seq
    assert LOG[seq - 1][1] == first.found
    assert LOG[seq][1] == first.recorded


def test_a_missing_last_fact_is_found_at_the_end_of_its_decision() -> None:
    first = differences(LOG[:-1])[0]

    assert len(LOG) - 1 == first.seq
    assert None is first.recorded
    assert isinstance(first.found, GameEnded)


def test_a_fact_added_at_the_end_of_a_decision_is_found() -> None:
    seq = place(LOG, Decided, 1)
    facts = [fact for _, fact in LOG]
    log = numbered([*facts[: seq - 1], FlagRaised("islet:1", 0), *facts[seq - 1 :]])

    assert Difference(seq, "", FlagRaised("islet:1", 0), None) == differences(log)[0]


@pytest.mark.parametrize("added", [FlagRaised("islet:1", 0), GameEnded(0, "because", "7.1")])
def test_a_fact_that_belongs_to_no_decision_is_found(added: Fact) -> None:
    """It stands where only notices do, after one of them."""
    seq = place(LOG, Decided, 1)
    facts = [fact for _, fact in LOG]
    log = numbered([*facts[: seq - 1], draws.DrawOffered(0), added, *facts[seq - 1 :]])

    assert Difference(seq + 1, "", added, None) == differences(log)[0]


def test_a_fact_before_the_start_is_found() -> None:
    facts = [fact for _, fact in LOG]
    log = numbered([facts[0], FlagRaised("islet:1", 0), *facts[1:]])

    assert Difference(2, "", FlagRaised("islet:1", 0), None) == differences(log)[0]


@pytest.mark.parametrize(
    ("decision", "says"),
    [
        (b'{"type":"Sail","islet":"islet:9"}', "not on the list of rule 4.1"),
        (b'{"type":"Pass"}', "not on the list of rule 4.1"),
    ],
)
def test_an_illegal_decision_is_found(decision: bytes, says: str) -> None:
    seq = place(LOG, Decided)
    log = changed(LOG, seq, decision=Raw(decision))

    assert Difference(seq, "4.1", log[seq - 1][1], says) == differences(log)[0]


def test_a_decision_of_a_seat_that_was_not_asked_is_found() -> None:
    seq = place(LOG, Decided, 1)
    first = differences(changed(LOG, seq, seat=LOG[place(LOG, Decided) - 1][1].seat))[0]  # type: ignore[attr-defined]

    assert (seq, "", "this seat is not asked") == (first.seq, first.rule, first.found)


@pytest.mark.parametrize("decision", [b'{"type":"Scuttle"}', b'{"type":"Sail"}', b"{"])
def test_a_decision_that_the_title_no_longer_knows_is_found(decision: bytes) -> None:
    seq = place(LOG, Decided, 3)

    first = differences(changed(LOG, seq, decision=Raw(decision)))[0]

    assert seq == first.seq
    assert LOG[seq - 1][1].seat == first.recorded.seat  # type: ignore[attr-defined,union-attr]
    assert isinstance(first.found, str)


def test_a_bookmark_that_the_title_no_longer_knows_is_found_and_the_check_ends_well() -> None:
    seq = place(LOG, Paused, 2)

    first, second, *_ = differences(changed(LOG, seq, push=(Raw(b'{"type":"Siege"}'),)))

    assert seq == first.seq
    assert place(LOG, Decided, 2) == second.seq
    assert "Siege" in str(second.found)


def test_after_a_difference_the_rest_is_decided_again() -> None:
    seq = place(LOG, HandHas)
    log = changed(LOG, seq, cards=9)

    assert [seq] == [difference.seq for difference in differences(log)]


def test_differences_in_the_midst_of_undone_ranges_and_notices() -> None:
    log = next(
        log
        for log in map(eventful, range(100))
        if any(isinstance(fact, Undone) for _, fact in log) and place(log, HandHas, -1) > 150
    )
    seq = place(log, HandHas, -1)

    assert [seq] == [difference.seq for difference in differences(changed(log, seq, cards=9))]


def test_a_default_that_is_another_than_the_titles_is_found() -> None:
    playing = Playing(GAME, "skirmish")
    seat = min(playing.table.prompts)
    prompt = playing.table.prompts[seat]
    default = GAME.default(playing.state, seat, prompt)
    other = next(option for option in prompt.options if option != default)
    playing.decide(seat, other, "default")

    found = differences(playing.log)

    assert [f"the default is {default}"] == [difference.found for difference in found]
    assert [place(playing.log, Decided)] == [difference.seq for difference in found]
    assert f"the default is {default}" == again(playing.log, found[0].seq).refused


def test_a_default_is_found_from_the_state_and_of_a_seat_that_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    playing = Playing(GAME, "skirmish")
    for _ in range(2):
        seat = min(playing.table.prompts)
        default = GAME.default(playing.state, seat, playing.table.prompts[seat])
        playing.decide(seat, default, "default")
    seq, true = place(playing.log, Decided), GAME.default
    started = list[bool]()

    def noted(state: State[Any, Any], seat: int, prompt: Prompt) -> Decision:
        started.append(state.match.started)
        return true(state, seat, prompt)

    monkeypatch.setattr(GAME, "default", noted)

    assert [] == differences(playing.log)
    assert [True, True] == started
    assert "this seat is not asked" == differences(changed(playing.log, seq, seat=9))[0].found


def test_after_a_difference_an_undo_goes_back_to_where_it_says() -> None:
    playing = Playing(GAME, "campaign", {}, seeded(1))
    first, second = sorted(playing.table.prompts)
    before = len(playing.log)
    for seat in (first, second):
        playing.decide(seat, playing.table.prompts[seat].options[0])
    playing.notice([Undone(first, before)])
    playing.decide(first, playing.table.prompts[first].options[1])
    undone = place(playing.log, Undone)
    log = changed(playing.log, place(playing.log, Ordered), islet="islet:3")

    found = [difference.seq for difference in differences(log)]

    assert found
    assert max(found) < undone


def test_what_was_taken_back_is_decided_again_too() -> None:
    playing = Playing(GAME, "skirmish")
    seat, decision = any_choice(playing.table, Random(1))
    playing.decide(seat, decision)
    playing.notice(undoing.undo_slip(playing.state.match, seat, playing.standing()))
    playing.decide(*any_choice(playing.table, Random(2)))
    seq = place(playing.log, Decided)

    assert [] == differences(playing.log)
    odd = changed(playing.log, seq, decision=Raw(b'{"type":"Pass"}'))
    assert [seq] == [difference.seq for difference in differences(odd)]


def test_undos_one_inside_another_with_notices_between_go_back_to_where_they_say() -> None:
    """The later undo goes back behind a notice at which the state was kept, and which stands."""
    playing = Playing(GAME, "campaign", {"pairs": True}, seeded(1))
    match = playing.state.match
    first, second = sorted(playing.table.prompts)
    before = len(playing.log)
    playing.decide(first, playing.table.prompts[first].options[0])
    playing.notice(draws.offer_draw(match, second))
    between = len(playing.log)
    playing.notice([Undone(first, between)])  # goes back nowhere: the state at the notice is kept
    playing.notice([Undone(first, before)])
    playing.decide(first, playing.table.prompts[first].options[1])
    playing.decide(second, playing.table.prompts[second].options[0])

    assert [] == differences(playing.log)


def test_after_an_undo_no_more_is_folded_than_what_came_since(monkeypatch: pytest.MonkeyPatch) -> None:
    playing = Playing(GAME, "campaign", {}, seeded(1))
    for _ in range(20):
        seat = min(playing.table.prompts)
        playing.decide(seat, playing.table.prompts[seat].options[0])
        playing.notice(undoing.undo_slip(playing.state.match, seat, playing.standing()))
    folds = list[int]()

    def counted(state: State[Any, Any], facts: Iterable[Fact]) -> State[Any, Any]:
        taken = [*facts]
        folds.append(len(taken))
        return evolve(state, taken)

    monkeypatch.setattr(adjudicate, "evolve", counted)

    assert [] == differences(playing.log)
    assert [place(playing.log, Started) - 1, *[1] * 19] == folds


class SureFire(Battle, tag="Battle"):
    """A change of the rules: every die hits."""

    def volley(self, table: Table, side: int) -> int:
        return super().volley(table, side) * 0 + 3


class LongTurn(Turn, tag="Turn"):
    """A change of the rules: a forgotten step."""

    @step("3.4")
    def sunset(self, table: Table) -> Flow:
        table.record(TurnBegan(table.open.turn))
        return None


class Endless(Turn, tag="Turn"):
    """A change of the rules that was not thought through."""

    @step("3.4")
    def flags(self, table: Table) -> Flow:  # noqa: ARG002
        return self.flags


NO_FRAMES: Mapping[str, type[Procedure]] = {}


def nothing(*_: object) -> list[Fact]:
    return []


def amended(
    closing: Callable[..., list[Fact]] = nothing, procedures: Mapping[str, type[Procedure]] = NO_FRAMES
) -> Game:
    """The tiny title under other rules: a class takes the place of another with its tag."""
    return Game(
        name="tiny",
        title=GAME.title,
        revision="2",
        sides=GAME.sides,
        scenarios=tuple(GAME.scenarios.values()),
        options=tuple(GAME.options.values()),
        names=GAME.names,
        open=GAME.open,
        own=GAME.own,
        facts=GAME.facts[-13:],
        procedures=[procedures.get(procedure.__name__, procedure) for procedure in GAME.procedures],
        decisions=GAME.decisions,
        seats=GAME.seats,
        first=GAME.first,
        default=GAME.default,
        table=GAME.table,
        view=GAME.view,
        screen=GAME.screen,
        closing=closing,
    )


@pytest.fixture
def new_rules(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Game]:
    """Put new procedures in the place of old ones, in what is begun and in what is resumed."""

    def change(**procedures: type[Procedure]) -> Game:
        for name, procedure in procedures.items():
            monkeypatch.setattr(f"tests.tiny.sequence.{name}", procedure)
        return amended(procedures=procedures)

    return change


def test_a_change_of_the_rules_is_found_where_it_matters(new_rules: Callable[..., Game]) -> None:
    found = differences(LOG, new_rules(Battle=SureFire))

    assert found
    assert {"5.2"} == {difference.rule for difference in found}
    rolled = {seq for seq, fact in LOG if isinstance(fact, Rolled)}
    assert all(rolled & set(range(found_at.seq - 2, found_at.seq + 1)) for found_at in found[:1])


def test_a_step_that_was_forgotten_is_found_in_every_turn(new_rules: Callable[..., Game]) -> None:
    found = differences(LOG, new_rules(Turn=LongTurn))

    assert found
    assert {TurnBegan} == {type(difference.found) for difference in found}


def test_rules_that_run_in_a_circle_are_found(new_rules: Callable[..., Game]) -> None:
    found = differences(LOG, new_rules(Turn=Endless))

    assert any("steps without a question" in str(difference.found) for difference in found)


def test_a_start_that_went_otherwise_is_found() -> None:
    seq = place(LOG, LagoonOpened)

    assert [seq] == [difference.seq for difference in differences(changed(LOG, seq, captains=(1, 0)))][:1]


def test_a_start_without_the_dice_it_needs_is_found() -> None:
    log = numbered([fact for seq, fact in LOG if not isinstance(fact, Drew)])

    first = differences(log)[0]

    assert place(LOG, Started) == first.seq
    assert "the script is at its end" in str(first.found)


def test_the_tiny_title_has_the_frames_that_these_tests_take_for_granted() -> None:
    assert {Campaign, Turn, Battle, Losses} <= set(GAME.procedures)


# One command


def again(log: Log, seq: int, game: Game = GAME) -> DecidedAgain:
    found = decide_again(game, log, seq)
    assert found is not None
    return found


def test_every_command_of_a_true_log_comes_out_the_same_by_itself_undone_ones_too() -> None:
    logs = [eventful(seed) for seed in range(3)]
    begun = [[n for n, f in log if isinstance(f, Decided) and f.how != "forced"] for log in logs]

    commands = [again(log, seq) for log, seqs in zip(logs, begun, strict=True) for seq in seqs]

    assert any(isinstance(fact, Undone) for log in logs for _, fact in log)
    assert [True] * len(commands) == [command.same for command in commands]


def test_a_command_is_found_by_any_of_its_facts_and_cut_at_both_ends() -> None:
    first, last = place(LOG, Decided, 5), place(LOG, Decided, 6) - 1

    commands = {tuple(seq for seq, _ in again(LOG, seq).recorded) for seq in range(first, last + 1)}

    assert {tuple(range(first, last + 1))} == commands


@pytest.mark.parametrize("seed", range(3))
def test_a_command_is_decided_again_from_a_log_that_is_read_as_far_as_it_goes(seed: int) -> None:
    log = eventful(seed)
    undos = undos_of(log)
    assert undos

    for seq, _ in log:
        rest = iter(log)
        again = decide_again(GAME, rest, seq, undos)

        assert decide_again(GAME, log, seq) == again
        read = len(log) - len([*rest])
        last = again.recorded[-1][0] if again else seq
        assert read <= next((n for n, fact in log if n > last and isinstance(fact, Decided)), len(log))


def test_the_start_of_play_is_a_command() -> None:
    seq = place(LOG, Started)

    assert (True, seq) == (again(LOG, seq + 1).same, again(LOG, seq + 1).recorded[0][0])


def test_notices_and_facts_that_are_not_there_are_no_commands() -> None:
    assert [None] * 4 == [decide_again(GAME, LOG, seq) for seq in (0, 1, 2, len(LOG) + 1)]


def test_a_command_does_not_look_beyond_itself() -> None:
    seq = place(LOG, Decided, 5)
    command = again(LOG, seq)

    assert command == again(LOG[: command.recorded[-1][0]], seq)


def test_a_changed_fact_shows_in_its_own_command() -> None:
    seq = place(LOG, StepsLeft)
    command = again(changed(LOG, seq, steps=0), seq)

    was, now = next((r, f) for (_, r), f in zip(command.recorded, command.found, strict=False) if r != f)
    assert not command.same
    assert (0, LOG[seq - 1][1]) == (was.steps, now)  # type: ignore[attr-defined]


def test_a_command_that_cannot_be_decided_says_why() -> None:
    seq = place(LOG, Decided, 5)
    command = again(changed(LOG, seq, decision=Raw(b'{"type":"Lose","boat":"boat:9"}')), seq)

    assert ((), False) == (command.found, command.same)
    assert "not on the list of rule" in command.refused


def test_a_fact_that_came_of_no_decision_says_so() -> None:
    seq = place(LOG, Started)
    log = [*LOG[: seq - 1], (seq, TurnBegan(1))]

    assert "it came of no decision" == again(log, seq).refused


def test_a_log_that_the_rules_cannot_bear_is_an_answer_and_no_bug() -> None:
    log = changed(LOG, place(LOG, StepsLeft), boat="boat:9")

    command = again(log, place(LOG, Decided, -1))

    assert not command.same
    assert "do not fit the rules" in command.refused


def raises_flag(state: State[Any, Any], end: GameEnded) -> list[Fact]:
    assert not state.match.over
    return [FlagRaised(end.reason, 1), FlagRaised(f"turn {state.open.turn}", 1)]


def closed(*said: Fact) -> Log:
    """A match of a title that raises flags at a resignation, with these facts before its end."""
    playing = Playing(amended(raises_flag), "skirmish", {}, seeded(3))
    playing.decide(*any_choice(playing.table, Random(3)))
    resigned, ended = notices.resign(playing.state.match, 0)
    playing.notice([resigned, *said, ended])
    return playing.log


def test_what_a_title_says_of_a_resignation_is_decided_again() -> None:
    game, said = amended(raises_flag), (FlagRaised("resignation", 1), FlagRaised("turn 1", 1))
    log = closed(*said)
    end = log[-1][0]

    assert [] == [*readjudicate(game, log)]
    assert [*said, log[-1][1]] == game.noted(evolve(game.state(), [f for _, f in log[:-3]]), [log[-1][1]])
    other = FlagRaised("resignation", 0)
    assert [Difference(end - 2, "", other, said[0])] == [*readjudicate(game, closed(other, said[1]))]
    assert [Difference(end - 2, "", log[-1][1], said[0])] == [*readjudicate(game, closed())]


def test_what_a_title_says_without_an_end_came_of_no_decision() -> None:
    game, said = amended(raises_flag), FlagRaised("resignation", 1)
    log = closed(said)[:-1]

    assert [Difference(log[-1][0], "", said, None)] == [*readjudicate(game, log)]
    assert "it came of no decision" == getattr(decide_again(game, log, log[-1][0]), "refused", "")
    assert decide_again(game, closed(said), log[-1][0]) is None


def test_what_a_title_says_of_a_resignation_it_says_of_who_resigned() -> None:
    game = amended(lambda state, end: [FlagRaised(f"{end.reason} of {state.match.resigned}", 1)])
    playing = Playing(game, "skirmish", {}, seeded(3))
    playing.decide(*any_choice(playing.table, Random(3)))
    resigned, ended = notices.resign(playing.state.match, 0)
    playing.notice([resigned, FlagRaised("resignation of (0,)", 1), ended])

    assert [] == [*readjudicate(game, playing.log)]


def test_a_fact_behind_an_end_that_the_title_closed_is_found() -> None:
    log = closed(FlagRaised("resignation", 1), FlagRaised("turn 1", 1))
    behind = FlagRaised("islet:1", 0)
    seq = log[-1][0] + 1

    assert [Difference(seq, "", behind, None)] == [*readjudicate(amended(raises_flag), [*log, (seq, behind)])]


def test_an_end_that_nobody_resigned_for_leaves_the_decision_before_it_true() -> None:
    facts = [fact for _, fact in closed() if not isinstance(fact, notices.Resigned)]

    assert [Paused, GameEnded] == [type(fact) for fact in facts[-2:]]
    assert [] == differences(numbered(facts))


def test_a_decision_with_which_a_record_breaks_off_is_decided_again() -> None:
    seq = next(seq for seq, fact in LOG if isinstance(fact, Decided) and fact.how == "chosen")
    command = again(LOG[:seq], seq)

    assert (LOG[seq - 1],) == command.recorded
    assert LOG[seq - 1][1] == command.found[0]
    assert len(command.found) > 1
    with pytest.raises(AttributeError):
        command.refused = "it was refused"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        differences(changed(LOG, place(LOG, Rolled), dice=(1,)))[0].seq = 1  # type: ignore[misc]
