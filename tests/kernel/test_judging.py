"""What is judged of a log by itself, where a record would be found out before; see also test_forgery."""

from msgspec.structs import replace

from domain.kernel.chain import Fault
from domain.kernel.facts import Decided
from domain.kernel.judging import judge, set_up_fault
from domain.kernel.notices import Created, DrawOffered, Ended, Started
from tests.projections.play import play, retold, tale
from tests.tiny import GAME

PLAYED = play(GAME, "skirmish", seed=3)
CREATED = PLAYED.facts[0][1]


def test_a_true_set_up_has_no_fault() -> None:
    assert "" == set_up_fault(GAME, CREATED)


def test_a_set_up_of_another_title_or_of_none() -> None:
    assert isinstance(CREATED, Created)

    assert "the title is tiny, not midway" == set_up_fault(GAME, replace(CREATED, title="midway"))
    assert "the first fact does not say what is played" == set_up_fault(GAME, Started())


def test_a_log_and_each_of_its_beginnings_have_no_fault() -> None:
    assert [None] * (len(PLAYED.commands) + 1) == [
        judge(GAME, PLAYED.commands[:length]) for length in range(len(PLAYED.commands) + 1)
    ]


def test_what_stands_behind_the_key() -> None:
    told = tale(PLAYED)
    at, facts = told[-1]
    seq = PLAYED.entries[-1].seq
    behind = retold(PLAYED, [*told[:-1], (at, [*facts, Ended("00")])])
    later = retold(PLAYED, [*told, (at, [DrawOffered(0)])])

    assert Fault(seq + 1, "follows the end") == judge(GAME, behind.commands)
    assert Fault(seq + 1, "could not be: the match is over") == judge(GAME, later.commands)


def test_play_behind_the_end() -> None:
    told = tale(PLAYED)
    decided = next(facts for _, facts in told[5:])
    later = retold(PLAYED, [*told, (told[-1][0], decided)])

    assert Fault(PLAYED.entries[-1].seq + 1, "is play, and the match is over") == judge(GAME, later.commands)


def test_what_is_forced_on_another_seat_is_no_decision_of_its_own() -> None:
    for seed in (16, 27):
        played = play(GAME, "skirmish" if seed == 16 else "campaign", seed=seed, undos=0)
        decided = [[f for f in facts if isinstance(f, Decided)] for _, facts in tale(played)]

        assert any(
            head.how != last.how and head.seat != last.seat for head, *_, last in filter(_two, decided)
        )
        assert judge(GAME, played.commands) is None


def _two(decided: list[Decided]) -> bool:
    return len(decided) > 1
