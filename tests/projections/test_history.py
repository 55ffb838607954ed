import re
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from domain.kernel.audience import VIEWERS, Audience, Reader
from domain.kernel.facts import Fact, Secret
from domain.kernel.seats import Seat
from domain.match.chain import Sealed, shown
from domain.match.game import Game
from domain.match.undo import standing
from domain.titles import TITLES
from projections.history import named, names, passages, seats
from tests.projections.play import Played, play
from tests.tiny import GAME

GAMES = [GAME, *TITLES.values()]
CLASSES = [(game, kind) for game in GAMES for kind in game.facts]


@cache
def examples(game: Game) -> dict[type[Fact], Fact]:
    """One fact of each class that a few matches have."""
    found: dict[type[Fact], Fact] = {}
    for scenario in game.short:
        for seed in range(2):
            found |= {type(fact): fact for _, fact in play(game, scenario, seed=seed, undos=0.3).facts}
    return found


PLAIN: dict[type[inspect.Type], Any] = {
    inspect.IntType: 1,
    inspect.FloatType: 1.0,
    inspect.BoolType: True,
    inspect.StrType: "x",
    inspect.NoneType: None,
}


def made_up(kind: inspect.Type) -> Any:
    """The plainest value of a type, as JSON."""
    match kind:
        case inspect.StructType():
            tag = {kind.tag_field: kind.tag} if kind.tag_field else {}
            found: Any = tag | {field.encode_name: made_up(field.type) for field in kind.fields}
        case inspect.LiteralType():
            found = kind.values[0]
        case inspect.TupleType():
            found = [made_up(item) for item in kind.item_types]
        case inspect.VarTupleType() | inspect.ListType():
            found = [made_up(kind.item_type)]
        case inspect.DictType():
            found = {str(made_up(kind.key_type)): made_up(kind.value_type)}
        case inspect.UnionType():
            found = made_up(kind.types[0])
        case _:
            found = PLAIN.get(type(kind), {})
    return found


@pytest.mark.parametrize(("game", "kind"), CLASSES, ids=[f"{g.name}-{k.__name__}" for g, k in CLASSES])
def test_every_fact_class_has_words(game: Game, kind: type[Fact]) -> None:
    fact = examples(game).get(kind) or msgspec.convert(made_up(inspect.type_info(kind)), kind, strict=False)

    words = fact.words()

    assert words
    assert words == words.strip()
    assert "\n" not in words
    assert not re.search(r"[0-9a-f]{12,}|\bfact \d", words)


def told(played: Played, audience: Reader) -> list[str]:
    return [s.words for p in passages(GAME, played.entries, audience) for s in p.sentences]


@pytest.mark.parametrize("seed", range(3))
def test_everything_is_told_once_in_order(seed: int) -> None:
    played = play(GAME, "campaign", seed=seed, undos=0.3, corrected=0.05)

    found = [*passages(GAME, played.entries, Audience.UMPIRE)]

    assert [entry.seq for entry in played.entries] == [s.seq for p in found for s in p.sentences]
    assert [played.game.words(fact) for _, fact in played.facts] == told(played, Audience.UMPIRE)
    assert [c[0].command for c in played.commands] == [p.command for p in found]
    assert [(c[0].seq - 1, c[-1].seq) for c in played.commands] == [(p.after, p.upto) for p in found]


@pytest.mark.parametrize("audience", VIEWERS)
def test_an_audience_is_told_what_it_may_see_and_how_much_it_may_not(audience: Reader) -> None:
    played = play(GAME, "campaign", seed=2, undos=0.3)

    found = [*passages(GAME, played.entries, audience)]

    assert [e.seq for e in played.entries if audience.sees(e.audience)] == [
        s.seq for p in found for s in p.sentences
    ]
    assert sum(not audience.sees(e.audience) for e in played.entries) == sum(p.hidden for p in found)


def test_a_sealed_record_is_told_like_the_log() -> None:
    played = play(GAME, "campaign", seed=2, undos=0.3)
    sealed = shown(played.entries, Audience.ONLOOKERS, played.k_salt)
    assert any(isinstance(entry, Sealed) for entry in sealed)

    whole, partial = (
        [*passages(GAME, played.entries, Audience.ONLOOKERS)],
        [*passages(GAME, sealed, Audience.ONLOOKERS)],
    )

    assert [p.sentences for p in whole if p.sentences] == [p.sentences for p in partial if p.sentences]
    assert sum(p.hidden for p in whole) == sum(p.hidden for p in partial)
    assert [(p.after, p.upto) for p in whole][-1] == [(p.after, p.upto) for p in partial][-1]


def test_nobody_is_told_another_sides_secret() -> None:
    played = play(GAME, "campaign", seed=2)
    secrets = {fact.words() for _, fact in played.facts if isinstance(fact, Secret) and fact.side == 0}

    assert secrets
    assert not secrets & {*told(played, Audience.SIDE_1), *told(played, Audience.ONLOOKERS)}


def test_what_was_taken_back_is_marked() -> None:
    played = play(GAME, "campaign", seed=3, undos=0.6)
    stand = {seq for seq, _ in standing(played.facts)}

    marked = {
        s.seq for p in passages(GAME, played.entries, Audience.UMPIRE) for s in p.sentences if s.taken_back
    }

    assert marked
    assert {entry.seq for entry in played.entries} - stand == marked


def test_at_an_earlier_moment_nothing_later_is_known_to_be_taken_back() -> None:
    played = play(GAME, "campaign", seed=3, undos=0.6)
    undone = next(e.seq for e in played.entries if e.type == "Undone")

    found = [*passages(GAME, played.entries[: undone - 1], Audience.UMPIRE)]

    assert not any(s.taken_back for p in found for s in p.sentences)


def test_who_acted() -> None:
    played = play(GAME, "campaign", {"pairs": True}, seed=1)

    seats_told = [p.seat for p in passages(GAME, played.entries, Audience.ONLOOKERS)]

    assert [None, 0, 1, 2, 3] == seats_told[:5]
    assert None not in seats_told[1:]


def test_names_take_the_place_of_ids_and_unknown_ids_stay() -> None:
    played = play(GAME, "skirmish")
    known = names(GAME, seats(played.entries, GAME))

    words = named("[seat:1] sinks [boat:n1] of [side:0] with [torpedo:9]", known)

    assert "South sinks Petrel of North with [torpedo:9]" == words


def test_a_seat_that_is_named_as_its_side_is_gets_its_article() -> None:
    called = names(TITLES["coral_sea"], (Seat("Japan", 0), Seat("Allies", 1)))

    told = [named(f"{who} resigned", called) for who in ("[seat:0]", "[seat:1]")]

    assert ["Japan resigned", "The Allies resigned"] == told
    assert "The rules wait for the Allies" == named("The rules wait for [seat:1]", called)
