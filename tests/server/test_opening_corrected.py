"""A match that was corrected far back is opened from a position behind that, as any other."""

from uuid import uuid4

import pytest
from msgspec import Raw, json

from domain.kernel.facts import Fact
from domain.match import fold
from domain.match.corrections import CorrectionAnswered, CorrectionOffered, DiceCounted, seat_of
from domain.match.fold import Fold
from domain.match.undo import Undone
from domain.titles import TITLES
from projections import positions
from projections.feed import catch_up
from projections.positions import Positions, differing
from server.play import acts
from tests.projections.play import Played, play, retold, tale
from tests.server.test_opening import Keeping, Nodes, shown
from tests.server.test_opening import keeping as keeping  # noqa: PLC0414 a fixture
from tests.tiny import GAME


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a position every 20 facts, and folds that forget what is as long ago."""
    monkeypatch.setitem(TITLES, GAME.name, GAME)
    monkeypatch.setattr(positions, "EVERY", 20)
    monkeypatch.setattr(fold, "FORGET", 10)


def corrected() -> Played:
    """Play a match of four seats, and go back to before its first decision."""
    played = play(GAME, "campaign", {"pairs": True}, undos=0, most=20)
    whole = Fold(GAME)
    for command in played.commands:
        whole.apply(command)
    seq, first = next((seq, fact) for seq, fact in whole.facts if seat_of(fact) is not None)
    of = seat_of(first)
    assert of is not None
    state = whole.state
    assert not state.match.over
    assert whole.seq > 4 * positions.EVERY
    proposed: list[list[Fact]] = [[CorrectionOffered(0, seq - 1, of)]]
    agreed: list[list[Fact]] = [[CorrectionAnswered(seat, agreed=True)] for seat in (1, 2, 3)]
    agreed[-1] += [Undone(of, seq - 1, consent=True), DiceCounted(state.rolls, state.unseen or 0)]
    last = played.entries[-1].at
    return retold(played, [*tale(played), *((last, facts) for facts in [*proposed, *agreed])])


async def opened(nodes: Nodes) -> int:
    """Open the match at a node of its own; return the last position that was looked at."""
    nodes.taken_up.clear()
    node = nodes.node()
    snapshot = await node.get(nodes.played.match)
    assert shown(await nodes.node(with_positions=False).get(nodes.played.match)) == shown(snapshot)
    assert 0 == node.opening.ignored
    (found,) = nodes.taken_up
    return found


async def test_a_match_that_was_corrected_far_back_is_opened_from_a_position_behind_that(
    keeping: Keeping,
) -> None:
    """Also while seats are asked what they have been asked since the correction."""
    nodes = await keeping(corrected())
    match, behind = nodes.played.match, nodes.played.entries[-1].seq
    assert behind % 20
    assert behind == await opened(nodes)

    node = nodes.node()
    for _ in range(2):
        now = await node.get(match)
        seat = next(iter(now.asked))
        options = json.decode(json.encode(now.asked[seat].options), type=list[Raw])
        await node.command(match, uuid4(), *acts.decide(seat, now.seq, options[:1]))
        assert behind == await opened(nodes)

    await catch_up(nodes.database.projector, Positions())
    async with nodes.database.projector.acquire() as conn:
        assert [] == await differing(conn, match)
