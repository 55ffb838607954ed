"""Reports of whole matches: the golden ones of each title, and small ones whose weights are known."""

from functools import cache
from pathlib import Path
from re import findall
from typing import Any

import pytest

from domain.coral_sea.table import Open as CoralSea
from domain.kernel.facts import Decided, Fact, Modifier, Rolled, evolve
from domain.match.account import Account, Row
from domain.match.chain import Entry
from domain.match.game import Game
from domain.match.notices import BY_MATCH, Created, Ended, GameEnded
from domain.match.undo import Undone, standing
from domain.midway.charts import SUNK_AT
from domain.midway.facts import CarrierCrippled, CarrierSunk
from domain.midway.table import Carrier, Group
from domain.midway.table import Open as Midway
from domain.nimitz.charts import COUNTERS
from domain.nimitz.facts import CampaignSetUp, ForceMoved, StepBegan, TurnBegan
from domain.nimitz.table import OUT, Force
from domain.nimitz.table import Open as Nimitz
from domain.pacific_war.facts.wording import number
from domain.titles import TITLES
from projections.history import names, seats
from projections.luck import luck
from projections.report import MOST, SENTENCES, NotEnded, Report, lines, report
from tests.golden.make import HERE, read
from tests.projections.play import Played, play
from tests.projections.steady import entry, steady
from tests.tiny import GAME as TINY

GOLDEN = sorted(HERE.glob("*/*.jsonl"))

REASONS = {
    "campaign": "The last card was drawn, and victory points decide: 23 to 5.",
    "fortress-all-options": "The last card was drawn, and victory points decide: 23 to 7.",
    "duel": "The last turn was over, and points decide: 1 to 0.",
    "historical-teams": "The last turn was over, points are even at 21, "
    "and fewer losses decide: 97 SP against 105.",
    "alone-1945": "The last turn was over: the US hold 10 objectives, level “Poor”, "
    "which is not enough to win.",
    "two-persons-1943": "The US held 4 objectives, too few to go on: the commander was replaced.",
    "B1-40": "The last cycle was over: Japan has 23 points, the Allies have 32. Allied marginal.",
    "B1-55": "The last cycle was over: Japan has 17 points, the Allies have 35. Allied marginal.",
    "E1-31": "The last cycle was over: Japan has 2 points, the Allies have 35. Allied decisive.",
    "E1-57": "The last cycle was over: Japan has 3 points, the Allies have 3. Allied marginal.",
    "E2-14": "The last cycle was over: Japan has 8 points, the Allies have 3. Allied decisive.",
    "E2-16": "The last cycle was over: Japan has 15 points, the Allies have 14. Allied decisive.",
    "E3-44": "The last cycle was over: Japan has 8 points, the Allies have 0. Japanese marginal.",
    "E3-60": "The last cycle was over: Japan has 1 point, the Allies have 2. Allied marginal.",
    "S1": "[side:0] resigned.",
    "E4-5": "The last cycle was over: Japan has 0 points, the Allies have 9. Allied decisive.",
    "E4-43": "The last cycle was over: Japan has 0 points, the Allies have 10. Allied decisive.",
}


def reason(path: Path, game: Game, entries: list[Entry]) -> str:
    """Why a golden match ended; a campaign by its count, since it is recorded anew while its rules grow."""
    if path.stem in REASONS:
        return REASONS[path.stem]
    end = end_of(game, entries)
    japan, allies = number(end.points[0], "point"), end.points[1]
    level = f"{end.level[:1].upper()}{end.level[1:]}"
    return f"The last month was over: Japan has {japan}, the Allies have {allies}. {level}."


@cache
def golden(path: Path) -> tuple[Game, list[Entry], Report]:
    """A golden match as entries, each decision a command, and its report."""
    game, entries, command = TITLES[path.parent.name], list[Entry](), 0
    for seq, fact in enumerate((line for line in read(game, path) if isinstance(line, Fact)), 1):
        command += isinstance(fact, Decided) and not fact.joined and fact.how != "forced"
        entries.append(entry(seq, command, fact))
    return game, entries, report(game, entries)


