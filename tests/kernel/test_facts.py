"""Facts, their ledgers, and who may see them."""

import pytest
from msgspec import Raw

from domain.kernel.audience import Audience
from domain.kernel.facts import (
    Decided,
    Drew,
    Fact,
    Modifier,
    Notice,
    Padding,
    Paused,
    Rolled,
    Secret,
    UmpireFact,
    evolve,
    seen_by,
)
from domain.match.game import COMMON
from domain.match.notices import Started
from tests.kernel.probe import Own, Said, Whispered, probe

ROLLED = Rolled(3, "5.2", "fire", 1, 6, (2, 5), "2 or less hits", "islet:1", (Modifier("night", -1),))
DREW = Drew(4, "2.2", "draw a card", 0, 16, (3, 7))
DECIDED = Decided(1, Raw(b'{"type":"Pass"}'))
PAUSED = Paused((0,), 0, (Raw(b'{"type":"Never"}'),))


def test_a_fact_is_applied_to_the_open_table() -> None:
    state = evolve(probe().state(), [Said("ahoy")])

    assert ["ahoy"] == state.open.said
    assert [Own(), Own()] == state.own


def test_a_secret_is_applied_to_the_screen_of_its_side_alone() -> None:
    state = evolve(probe().state(), [Whispered(1, "hush")])

    assert [] == state.open.said
    assert [Own(), Own(["hush"])] == state.own


def test_a_record_changes_nothing() -> None:
    game = probe()

    assert game.state() == evolve(game.state(), [DECIDED, UmpireFact()])


def test_a_plain_fact_changes_nothing() -> None:
    game = probe()

    assert game.state() == evolve(game.state(), [Fact()])


def test_two_states_of_a_title_share_nothing() -> None:
    game = probe()
    evolve(game.state(), [Said("ahoy"), Whispered(0, "hush"), PAUSED, Started()])

    assert [] == game.state().open.said
    assert [Own(), Own()] == game.state().own
    assert [] == game.state().stack
    assert not game.state().match.started


def test_rolls_and_draws_are_counted() -> None:
    assert 4 == evolve(probe().state(), [ROLLED]).rolls
    assert 6 == evolve(probe().state(), [DREW]).rolls


def test_a_pause_keeps_the_frames_that_stand_and_pushes_the_rest() -> None:
    one, two, three = (Raw(b'{"type":"%s"}' % name) for name in (b"One", b"Two", b"Three"))
    state = evolve(probe().state(), [Paused((0,), 0, (one, two)), Paused((0, 1), 1, (three,))])

    assert [one, three] == state.stack
    assert (0, 1) == state.asked


def test_each_audience_sees_its_classes() -> None:
    facts = [
        Said("ahoy"),
        Whispered(0, "hush"),
        Whispered(1, "psst"),
        ROLLED,
        DREW,
        DECIDED,
        PAUSED,
        Started(),
    ]

    assert [facts[0], facts[1], facts[3], facts[7]] == seen_by(Audience.SIDE_0, facts)
    assert [facts[0], facts[2], facts[3], facts[7]] == seen_by(Audience.SIDE_1, facts)
    assert [facts[0], facts[3], facts[7]] == seen_by(Audience.ONLOOKERS, facts)


def test_who_may_see_a_fact_is_said_by_its_class() -> None:
    of_two = [Whispered(side, "").audience() for side in (0, 1)]

    assert [Audience.SIDE_0, Audience.SIDE_1] == of_two
    assert [Audience.ALL, Audience.UMPIRE, Audience.ALL] == [
        fact.audience() for fact in (Said(""), DREW, ROLLED)
    ]


def test_a_fact_goes_into_the_log_as_its_first_version_with_others_to_come_unless_it_says_otherwise() -> None:
    assert [(1, False)] * 2 == [(fact.ver, fact.final) for fact in (ROLLED, DREW)]


