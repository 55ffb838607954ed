"""P0.2.2, P0.4, P41.14 What is hidden differs, and all else is alike: nobody else can tell."""

from domain.kernel.facts import RolledUnseen
from domain.kernel.table import Table
from domain.match.refusals import RequestError
from domain.match.undoing import offer_undo, undo_slip
from domain.pacific_war.battle.sequence import BattleCycle
from domain.pacific_war.decisions import cycle as d
from tests.kernel.playing import Log
from tests.pacific_war.board import battle, change, table_at, take

JAPAN, ALLIES = 0, 1
UNDO = (undo_slip, offer_undo)


def undoing(table: Table, log: Log, seat: int) -> list[str]:
    """Return how a seat is answered that would take back its last decisions, or asks for it."""
    answers = []
    for attempt in UNDO:
        try:
            attempt(table.state.match, seat, log)
            answers.append("")
        except RequestError as why:
            answers.append(f"{why.code} {why}")
    return answers


# what was told once


def beside(*, warships: bool) -> Table:
    """Return a table at the movement of a Japanese transport, beside Allied warships or transports.

    A die falls only for the warships, and finds nothing.
    """
    fleets = ({"screen": ["ca_us1", "dd_us1"]}, {"core": ["aa_us1"]})
    near, far = fleets if warships else fleets[::-1]
    tfs = [
        {"id": "J1", "side": "JP", "hex": "5540", "core": ["aa_jp13"]},
        {"id": "A1", "side": "AL", "hex": "5541", **near},
        {"id": "A2", "side": "AL", "hex": "6540", **far},
    ]
    scene = battle(tfs=tfs, first_advantage="JP")
    return table_at(scene, BattleCycle(cycle=1), *([9] if warships else []))


def test_p0_3_1_p0_2_2_p24_2_no_undo_tells_whether_dice_were_rolled_in_a_search_that_failed() -> None:
    """Given one hidden enemy or another beside him, when he is done moving, he is answered alike."""
    answers = []
    for warships in (True, False):
        table = beside(warships=warships)
        facts = [*enumerate(take(table, JAPAN, d.Done()), 1)]
        assert warships == any(isinstance(fact, RolledUnseen) for _, fact in facts)
        answers.append([answer.partition(" ")[0] for answer in undoing(table, facts, JAPAN)])

    assert [["no_undo", "no_undo"]] * 2 == answers


def test_p0_3_1_p0_2_2_p31_8_no_undo_tells_whether_a_hidden_unit_was_broken() -> None:
    """Given a hidden unit that is Broken or is not, when the last choice before the rally is made."""
    answers = []
    for broken in (True, False):
        scene = battle(
            tfs=[
                {"id": "J1", "side": "JP", "hex": "5540", "core": ["aa_jp13"]},
                {"id": "A1", "side": "AL", "hex": "6540", "core": ["aa_us1"]},
            ],
            ground=[{"id": "jp_ssd", "hex": "lae"}],
            air=[{"id": "us_4e_feaf", "steps": 2, "level": 1, "base": "port_moresby"}],
            control={"JP": ["lae"], "AL": ["port_moresby"]},
            first_advantage="AL",
        )
        table = table_at(scene, BattleCycle(cycle=1), *([9] if broken else []))
        change(table, JAPAN, {"jp_ssd": {"broken": broken}})
        take(table, ALLIES, d.Done())
        for side in (JAPAN, ALLIES):
            take(table, side, d.Done())
        facts = [*enumerate(take(table, ALLIES, d.EndMissions()), 1)]
        assert broken == any(isinstance(fact, RolledUnseen) for _, fact in facts)
        answers.append([answer.partition(" ")[0] for answer in undoing(table, facts, ALLIES)])

    assert [["no_undo", "no_undo"]] * 2 == answers