def ids(words: str) -> list[str]:
    return findall(r"\[([^\]]+)\]", words)


def end_of(game: Game, entries: list[Entry]) -> Any:
    facts = standing((entry.seq, game.fact(entry.body)) for entry in entries)
    return evolve(game.state(), (fact for _, fact in facts)).open


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_match_is_reported(path: Path) -> None:
    game, entries, told = golden(path)

    ended = next(fact for e in reversed(entries) if isinstance(fact := game.fact(e.body), GameEnded))
    assert (ended.winner, reason(path, game, entries)) == (told.winner, told.reason)
    assert 0 < len(told.moments) <= MOST
    assert sorted({moment.seq for moment in told.moments}) == [moment.seq for moment in told.moments]
    assert all(0 < len(moment.words) <= SENTENCES and moment.weight > 0 for moment in told.moments)
    assert all(moment.when for moment in told.moments)
    assert {moment.seq for moment in told.moments} <= {entry.seq for entry in entries}
    assert {0, 1} >= {one.side for one in told.luck}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_as_text_everything_has_its_name(path: Path) -> None:
    game, entries, told = golden(path)

    text = "\n".join(lines(game, told, names(game, seats(entries, game))))

    assert "[" not in text
    assert text.startswith(("Japan won.\n", "The Allies won.\n", "The United States won.\n"))
    assert all(f"\n  {moment.when}\n" in text for moment in told.moments)
    assert "Fact " not in text
    assert "less than a minute" in text


def test_midway_lost_what_is_lost_at_the_end() -> None:
    game, entries, told = golden(HERE / "midway" / "historical-teams.jsonl")
    board: Midway = end_of(game, entries)

    for side, lost in enumerate(told.losses):
        found = {group.kind: sorted(group.ids) for group in lost}
        assert found["Groups"] == sorted(
            name for name, g in board.groups.items() if g.side == side and not g.strength
        )
        assert found["Carriers"] == [
            name for name, c in board.carriers.items() if c.side == side and c.damage == SUNK_AT
        ]
    sunk = [f.ship for e in entries if isinstance(f := game.fact(e.body), CarrierSunk)]
    assert all(any(f"[{ship}]" in " ".join(moment.words) for moment in told.moments) for ship in sunk)


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.soak) for n in (2, 3))])
def test_every_carrier_that_the_losers_of_a_campaign_lost_is_named(seed: int) -> None:
    told = report(TITLES["nimitz"], steady("nimitz", "1942", seed))
    carriers = {
        ship for group in told.losses[0] for ship in group.ids if COUNTERS[ship].type in {"CV", "CVL", "CVE"}
    }

    assert 1 == told.winner
    assert len(carriers) > 1
    assert carriers <= {one for moment in told.moments for words in moment.words for one in ids(words)}
    assert MOST == len(told.moments)


def test_the_loss_that_ended_a_campaign_is_told() -> None:
    told = report(TITLES["nimitz"], steady("nimitz", "1942", 1))

    assert "N17.1" == told.rule
    last = told.moments[-1]
    assert ("Turn 5, battle of the Hawaiian Islands", "The [side:0] lost the [HI]") == (
        last.when,
        last.words[0],
    )


