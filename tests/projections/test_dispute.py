"""A command decided again as an audience may know it: the record beside what was found, nothing hidden."""

from itertools import groupby
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.audience import VIEWERS, Audience, Reader
from domain.kernel.facts import Decided, Rolled, Secret
from domain.titles import TITLES
from projections.dispute import ComparedFact, Dispute, dispute
from tests.projections.play import Played, play
from tests.tiny import GAME
from tests.tiny.facts import CardDrawn, StepsLeft

NORTH, SOUTH, ONLOOKERS = VIEWERS


def campaign(commands: int = 0) -> Played:
    """A campaign of the tiny title, the beginning of it, or all."""
    whole = play(GAME, "campaign", seed=4, undos=0.2)
    return whole.cut(commands) if commands else whole


def told(played: Played, seq: int, audience: Reader) -> Dispute:
    found = dispute(played.game, played.entries, seq, audience)
    assert found is not None
    return found


def seqs(played: Played, kind: type[Any]) -> list[int]:
    return [seq for seq, fact in played.facts if isinstance(fact, kind)]


def fact_at(played: Played, seq: int) -> Any:
    return played.facts[seq - 1][1]


def altered(played: Played, seq: int, **fields: Any) -> Played:
    """The match as somebody who owns the database would leave it: one fact changed, all linked anew."""
    return played.changed(seq, replace(fact_at(played, seq), **fields))


def test_after_the_end_all_facts_of_a_command_are_told_side_by_side() -> None:
    played = campaign()
    seq = seqs(played, Rolled)[0]
    disputed = told(played, seq, Audience.UMPIRE)

    facts = [(n, GAME.words(fact)) for n, fact in played.facts if disputed.first <= n <= disputed.last]
    assert facts[0][0] == disputed.first <= seq <= disputed.last
    assert facts == [(line.seq, line.recorded.words if line.recorded else "") for line in disputed.lines]
    assert all(line.same and line.recorded == line.found for line in disputed.lines)
    assert (True, True, 0, "5.2") == (disputed.same, disputed.hidden_same, disputed.hidden, disputed.rule)
    assert (GAME.revision, GAME.revision) == (disputed.played, disputed.revision)


@pytest.mark.parametrize("audience", [NORTH, SOUTH, ONLOOKERS])
def test_who_may_not_see_a_fact_hears_only_that_it_came_out_the_same(audience: Reader) -> None:
    played = campaign()
    for _, command in groupby(played.entries, lambda entry: entry.command):
        entries = list(command)
        disputed = dispute(GAME, played.entries, entries[-1].seq, audience)
        if disputed is None:
            continue
        shown = [
            e.seq for e in played.entries[disputed.first - 1 : disputed.last] if audience.sees(e.audience)
        ]
        assert shown == [line.seq for line in disputed.lines]
        assert disputed.last - disputed.first + 1 - len(shown) == disputed.hidden
        assert (True, True, False) == (disputed.same, disputed.hidden_same, disputed.withheld)


def test_the_rule_of_a_hidden_roll_is_not_told() -> None:
    played = campaign()
    drawn = seqs(played, CardDrawn)

    assert "" == told(played, drawn[0], ONLOOKERS).rule
    assert "2.2" == told(played, drawn[0], Audience.UMPIRE).rule


def test_a_changed_fact_is_shown_beside_what_it_should_be() -> None:
    played = campaign()
    seq = seqs(played, StepsLeft)[0]
    true = fact_at(played, seq)

    disputed = told(altered(played, seq, steps=7), seq, Audience.UMPIRE)

    (differs,) = (line for line in disputed.lines if not line.same)
    assert differs.found is not None
    assert differs.recorded is not None
    assert (seq, true.words()) == (differs.seq, differs.found.words)
    assert "7 steps" in differs.recorded.words
    assert (False, True) == (disputed.same, disputed.hidden_same)


def test_a_fact_too_many_leaves_the_rest_on_its_lines() -> None:
    played = campaign()
    seq = seqs(played, StepsLeft)[0]
    facts = [fact for _, fact in played.facts]
    entry = played.entries[seq - 1]
    doubled = [*played.entries[:seq], replace(entry, seq=seq + 1)]
    doubled += [replace(later, seq=later.seq + 1) for later in played.entries[seq:]]

    disputed = dispute(GAME, doubled, seq, Audience.UMPIRE)

    assert disputed is not None
    assert len(doubled) == len(facts) + 1
    assert 1 == sum(not line.same for line in disputed.lines)
    assert [None] == [line.found for line in disputed.lines if not line.same]


@pytest.mark.parametrize("audience", [NORTH, SOUTH, ONLOOKERS])
def test_while_a_match_with_screens_goes_on_what_was_found_instead_is_not_told(audience: Reader) -> None:
    played = campaign()
    seq = seqs(played, StepsLeft)[0]

    disputed = told(altered(played, seq, steps=7), seq, audience)

    first = next(n for n, line in enumerate(disputed.lines) if not line.same)
    assert seq == disputed.lines[first].seq
    assert all(line.recorded == line.found for line in disputed.lines[:first])
    assert {(None, False)} == {(line.found, line.same) for line in disputed.lines[first:]}
    assert (False, True) == (disputed.same, disputed.withheld)


def test_a_difference_in_what_is_hidden_is_told_without_it() -> None:
    played = campaign()
    seq = next(n for n in seqs(played, Secret) if fact_at(played, n).side == 0)
    fact = fact_at(played, seq)
    other = "card:99" if isinstance(fact, CardDrawn) else "islet:3"
    field = "card" if isinstance(fact, CardDrawn) else "islet"
    forged = altered(played, seq, **{field: other})

    south, north = told(forged, seq, SOUTH), told(forged, seq, NORTH)

    assert (False, False, True) == (south.same, south.hidden_same, south.withheld)
    assert all(line.same for line in south.lines)
    assert [False] == [line.same for line in north.lines if line.seq == seq]
    assert None is next(line.found for line in north.lines if line.seq == seq)


def test_why_a_command_cannot_be_decided_is_kept_while_the_match_goes_on() -> None:
    played = campaign()
    seq = seqs(played, Decided)[4]
    forged = altered(played, seq, seat=1 - fact_at(played, seq).seat)

    assert "this seat is not asked" == told(forged, seq, Audience.UMPIRE).refused
    assert "it is told when the match has ended" == told(forged, seq, SOUTH).refused


def test_a_title_without_screens_tells_what_was_found_at_once() -> None:
    played = play(TITLES["nimitz"], "1942", {"mode": 1}, seed=2, most=40)
    chosen = next(seq for seq, fact in played.facts if type(fact).__name__ == "Chose")

    disputed = told(altered(played, chosen, question="altered"), chosen, ONLOOKERS)

    assert [chosen] == [line.seq for line in disputed.lines if not line.same]
    assert all(isinstance(line, ComparedFact) and line.found for line in disputed.lines)
    assert (False, False) == (disputed.same, disputed.withheld)


@pytest.mark.parametrize("seq", [0, 1, 3, 100_000])
def test_notices_are_no_commands(seq: int) -> None:
    assert None is dispute(GAME, campaign().entries, seq, Audience.UMPIRE)
