"""Unseen dice: for the umpire alone until the match has ended, and counted by themselves."""

from random import Random

from msgspec import Raw, structs

from domain.kernel.audience import Audience
from domain.kernel.dice import UNSEEN, Fair, Scripted, seeded
from domain.kernel.facts import Decided, Drew, Fact, Modifier, Roll, Rolled, RolledUnseen, UmpireFact, evolve
from domain.kernel.procedures import Decision, Flow, Procedure, ask
from domain.kernel.table import Table
from domain.match.adjudicate import decide_again, readjudicate
from domain.match.notices import GameEnded
from domain.match.undo import reach
from tests.kernel.playing import Playing, any_choice, copy_of
from tests.kernel.probe import Pass, Pick, Sight, probe


class Searching(Procedure):
    """Search, and only the umpire knows what was rolled for it; two searches make a match."""

    done: int = 0

    @ask("7.1", by="searcher")
    def search(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
        """Search."""
        return [Pick(1), Pick(2), Pass()]

    @search.chosen
    def _(self, table: Table, decision: Pick | Pass) -> Flow:
        assert () == table.roll_unseen("nothing", 0)
        if isinstance(decision, Pick):
            table.roll_unseen("search", decision.number, 10, by=0, target="4 or less hits", subject="it")
        table.draw("a straw", 3)
        table.roll("weather", 1)
        if isinstance(decision, Pick):
            table.roll_unseen("depth", 1, modifiers=[Modifier("night", -1)])
        self.done += 1
        if self.done == 2:
            table.record(GameEnded(None, "searched", "7.2"))
        return self.search

    @property
    def searcher(self) -> int:
        return 0


GAME = probe(Searching)


def searching(*choices: Decision) -> Playing:
    playing = Playing(GAME, "probe", {}, seeded(5))
    for choice in choices:
        playing.decide(0, choice)
    return playing


def of(playing: Playing, *kinds: type[Fact]) -> list[Fact]:
    return [fact for _, fact in playing.log if isinstance(fact, kinds)]


def test_an_unseen_roll_is_counted_by_itself_and_comes_from_the_upper_half() -> None:
    dice = seeded(5)
    playing = searching(Pick(2), Pick(1))

    assert [
        RolledUnseen(0, "7.1", "search", 0, 10, dice.roll(UNSEEN, 2, 10), "4 or less hits", "it"),
        RolledUnseen(1, "7.1", "depth", -1, 6, dice.roll(UNSEEN + 1, 1, 6), "", "", (Modifier("night", -1),)),
        RolledUnseen(2, "7.1", "search", 0, 10, dice.roll(UNSEEN + 2, 1, 10), "4 or less hits", "it"),
        RolledUnseen(3, "7.1", "depth", -1, 6, dice.roll(UNSEEN + 3, 1, 6), "", "", (Modifier("night", -1),)),
    ] == of(playing, RolledUnseen)
    assert 4 == playing.state.unseen


def test_open_dice_are_the_same_whether_or_not_there_were_unseen_ones() -> None:
    with_some, without = searching(Pick(2), Pick(1)), searching(Pass(), Pass())

    assert of(without, Rolled, Drew) == of(with_some, Rolled, Drew)
    assert [0, 1, 2, 3] == [fact.index for fact in of(with_some, Rolled, Drew)]  # type: ignore[attr-defined]


def test_a_state_tells_of_unseen_rolls_only_once_there_were_some() -> None:
    assert b"unseen" not in GAME.encode(searching(Pass()).state)
    for playing in (searching(Pass()), searching(Pick(1))):
        state = GAME.encode(playing.state)
        again = evolve(GAME.state(), (fact for _, fact in playing.log))
        assert state == GAME.encode(GAME.restore(state)) == GAME.encode(again)


def test_a_match_that_was_put_down_goes_on_counting() -> None:
    playing = searching(Pick(1))
    kept = Table(GAME, copy_of(GAME, playing.state), playing.dice)

    assert playing.table.decide(0, Pick(2)) == kept.decide(0, Pick(2))


def test_only_the_umpire_sees_it_and_no_undo_goes_back_past_it() -> None:
    fact = RolledUnseen(0, "7.1", "search", 0, 6, (2,))
    decided = Decided(0, Raw(GAME.encode(Pick(1))))

    assert isinstance(fact, UmpireFact)
    assert Audience.UMPIRE is fact.audience()
    assert fact.reveals
    assert reach([(1, decided), (2, fact)], 0, alone=True) is None


def test_it_is_written_as_an_open_roll_is_but_for_its_tag() -> None:
    fields = (3, "7.1", "search", 1, 6, (2, 5), "2 or less hits", "it", (Modifier("night", -1),))
    one, other = Rolled(*fields), RolledUnseen(*fields)

    assert GAME.encode(one).replace(b"Rolled", b"RolledUnseen") == GAME.encode(other)
    assert other == GAME.fact(GAME.encode(other))
    assert (one.words(), one.hits()) == (other.words(), other.hits())
    assert GAME.words(one) == GAME.words(other)


def test_words_name_its_purpose_as_those_of_an_open_roll() -> None:
    game = probe(Searching, names={"search": "The search"}, rolls={"search": "7.9"})

    assert "The search, 1d6: 2 (7.9)" == game.words(RolledUnseen(0, "7.1", "search", -1, 6, (2,)))


def test_a_command_is_decided_again_with_all_its_dice_in_order() -> None:
    playing = searching(Pick(2), Pass())

    assert [] == list(readjudicate(GAME, playing.log))
    again = decide_again(GAME, playing.log, next(n for n, f in playing.log if isinstance(f, RolledUnseen)))
    assert again is not None
    assert again.same


def test_a_changed_unseen_roll_is_a_difference_under_its_rule() -> None:
    playing = searching(Pick(2), Pass())
    at = next(n for n, fact in playing.log if isinstance(fact, RolledUnseen))
    log = [(n, structs.replace(f, index=7) if n == at else f) for n, f in playing.log]
    after = [(n, structs.replace(f, left=4) if n == at + 1 else f) for n, f in playing.log]

    assert (at, "") == next((one.seq, one.rule) for one in readjudicate(GAME, log))
    assert (at + 1, "7.1") == next((one.seq, one.rule) for one in readjudicate(GAME, after))


def test_a_script_has_unseen_dice_in_their_place() -> None:
    table, dice = searching().table, Scripted([[3], [2], [1], [4]])
    table.dice = dice

    facts = table.decide(0, Pick(1))

    assert [(3,), (1,), (4,)] == [fact.dice for fact in facts if isinstance(fact, Roll)]
    assert 0 == dice.left


def test_random_play_folds_to_the_same_state() -> None:
    chance, playing = Random(3), Playing(GAME, "probe", {}, Fair(b"key", [b"nonce"]))
    while not playing.state.match.over:
        playing.decide(*any_choice(playing.table, chance))

    assert GAME.encode(evolve(GAME.state(), (f for _, f in playing.log))) == GAME.encode(playing.state)