@pytest.mark.parametrize(
    ("back", "told"), [(True, []), (False, [["The [side:0] lost the [HI]"]])], ids=["back", "away"]
)
def test_what_is_left_and_held_again_in_one_step_is_no_moment(*, back: bool, told: list[list[str]]) -> None:
    game, garrison = TITLES["nimitz"], "42-us-25th-inf"
    options = game.set_up("1942", {})
    facts: list[Fact] = [
        Created("nimitz", "1942", options, game.revision, "", game.seats("1942", options)),
        CampaignSetUp(1942, 1, False, {0: 0}, {garrison: Force("HI"), "42-us-mag-13": Force("SA")}),
        TurnBegan(1),
        StepBegan(4),
        ForceMoved(garrison, "HI", "SA", aboard=False),
    ]
    if back:
        facts.append(ForceMoved(garrison, "SA", "HI", aboard=False))
    facts += [StepBegan(5), GameEnded(1, "resignation", BY_MATCH), Ended("00" * 32)]

    found = report(game, [entry(seq, seq, fact) for seq, fact in enumerate(facts, 1)])

    assert told == [moment.words for moment in found.moments]


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.soak) for n in (2, 3, 4))])
def test_each_carrier_sunk_or_crippled_at_midway_is_named_and_no_repair(seed: int) -> None:
    entries = steady("midway", "historical-4-june", seed)
    told = report(TITLES["midway"], entries)
    facts = [TITLES["midway"].fact(entry.body) for entry in entries]
    worst = [f"[{f.ship}]" for f in facts if isinstance(f, CarrierSunk | CarrierCrippled)]
    words = [words for moment in told.moments for words in moment.words]

    assert MOST == len(told.moments)
    assert all(any(ship in each for each in words) for ship in worst)
    assert not [each for each in words if "repair" in each]


def test_what_one_strike_did_is_one_moment() -> None:
    told = report(TITLES["midway"], steady("midway", "historical-4-june", 1))

    assert [["[SORYU] took 6 hits", "[AKAGI] took 5 hits"]] == [
        moment.words for moment in told.moments if moment.when == "Turn 4, United States: Carrier Attacks"
    ]


@pytest.mark.parametrize(
    ("seed", "whose"),
    [
        (
            1,
            [
                "The [side:1] took the last of New Britain ([rabaul])",
                "[side:0] lost part of New Britain ([rabaul])",
                "[side:0] took",
            ],
        ),
        (3, ["[side:0] took", "The [side:1] took"]),
    ],
)
def test_sites_decide_coral_sea_and_are_named_by_who_took_them(seed: int, whose: list[str]) -> None:
    told = report(TITLES["coral_sea"], steady("coral_sea", "campaign", seed))
    words = " ".join(words for moment in told.moments for words in moment.words)

    assert all(each in words for each in whose)
    assert "[port_moresby]" in words


def test_what_befell_several_is_told_of_several() -> None:
    told = report(TITLES["coral_sea"], steady("coral_sea", "fortress", 1))

    assert ["[a_tf17] and [a_tf62] were depleted"] == told.moments[-1].words


def test_the_points_of_midway_add_up() -> None:
    _, _, told = golden(HERE / "midway" / "historical-teams.jsonl")
    *ships, points, strength = told.rows

    assert [[row.points[side] for row in ships] for side in (0, 1)] == [[0, 0, 0, 15, 6], [4, 2, 15, 0, 0]]
    assert (Row("Victory points", (21, 21)), Row("Strength points lost", (105, 97))) == (points, strength)


def test_the_points_of_coral_sea_add_up() -> None:
    _, _, told = golden(HERE / "coral_sea" / "fortress-all-options.jsonl")
    *parts, total = told.rows

    assert Row("Enemy units destroyed", (2, 0)) in parts
    assert (7, 23) == total.points == tuple(sum(row.points[side] for row in parts) for side in (0, 1))
    assert [["Ground units", "Leaders"]] == [[group.kind for group in lost] for lost in told.losses if lost]


def test_nimitz_lost_what_is_out_at_the_end_and_aircraft_of_carriers() -> None:
    game, entries, told = golden(HERE / "nimitz" / "two-persons-1943.jsonl")
    board: Nimitz = end_of(game, entries)
    lost = {name for group in told.losses[0] for name in group.ids if group.kind != "Carrier aircraft"}

    assert {name for name, force in board.forces.items() if force.place == OUT and "us" in name} <= lost
    assert ["Ships", "Infantry", "Land-based aircraft", "Carrier aircraft"] == [
        g.kind for g in told.losses[0]
    ]
    assert 4 == told.rows[-1].points[0] == len(told.rows) - 1


