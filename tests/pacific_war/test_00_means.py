"""P4 to P22 What a side is told of its means: each change of them is said, and nothing says nothing."""

import pytest
from msgspec.structs import fields

from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.war import EmergencyLink
from domain.pacific_war.facts.means import TELLS
from domain.pacific_war.facts.months import MERGED, SET, MeansAre

BOOKS = {"used", "charged", "commands"}
"""What headquarters have paid, and where patrols come from: their points are told."""


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (
            MeansAre(0, points={"hq_cf": 3}, why="activating"),
            "[side:0], activating: [hq_cf] 3 Command Points",
        ),
        (
            MeansAre(0, points={"hq_cf": 1}, fop=5, why="allocated"),
            "[side:0], allocated: [hq_cf] 1 Command Point; Future Operation Pool 5",
        ),
        (
            MeansAre(1, level=2, why="for this month"),
            "The [side:1], for this month: Strategic Intelligence 2",
        ),
        (MeansAre(0, condition="A", why="intelligence"), "[side:0], intelligence: Ambush"),
        (
            MeansAre(1, transport={"AL_US": 6, "AL_CW": 1}, why="for strategic transport"),
            (
                "The [side:1], for strategic transport: 6 American transport points; "
                "1 Commonwealth transport point"
            ),
        ),
        (
            MeansAre(0, transport={"JP": 0}, why="for strategic transport"),
            "[side:0], for strategic transport: no transport point left",
        ),
        (
            MeansAre(1, steps={"US.1E": 3, "US.TR": 0, "CW.any_air": 1, "CW.ground": 2}, why="replacements"),
            (
                "The [side:1], replacements: 3 American 1E replacement steps; "
                "1 Commonwealth air replacement step; 2 Commonwealth ground replacement steps"
            ),
        ),
        (
            MeansAre(0, submarines={"truk": 2}, pool=1, commands={"5340": ""}, why="back from patrol"),
            "[side:0], back from patrol: [truk] 2 submarine points; 1 submarine point unassigned",
        ),
        (
            MeansAre(1, duty=6, pool=0),
            "The [side:1]: 0 submarine points unassigned; 6 submarine points on merchant duty",
        ),
        (
            MeansAre(1, priority="escorts", why="for the submarines on merchant duty"),
            "The [side:1], for the submarines on merchant duty: they go for escorts first",
        ),
        (
            MeansAre(0, escorts=4, escorting=("dd_jp7",), why="after the losses"),
            "[side:0], after the losses: 4 escort points; [dd_jp7] on escort duty",
        ),
        (
            MeansAre(0, escorting=(), why="on escort duty"),
            "[side:0], on escort duty: no destroyer on escort duty",
        ),
        (
            MeansAre(0, crossing={"dd_jp7": "tokyo", "dd_jp8": ""}),
            "[side:0]: [dd_jp7] goes to [tokyo]; [dd_jp8] may be carried again",
        ),
        (
            MeansAre(1, penalty={"ca_us1": "1942-11", "dd_us1": ""}, why="to the Penalty box"),
            "The [side:1], to the Penalty box: [ca_us1] until November 1942; [dd_us1]",
        ),
        (
            MeansAre(
                1, waiting=("ca_us1", "dd_us1", "dd_us2"), barred={"us_24div": 0}, why="with what has come"
            ),
            "The [side:1], with what has come: still to be placed: 3 units",
        ),
        (
            MeansAre(1, waiting=(), barred={"us_24div": 14}, why="after it has come"),
            "The [side:1], after it has come: all are placed; [us_24div] not to be Activated before day 14",
        ),
        (
            MeansAre(0, near=("cv_akagi",), why="who may react"),
            "[side:0], who may react: [cv_akagi] may react",
        ),
        (
            MeansAre(0, order=6, why="a standing order"),
            "[side:0], a standing order: pass until a Detected enemy task force is within 6 hexes",
        ),
        (
            MeansAre(0, order=0, why="a standing order"),
            "[side:0], a standing order: pass to the end of the phase",
        ),
        (
            MeansAre(0, used={}, charged=(), near=(), condition="", order=-1, why="the Operation is over"),
            "[side:0], the Operation is over: no standing order",
        ),
        (
            MeansAre(1, emergency={"wake": EmergencyLink("submarine", "pearl_harbor")}),
            "The [side:1]: an emergency link to [wake] by submarines of [pearl_harbor]",
        ),
        (
            MeansAre(1, emergency={}, why="an emergency link ends"),
            "The [side:1], an emergency link ends: no emergency link",
        ),
        (
            MeansAre(0, supplied={"4439": 2}, why="supply is flown in"),
            "[side:0], supply is flown in: supply for 2 steps at [lae]",
        ),
        (MeansAre(0, roused=("krs_1",), why="activated"), "[side:0], activated: [krs_1] Activated"),
        (MeansAre(0, roused=()), "[side:0]: no special submarine Activated"),
        (MeansAre(0, near=(), why="who may react"), "[side:0], who may react: nothing new"),
    ],
)
def test_p0_1_what_becomes_of_a_sides_means_is_said(fact: MeansAre, words: str) -> None:
    assert words == PACIFIC_WAR.words(fact)


def test_p0_1_every_part_of_a_sides_means_is_told_or_only_keeps_the_books() -> None:
    told = {field.name for field in fields(MeansAre)} - {"side", "why"}

    assert told == {*MERGED, *SET}
    assert TELLS.keys() == told - BOOKS
