"""How a fact is told: its words, and all that its hash is made of."""

from uuid import UUID

import pytest

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact
from domain.match.chain import ZERO, Entry, commitment, committed, salt, seal
from domain.match.telling import Told, told
from tests.projections.play import START, draft
from tests.tiny import GAME
from tests.tiny.facts import CardDrawn, TurnBegan

K_SALT = bytes(range(32))
MATCH, COMMAND = UUID(int=1), UUID(int=2)
DREW, BEGAN = CardDrawn(1, "card:03"), TurnBegan(2)


def logged(fact: Fact) -> Entry:
    """A fact as the seventh of its match and the first of its command."""
    (entry,) = seal(MATCH, COMMAND, START, 6, ZERO, [draft(fact)], K_SALT)
    return entry


def test_who_may_see_a_secret_is_told_all_that_its_commitment_is_made_of() -> None:
    body = '{"type":"CardDrawn","side":1,"card":"card:03"}'

    one = told(GAME, logged(DREW), k_salt=K_SALT)

    grain = salt(K_SALT, 7)
    assert one == Told(
        7, START, COMMAND, 0, 1, Audience.SIDE_1, "CardDrawn", body, "[side:1] draws [card:03]", grain.hex()
    )
    assert committed(logged(DREW), K_SALT) == commitment(
        grain, one.type, one.ver, one.audience, one.command, one.at, one.body.encode()
    )


def test_what_all_see_has_no_salt_nor_has_a_secret_whose_key_is_not_at_hand() -> None:
    assert ("Turn 2 begins", "") == said(told(GAME, logged(BEGAN), k_salt=K_SALT))
    assert ("[side:1] draws [card:03]", "") == said(told(GAME, logged(DREW)))


def test_a_fact_that_is_at_hand_is_told_as_if_it_came_from_the_log() -> None:
    for fact in (DREW, BEGAN):
        assert told(GAME, logged(fact), None, K_SALT) == told(GAME, logged(fact), fact, K_SALT)
    assert "Turn 3 begins" == told(GAME, logged(BEGAN), TurnBegan(3)).words


def test_what_was_told_cannot_be_changed() -> None:
    one = told(GAME, logged(BEGAN))

    with pytest.raises(AttributeError):
        one.words = "Turn 3 begins"  # type: ignore[misc]


def said(one: Told) -> tuple[str, str]:
    return one.words, one.salt