def test_what_was_taken_back_decides_nothing() -> None:
    """The same match with all after its first half taken back weighs as if it ended there."""
    game, entries, _ = golden(HERE / "midway" / "duel.jsonl")
    half = next(e.seq for e in entries if e.seq > 400 and e.type == "Decided") - 1
    until = entries[:-2]
    end = [GameEnded(0, "resignation", BY_MATCH), game.fact(entries[-1].body)]

    def told(base: list[Entry], facts: list[Fact]) -> Report:
        more = [entry(seq, 10**9, fact) for seq, fact in enumerate(facts, base[-1].seq + 1)]
        return report(game, [*base, *more])

    undone, short = told(until, [Undone(0, half), *end]), told(entries[:half], end)
    whole = told(until, end)

    assert (short.moments, short.losses, short.rows) == (undone.moments, undone.losses, undone.rows)
    assert short.moments != whole.moments


@pytest.mark.parametrize("commands", [0, 3, 12])
def test_before_the_end_there_is_no_report(commands: int) -> None:
    with pytest.raises(NotEnded):
        report(TINY, play(TINY, "skirmish").cut(commands).entries)


def test_a_title_without_an_account_is_reported_all_the_same() -> None:
    played: Played = play(TINY, "skirmish", undos=0, resign_after=4)

    told = report(TINY, played.entries)

    assert ("[side:0] resigned.", BY_MATCH, [], [], ([], [])) == (
        told.reason, told.rule, told.rows, told.moments, told.losses
    )  # fmt: skip
    assert 4 == told.decisions
    assert played.entries[-1].at == told.ended > told.began > played.entries[0].at
    text = lines(TINY, told, names(TINY, seats(played.entries, TINY)))
    assert ["South won.", "North resigned."] == text[:2]
    assert "  None" in text
    assert "What decided it" not in text


# Why it ended


def carriers(japan: int, america: int) -> Midway:
    ships = {"AKAGI": Carrier(0, 3, 5, 20, 0, japan), "ENTERPRISE": Carrier(1, 3, 5, 20, 1, america)}
    return Midway(carriers=ships, groups={"A": Group(0, "AKAGI", "F", 5, 3, "LOST")})


@pytest.mark.parametrize(
    ("board", "end", "expected"),
    [
        (carriers(10, 3), GameEnded(1, "annihilation", "M13.1"), "All carriers of [side:0] were sunk."),
        (
            carriers(10, 10),
            GameEnded(1, "annihilation", "M13.1"),
            (
                "All carriers of both sides were sunk, points are even at 15, "
                "and fewer losses decide: 0 SP against 2."
            ),
        ),
        (
            carriers(7, 3),
            GameEnded(1, "sudden death", "M13.2"),
            "[AKAGI] was crippled, and the enemy had no carrier hurt as badly: that ends this battle.",
        ),
        (
            carriers(10, 8),
            GameEnded(1, "sudden death", "M13.2"),
            "Both sides had a carrier crippled or sunk, and points decide: 15 to 8.",
        ),
        (
            carriers(0, 0),
            GameEnded(1, "exhaustion", "M13.3"),
            "Neither side had bombers left, points are even at 0, and fewer losses decide: 0 SP against 2.",
        ),
        (
            Midway(carriers={"AKAGI": Carrier(0, 3, 5, 20, 0, 0), "ENTERPRISE": Carrier(1, 3, 5, 20, 1, 0)}),
            GameEnded(None, "turn limit", "M13.4"),
            "The last turn was over; points are even at 0, and so are losses at 0 SP.",
        ),
    ],
)
def test_why_a_match_of_midway_ended(board: Midway, end: GameEnded, expected: str) -> None:
    assert expected == TITLES["midway"].account.reason(board, end)


