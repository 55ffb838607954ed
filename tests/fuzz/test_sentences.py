"""Every sentence of whole random matches, with names in the place of ids, as players read it."""

import re
from random import Random
from typing import Final

import pytest

from domain.kernel.game import Game
from domain.kernel.notices import Refused, answer_draw, answer_undo, offer_draw, offer_undo, undo_slip
from domain.kernel.undo import standing
from domain.titles import TITLES
from projections.history import named, names
from tests.fuzz.matches import Play, choose, random_set_up

MATCHES: Final = 12

UNFIT: Final = {
    "an id in capitals": r"\b[A-Z]+_[A-Z_]+\b",
    "an id": r"\b[A-Za-z0-9]+_[a-z0-9_]+\b",
    "an id by its kind": r"\b[a-z]+:[a-z0-9]",
    "hex": r"\b[0-9a-fA-F]{16,}\b",
    "JSON": r"[{}]|\\\\|\":",
    "a name that is missing": r"[\[\]]",
    "a word twice": r"\b([A-Za-z]+) \1\b",
    "no word at all": r"\bNone\b|\(\)|: \(|  |^\s|\s$|, ,|,,|^$",
}
"""What no sentence may hold once ids are named."""
ONE_OF_MANY: Final = r"(?<![-+\d\]] )(?<![-+\d])\b1 (?!(?:begins|ends)\b)[a-z]+s\b"
"""`1 airfields`; looked for where ids are not named yet, since many names end with a number."""
MANY: Final = {"coral_sea": "Allies"}
"""Sides whose name is a plural: `Allies play`, not `Allies plays`. What a thing of theirs does is its own."""


def talk(game: Game, seed: int) -> Play:
    """Play a random match to its end, with slips taken back, and offers of draws and undos declined."""
    random = Random(seed)
    play = Play(game, *random_set_up(game, Random(f"set-up {seed}")), seed)
    while not play.over:
        seat, decision = choose(play, random, 0.9 if seed % 2 else 0.0)
        play.decide(seat, decision)
        if len(play.state.match.seats) > 1 and not play.over and random.random() < 0.02:
            interlude(play, seat)
    play.finish()
    return play


def interlude(play: Play, seat: int) -> None:
    """Offer a draw and an undo and decline both; then take a slip back, where it can be."""
    match, facts = play.state.match, standing(play.log)
    other = next((n for n, one in enumerate(match.seats) if one.side != match.side(seat)), None)
    if other is None:
        return
    play.note(offer_draw(match, seat))
    play.note(answer_draw(match, other, agreed=False))
    try:
        play.note(offer_undo(match, seat, facts))
        play.note(answer_undo(match, other, facts, agreed=False))
        play.undo(undo_slip(match, seat, standing(play.log)))
    except Refused:
        return


@pytest.mark.parametrize("title", ["midway", "coral_sea"])
def test_every_sentence_of_a_match_can_be_read(title: str) -> None:
    game, bad, read = TITLES[title], dict[str, str](), 0
    many = re.compile(rf"(?<!of ){MANY.get(title, '$.')} (?:is|has|[a-z]+s)\b")
    for seed in range(MATCHES):
        play = talk(game, seed)
        called = names(game, play.state.match.seats)
        for _, fact in play.log:
            words = game.words(fact)
            sentence, kind = named(words, called), type(fact).__name__
            read += 1
            found = [why for why, pattern in UNFIT.items() if re.search(pattern, sentence)]
            found += ["one of many"] if re.search(ONE_OF_MANY, words) else []
            found += ["a plural that does as one"] if many.search(sentence) else []
            bad |= {f"{kind}: {why}": sentence for why in found if f"{kind}: {why}" not in bad}

    assert read > 1000
    assert not bad, "\n".join(f"{what}: {sentence}" for what, sentence in bad.items())


@pytest.mark.parametrize("title", ["midway", "coral_sea"])
def test_every_decision_is_said_by_its_title(title: str) -> None:
    untold = [
        kind.__name__ for kind in TITLES[title].decisions if not kind.says and "words" not in vars(kind)
    ]

    assert [] == untold