def test_what_cannot_be_unlearned_reveals() -> None:
    assert [True, True, False, False, False] == [f.reveals for f in (ROLLED, DREW, DECIDED, PAUSED, Said(""))]


def test_a_roll_can_be_checked_by_eye() -> None:
    words = "[side:1] rolled 2d6, fire ([islet:1]): 2 5, 2 or less hits, -1 night counted in: 1 hit (5.2)"

    assert words == ROLLED.words()
    assert "[side:0] rolled 1d6, fire: 4 (5.2)" == Rolled(0, "5.2", "fire", 0, 6, (4,)).words()
    assert "fire, 1d10: 7 (8.1)" == Rolled(0, "8.1", "fire", -1, 10, (7,)).words()
    shifted = Rolled(
        0, "3.1", "guns", 1, 10, (7,), "column 1", "islet:1", (Modifier("night", -2), Modifier("date", 1))
    )
    assert (
        "[side:1] rolled 1d10, guns ([islet:1]): 7, column 1 after -2 night, +1 date (3.1)" == shifted.words()
    )
    assert "a salvo, 1d10: 7 (8.1)" == Rolled(0, "8.1", "fire", -1, 10, (7,)).words("a salvo")


@pytest.mark.parametrize(
    ("target", "hits"),
    [
        ("4+ hits", 4),
        ("6 is 2 hits", 6),
        ("5+ is 1 hit", 3),
        ("5+ is one more hit", 3),
        ("4 or less hits", 2),
        ("4 or less hits, 1 or less twice", 3),
        ("4 or less holds", None),
        ("1 to 4 names the search group", None),
        ("", None),
    ],
)
def test_the_hits_of_a_roll_follow_from_its_target(target: str, hits: int | None) -> None:
    assert hits == Rolled(0, "8.1", "fire", 0, 6, (1, 4, 6, 6, 6), target).hits()


def test_the_umpires_notes_have_words() -> None:
    assert "[side:0], draw a card: 2 of 16 (2.2)" == DREW.words()
    assert "a straw: 1 of 3 (2.3)" == Drew(0, "2.3", "a straw, unseen", -1, 3, (0,)).words()
    assert "[seat:1] decided" == DECIDED.words()
    assert "[seat:1] had one choice" == Decided(1, DECIDED.decision, "forced").words()
    assert "The rules decided for [seat:1]" == Decided(1, DECIDED.decision, "default").words()
    assert "The rules wait for [seat:0]" == PAUSED.words()
    assert "The rules wait for [seat:0] and [seat:1]" == Paused((0, 1), 0, ()).words()
    assert "The rules rest" == Paused((), 0, ()).words()


def test_a_fact_without_words_of_its_own_has_none() -> None:
    with pytest.raises(NotImplementedError):
        Fact().words()


def test_a_fact_comes_back_from_its_bytes() -> None:
    game = probe()
    for fact in (ROLLED, DREW, DECIDED, PAUSED, Said("ahoy"), Whispered(1, "psst"), Started()):
        assert fact == game.fact(game.encode(fact))


@pytest.mark.parametrize("kind", COMMON)
def test_no_fact_can_be_changed(kind: type[Fact]) -> None:
    assert kind.__struct_config__.frozen


@pytest.mark.parametrize(
    "fact",
    [Fact(), Secret(1), UmpireFact(), Notice(), Padding(), ROLLED, DREW, DECIDED, PAUSED],
    ids=lambda fact: type(fact).__name__,
)
def test_what_was_folded_cannot_be_changed_nor_what_a_fact_is_made_of(fact: Fact) -> None:
    evolve(probe().state(), [fact])

    assert type(fact).__struct_config__.frozen
    assert type(ROLLED.modifiers[0]).__struct_config__.frozen


def test_bytes_carry_the_tag_first() -> None:
    assert b'{"type":"Whispered","side":1,"text":"psst"}' == probe().encode(Whispered(1, "psst"))