@pytest.mark.parametrize(
    ("title", "board", "end", "expected"),
    [
        (
            "coral_sea",
            CoralSea(bonus=[3, 1]),
            GameEnded(0, "Guadalcanal Evacuated", "C21.4"),
            "Guadalcanal Evacuated was played, and victory points decide: 3 to 1.",
        ),
        (
            "nimitz",
            Nimitz(year=1943),
            GameEnded(1, "Replaced: Hawaii is not held", "N17.1"),
            "Hawaii was lost, and with it the campaign: the commander was replaced.",
        ),
        (
            "nimitz",
            Nimitz(year=1943, level="Good"),
            GameEnded(0, "Good: 9 objectives", "N18.2"),
            "The last turn was over: the US hold 9 objectives, level “Good”, which counts as a victory.",
        ),
        ("nimitz", Nimitz(), GameEnded(None, "agreement", BY_MATCH), "Both sides agreed on a draw."),
    ],
)
def test_why_a_match_of_another_title_ended(title: str, board: object, end: GameEnded, expected: str) -> None:
    assert expected == TITLES[title].account.reason(board, end)


def test_a_linked_war_counts_by_year() -> None:
    account = TITLES["nimitz"].account
    board = Nimitz(year=1944, turn=3, linked=True, results={1942: 3, 1943: 5})

    assert [Row("Campaign of 1942", (3, 0)), Row("Campaign of 1943", (5, 0))] == account.rows(board)
    assert "1944, turn 3" == account.when(board)
    assert ([], "") == (account.rows(Nimitz()), account.when(Nimitz()))


def test_an_unknown_ending_is_told_as_it_stands() -> None:
    assert "Most flags." == Account().reason(None, GameEnded(0, "most flags", "7.2"))


# Luck


def rolled(by: int, dice: tuple[int, ...], target: str, sides: int = 6, plus: int = 0) -> Rolled:
    modifiers = (Modifier("plan", plus),) if plus else ()
    return Rolled(0, "1", "fire", by, sides, dice, target, modifiers=modifiers)


@pytest.mark.parametrize(
    ("roll", "came", "expected"),
    [
        (rolled(0, (6, 4, 1), "4+ hits"), 2, 1.5),
        (rolled(0, (6, 1), "6 is 2 hits"), 2, 2 / 3),
        (rolled(0, (2,), "5 or less hits, 2 or less twice", 10), 2, 0.7),
        (rolled(0, (5, 3), "5+ repairs"), 1, 2 / 3),
        (rolled(0, (7,), "7 or less holds", 10, plus=1), 0, 0.6),
        (rolled(0, (8,), "7 or more puts it out of order", 10), 1, 0.4),
    ],
)
def test_what_fair_dice_give(roll: Rolled, came: int, expected: float) -> None:
    (found,) = luck([roll])

    assert (came, len(roll.dice)) == (found.came, found.dice)
    assert expected == pytest.approx(found.expected)
    assert found.words.endswith("too few to speak of luck.")


def test_what_is_nobodys_success_is_not_counted() -> None:
    assert [] == luck(
        [rolled(0, (3,), "the higher total"), rolled(-1, (6,), "4+ hits"), rolled(0, (3,), "1-2 one")]
    )


@pytest.mark.parametrize(
    ("hits", "said"),
    [
        (10, "neither lucky nor unlucky"),
        (12, "a little lucky"),
        (8, "a little unlucky"),
        (6, "unlucky"),
        (15, "lucky beyond what is usual"),
        (5, "unlucky beyond what is usual"),
    ],
)
def test_luck_in_words(hits: int, said: str) -> None:
    (found,) = luck([rolled(1, (6,) * hits + (1,) * (20 - hits), "4+ hits")])

    expected = (
        f"[side:1] had {hits} hits with 20 dice, where fair dice give 10.0 on average and 6 to 14 in 19 of 20"
    )
    assert f"{expected} matches: {said}." == found.words
