"""Every sentence of whole random campaigns can be read: by names, in the right number, nothing said twice."""

from collections.abc import Iterator
from random import Random
from re import findall, search, sub

import pytest

from domain.kernel.facts import Fact, Record
from domain.nimitz import NIMITZ
from domain.nimitz.automaton import Chose
from domain.nimitz.charts import AREAS, BATTLE_AREAS, BOXES, COUNTERS, JA_PLANS, US_PLANS
from domain.nimitz.happenings import LengthIs, PointsAre
from tests.fuzz.matches import Play, choose

IDS = {*AREAS, *BATTLE_AREAS, *BOXES, *JA_PLANS, *US_PLANS, *COUNTERS, "JA_RE"}
VERBS = {"begins", "ends"}
"""What may follow a number of 1 and end in s."""


def faults(fact: Fact) -> Iterator[str]:
    """What is wrong with the sentence of a fact."""
    words = fact.words()
    marked = findall(r"\[([^\]]*)\]", words)
    unknown = [name for name in marked if name not in NIMITZ.names and not name.startswith("seat:")]
    bare = sub(r"\[[^\]]*\]", "X", words)
    said = sub(r"\[([^\]]*)\]", lambda found: NIMITZ.names.get(found[1], "somebody"), words)
    if unknown:
        yield f"no name for {unknown}"
    if ids := IDS & {*findall(r"[\w.]*\w", bare)}:
        yield f"an id where a name should stand: {ids}"
    if twice := search(r"\b(\w[^,;]{2,}) of \1\b", said):
        yield f"said twice: {twice[0]}"
    if [word for word in findall(r"(?<![\d.-])1 (\w+s)\b", bare) if word not in VERBS]:
        yield "one of several"
    if search(r"  | [,;:.)]|\( |[:,;]$|::|, ?,|\[\]|\{|\}|^ |None", words) or not words:
        yield "a gap or an unfilled place"
    if isinstance(fact, LengthIs | PointsAre) and search(r"-\d", bare):
        yield "less than none"
    if isinstance(fact, Chose) and {*fact.candidates} == {*fact.chosen} and len(marked) > len({*marked}):
        yield "all that there are, told twice"


SET_UPS = [("1942", 1), ("1943", 2), ("1944", 3), ("1945", 1), ("linked", 2), ("1944", 2)]


@pytest.mark.parametrize(("scenario", "mode"), SET_UPS)
def test_n22_every_sentence_of_a_campaign_can_be_read(scenario: str, mode: int) -> None:
    random, play = Random(mode), Play(NIMITZ, scenario, {"mode": mode}, mode)
    while not play.over:
        play.decide(*choose(play, random, 0.95))

    facts = [fact for _, fact in play.log if not isinstance(fact, Record)]
    assert len(facts) > 300
    assert {} == {fact.words(): found for fact in facts if (found := [*faults(fact)])}
