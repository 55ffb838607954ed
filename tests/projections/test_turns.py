"""What an undo takes back is read from the log, and not the whole match before it."""

import pytest

from domain.match.undo import Undone
from projections.projection import ProjectedFact
from projections.turns import TURN_TYPES, TurnMarks, read_marks
from server.log.store import PostgresLog
from server.postgres.database import Database, connection
from tests.projections.play import Played, keep, play, retold, tale
from tests.tiny import GAME


def projected(played: Played) -> list[ProjectedFact]:
    return [ProjectedFact(e.match, e.seq, e.at, e.type, e.ver, e.body) for e in played.entries]


def undone_twice(played: Played) -> Played:
    """End with an undo that goes back into what the undo before it took back, as no rules of today would."""
    told = tale(played)
    last = max(number for number, (_, facts) in enumerate(told) if isinstance(facts[0], Undone))
    seq = sum(len(facts) for _, facts in told[: last + 1])
    return retold(played, [*told[: last + 1], (told[last][0], [Undone(0, seq - 1)])])


@pytest.mark.parametrize("further", [False, True])
async def test_an_undo_reads_what_it_takes_back_and_the_prompt_before(
    database: Database, log: PostgresLog, *, further: bool
) -> None:
    played = play(GAME, "campaign", undos=0.4, corrected=0.1)
    played = undone_twice(played) if further else played
    await keep(log, played)
    facts, known, undone = projected(played), TurnMarks(), 0

    for fact in facts:
        if fact.type not in TURN_TYPES:
            continue
        if fact.type == "Undone":
            async with connection(database.projector) as conn:
                marks = (await read_marks(conn, [fact]))[played.match]
            asked, held = marks.asked(), len(marks._marks)
            gone = marks.follow(fact.seq, fact.type, fact.body)
            assert known.asked() == asked
            assert known.follow(fact.seq, fact.type, fact.body) == gone
            assert known.asked() == marks.asked()
            assert held <= len(gone) + 1
            undone += 1
            continue
        known.follow(fact.seq, fact.type, fact.body)

    assert undone > 5
