"""N17 US defeat check, N18 End of a campaign and of the linked war."""

from domain.kernel.facts import Fact
from domain.match.account import ENDS
from domain.match.notices import GameEnded
from domain.nimitz.charts import CHECK_FROM, CLASS, COUNTERS, EVALUATION, INVASION, JA, LINKED, SPECIAL, US
from domain.nimitz.facts import CampaignEnded, ObjectivesHeld, WarEnded, number
from domain.nimitz.rows import row_of
from domain.nimitz.scenarios import LINKED_WAR
from domain.nimitz.table import HAWAII, INV, Open, State, Table, at, held_objectives, supply

REPLACED = "Replaced"
WON = ("Great", "Good", "Historical")


def check_defeat(table: Table) -> None:
    """N17: the count is recorded; without Hawaii, or with too few objectives, the campaign is lost."""
    board = table.open
    areas = held_objectives(board)
    table.record(ObjectivesHeld(board.turn, tuple(areas)))
    count = len(areas)
    if HAWAII not in supply(board)[0]:
        _lose(table, count, "N17.1", "Hawaii is not held")
    elif board.turn >= CHECK_FROM[board.year] and level_of(board.year, count) == REPLACED:
        _lose(table, count, "N17.2", f"{number(count, 'objective')}, too few")


def _lose(table: Table, count: int, rule: str, why: str) -> None:
    board = table.open
    table.record(CampaignEnded(board.year, count, REPLACED, rule, why))
    if board.linked:
        end_war(table)
    else:
        table.record(GameEnded(JA, f"Replaced: {why}", rule))


def evaluate(table: Table) -> None:
    """N18.2: the level of a campaign after its last turn."""
    board = table.open
    result = reached(board)
    level = level_of(board.year, result)
    table.record(CampaignEnded(board.year, result, level, "N18.2", number(result, "objective")))
    if not board.linked:
        winner = US if CLASS[level] == "win" else JA
        table.record(GameEnded(winner, f"{level}: {number(result, 'objective')}", "N18.2"))


def end_war(table: Table) -> None:
    """N18.3: results are added; a campaign that ended Replaced adds 0."""
    board = table.open
    total, level = war_level(board.results, board.year if board.level == REPLACED else 0)
    table.record(WarEnded(total, level))
    winner = US if level in WON else JA
    table.record(GameEnded(winner, f"{level}: {number(total, 'objective')} in the {LINKED_WAR} war", "N18.3"))


def war_level(results: dict[int, int], lost: int) -> tuple[int, str]:
    """Return the sum and the level of a linked war; the year that was lost adds 0 (N18.3)."""
    total = sum(result for year, result in results.items() if year != lost)
    return total, row_of(LINKED, total).level


def close(state: State, end: GameEnded) -> list[Fact]:
    """N21, R-87: the level of a campaign, and of the linked war, that ends by resignation or by a draw."""
    board = state.open
    result = reached(board)
    level, why = level_of(board.year, result), "a draw is agreed"
    if end.winner == US:
        level, why = won(level), f"Japan {ENDS.get(end.reason, 'has resigned')}"
    elif end.winner == JA:
        level, why = REPLACED, f"the US {ENDS.get(end.reason, 'have resigned')}"
    campaign = CampaignEnded(board.year, result, level, "N21", why)
    if not board.linked:
        return [campaign]
    lost = board.year if level == REPLACED else 0
    total, sum_level = war_level(board.results | {board.year: result}, lost)
    return [campaign, WarEnded(total, won(sum_level) if end.winner == US else sum_level)]


def won(level: str) -> str:
    """Return a level, at least the lowest of those that the US win with."""
    return level if level in WON else WON[-1]


def reached(open: Open) -> int:
    """Return the result as it stands: objectives held, and in 1945 the invasion points (N18.1)."""
    return len(held_objectives(open)) + invasion_points(open)


def level_of(year: int, result: int) -> str:
    """Return the level of a result (N18.2)."""
    return row_of(EVALUATION[year], result).level


def invasion_points(open: Open) -> int:
    """Return the objectives that the invasion box counts for, in 1945 (N19.4)."""
    if "japan_invasion" not in SPECIAL[open.year]:
        return 0
    return row_of(INVASION, sum(COUNTERS[name].buy for name in at(open, INV, US))).objectives
