"""What a bot suggests is legal and of one step; and what a title declares quiet is quiet."""

from random import Random

import pytest
from msgspec import UNSET

from clients.bots import strengths
from domain.kernel.procedures import Decision
from domain.kernel.table import MOST_DECISIONS, Table
from domain.titles import TITLES
from server.bench.chance import play
from server.bench.sensible import by
from server.lobby.suggestions import propose

FACTS, EVERY = 700, 4


@pytest.mark.parametrize("name", sorted(TITLES))
def test_what_is_suggested_is_of_one_step_and_can_be_decided_in_turn(name: str) -> None:
    game = TITLES[name]
    *_, best = strengths(name).values()
    sensible, most, prompts, rules = by(game, best), 0, 0, set[str]()

    def choose(table: Table, seat: int, random: Random) -> Decision:
        nonlocal most, prompts
        rule, quiet = table.prompts[seat].rule, table.quiet(seat)
        rules.update([rule] * bool(quiet))
        for option in quiet[:2]:
            table.ahead(seat, [option])  # raises NotQuiet if it is not
        prompts += bool(quiet)
        if quiet and prompts % EVERY == 0:
            proposal = propose(game, game.encode(table.state), seat, MOST_DECISIONS)
            decisions = [game.decision(one) for one in proposal.decisions]
            most = max(most, len(decisions))
            ahead = table.ahead(seat, decisions) if decisions else table
            asked = ahead.prompts[seat]
            if proposal.last is not UNSET:
                assert game.decision(proposal.last) in asked.options
                assert rule == asked.rule or len(ahead.state.stack) > len(table.state.stack)
        return sensible(table, seat, random)

    play(game, next(iter(game.scenarios)), FACTS, choose=choose)

    assert most > 1
    assert len(rules) > 1
