"""Every sentence of whole random matches, with names in the place of ids, as players read it."""

import re
from collections.abc import Iterable
from random import Random
from typing import Final

import pytest

from domain.kernel.facts import Decided, Paused
from domain.match.draws import answer_draw, offer_draw
from domain.match.game import Game
from domain.match.refusals import RequestError
from domain.match.undo import standing
from domain.match.undoing import answer_undo, offer_undo, undo_slip
from domain.titles import TITLES
from projections.history import named, names
from tests.fuzz.matches import Play, command, random_set_up

SEEDS: Final = {"nimitz": (3, 7, 8, 10, 13, 15), "coral_sea": range(6)}
"""The matches that are read of titles whose campaigns are long.

Of Nimitz each year, each mode, and the linked war.
"""
MATCHES: Final = range(12)
"""What is read of other titles, and in the soak of all at least."""

UNFIT: Final = {
    "an id in capitals": r"\b[A-Z]+_[A-Z_]+\b",
    "an id": r"\b[A-Za-z0-9]+_[a-z0-9_]+\b",
    "an id by its kind": r"\b[a-z]+:[a-z0-9]",
    "hex": r"\b[0-9a-fA-F]{16,}\b",
    "JSON": r"[{}]|\\\\|\":",
    "a name that is missing": r"[\[\]]",
    "a word twice": r"\b([A-Za-z]+) \1\b",
    "no word at all": r"\bNone\b|\(\)|: \(|  |^\s|\s$|, ,|,,|^$",
    "a gap": r" [,;:.)]|\( |[:,;]$|::",
    "a thing of itself": r"\b(\w[^,;]{2,}) of \1\b",
}
"""What no sentence may hold once ids are named."""
ONE_OF_MANY: Final = r"(?<![-+\d\]] )(?<![-+\d])\b1 (?!(?:begins|ends)\b)[a-z]+s\b"
"""`1 airfields`; looked for where ids are not named yet, since many names end with a number."""
WORDS: Final = {"US", "airfield", "transport"}
"""Ids that are words as well, and may stand without brackets."""
LONGEST: Final = 175
"""A prompt has so many characters at most: two lines of a page 1280 pixels wide, four of a telephone."""
MANY: Final = {"coral_sea": "Allies", "pacific_war": "Allies"}
"""Sides whose name is a plural: `Allies play`, not `Allies plays`. What a thing of theirs does is its own."""


def talk(game: Game, seed: int, asked: set[tuple[str, str]]) -> Play:
    """Play a random match to its end, with slips taken back, and offers of draws and undos declined.

    `asked` gets the rule and the sentence of every prompt.
    """
    random = Random(seed)
    play = Play(game, *random_set_up(game, Random(f"set-up {seed}")), seed)
    while not play.over:
        asked |= {(one.rule, one.text) for one in play.table.prompts.values()}
        seat, decisions = command(play, random, 0.9 if seed % 2 else 0.0)
        play.decide_all(seat, decisions)
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
    except RequestError:
        return


def faults(words: str, sentence: str, ids: frozenset[str], plural: str) -> list[str]:
    """What is wrong with a sentence: with ids in brackets as the title says it, and as it is read."""
    found = [why for why, pattern in UNFIT.items() if re.search(pattern, sentence)]
    if re.search(ONE_OF_MANY, words):
        found.append("one of many")
    if re.search(rf"(?<!of )(?<!of the ){plural} (?:is|has|[a-z]+s)\b", sentence):
        found.append("a plural that does as one")
    if ids.intersection(re.findall(r"[\w.]*\w", re.sub(r"\[[^\]]*\]", "X", words))):
        found.append("an id without brackets")
    return found


@pytest.mark.parametrize(
    ("title", "seeds"),
    [
        *(pytest.param(title, SEEDS.get(title, MATCHES), id=title) for title in TITLES),
        *(
            pytest.param(title, (*MATCHES, *range(20, 60)), id=f"{title}-whole", marks=pytest.mark.soak)
            for title in TITLES
        ),
    ],
)
def test_every_sentence_of_a_match_can_be_read(title: str, seeds: Iterable[int]) -> None:
    game, bad, read = TITLES[title], dict[str, str](), set[str]()
    ids = frozenset(name for name, called in game.names.items() if name != called) - WORDS
    for seed in seeds:
        asked = set[tuple[str, str]]()
        play = talk(game, seed, asked)
        called = names(game, play.state.match.seats)
        for rule, words in asked:
            nameless = set(re.findall(r"\[(.*?)\]", words)) - {*called}
            bad |= {f"prompt of {rule}: [{one}] has no name": words for one in nameless}
            for why in faults(words, named(words, called), ids, MANY.get(title, "$.")):
                bad.setdefault(f"prompt of {rule}: {why}", words)
            assert len(named(words, called)) <= LONGEST, words
        for _, fact in play.log:
            words = game.words(fact)
            if not isinstance(fact, Decided | Paused):  # those quote what was sent
                nameless = set(re.findall(r"\[(.*?)\]", words)) - {*called}
                bad |= {f"{type(fact).__name__}: [{one}] has no name": words for one in nameless}
            if (sentence := named(words, called)) not in read:
                read.add(sentence)
                for why in faults(words, sentence, ids, MANY.get(title, "$.")):
                    bad.setdefault(f"{type(fact).__name__}: {why}", sentence)

    assert len(read) > 1000
    assert not bad, "\n".join(f"{what}: {sentence}" for what, sentence in bad.items())


@pytest.mark.parametrize("title", TITLES)
def test_every_decision_is_said_by_its_title(title: str) -> None:
    untold = [
        kind.__name__ for kind in TITLES[title].decisions if not kind.says and "words" not in vars(kind)
    ]

    assert [] == untold
