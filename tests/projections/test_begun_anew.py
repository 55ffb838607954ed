"""Whether a record in which seats committed anew is true: by the command, and by `docs/trust.md`."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact
from domain.match.anew import MOST, NonceCommittedAnew
from domain.match.notices import NonceCommitted, NonceShown, Started
from domain.titles import TITLES
from projections.record import record, write
from projections.verify import Report, verify_file
from tests.projections.play import Played, Tale, play, retold, tale
from tests.projections.test_trust import run

ANEW = 4
"""The place of the first command by which a seat commits anew."""


@cache
def played() -> Played:
    return play(TITLES["midway"], "duel", most=60, resign_after=40, undos=0)


def nonce(number: int) -> str:
    return bytes([number]).hex() * 16


def promise(nonce: str) -> str:
    return sha256(bytes.fromhex(nonce)).hexdigest()


def first_and_second() -> tuple[NonceShown, NonceShown]:
    """What was shown in the match as it was played, in that order."""
    first, second = (fact for _, facts in tale(played()) for fact in facts if isinstance(fact, NonceShown))
    return first, second


def with_other_nonce(fact: Fact) -> Fact:
    return replace(fact, hash=promise(nonce(fact.seat))) if isinstance(fact, NonceCommitted) else fact


def begun_anew() -> Tale:
    """The match as if both had sat down with other nonces, and the second to show had lost his in between.

    What counts in the end is what counted as it was played, so all dice are the same.
    """
    (at, created), sat, sits, shown, *rest = tale(played())
    first, second = first_and_second()
    both = [(when, [with_other_nonce(fact) for fact in facts]) for when, facts in (sat, sits)]
    anew: list[Fact] = [NonceCommittedAnew(one.seat, promise(one.nonce)) for one in (second, first)]
    seen = NonceShown(first.seat, nonce(first.seat))
    return [(at, created), *both, (at, [seen]), *((at, [one]) for one in anew), shown, *rest]


def on_time(told: Tale) -> Tale:
    """The same with times that never fall."""
    last, result = 0, []
    for at, facts in told:
        last = max(last, at)
        result.append((last, facts))
    return result


def text(told: Tale) -> str:
    return write(record(retold(played(), on_time(told)).entries, Audience.UMPIRE)).decode()


def checked(told: Tale) -> tuple[Report, dict[str, str]]:
    report = verify_file(text(told).encode())
    return report, {check.name: check.result for check in report.checks}


def kept(told: Tale) -> None:
    """Whoever had shown does not commit anew, and what he has shown is to count."""
    del told[ANEW + 1 : ANEW + 3]


def shown_again(told: Tale) -> None:
    """He shows the very nonce again that the other knows."""
    first, _ = first_and_second()
    del told[ANEW + 1]
    told[ANEW + 1] = (told[ANEW + 1][0], [NonceShown(first.seat, nonce(first.seat))])


def known(told: Tale) -> None:
    """He commits to the nonce that the other knows."""
    first, _ = first_and_second()
    told[ANEW + 1] = (told[ANEW + 1][0], [NonceCommittedAnew(first.seat, promise(nonce(first.seat)))])


def silent(told: Tale) -> None:
    """The other's new nonce takes the place of his first as if he had sat down with it."""
    at, (head,) = told[ANEW]
    assert isinstance(head, NonceCommittedAnew)
    told[ANEW] = (at, [NonceCommitted(head.seat, head.hash)])


def late(told: Tale) -> None:
    """Who has shown what counts commits anew."""
    first, _ = first_and_second()
    told.insert(ANEW + 3, (told[ANEW + 2][0], [NonceCommittedAnew(first.seat, promise(nonce(77)))]))


FORGED: dict[str, tuple[Callable[[Tale], None], int]] = {
    "kept": (kept, ANEW + 1),
    "shown again": (shown_again, ANEW + 1),
    "known": (known, ANEW + 1),
    "silent": (silent, ANEW),
    "late": (late, ANEW + 3),
}
"""How somebody would choose by what he knows, and the command in which it is found, from 0."""


def seq_of(told: Tale, command: int) -> int:
    return 1 + sum(len(facts) for _, facts in told[:command])


def test_a_match_that_began_on_another_device_holds() -> None:
    report, results = checked(begun_anew())

    assert report.good
    assert {"holds"} == {results[name] for name in ("nonces", "dice", "notices", "fold", "rules")}


@pytest.mark.parametrize("language", ["python", "js"])
def test_it_is_as_it_should_be_for_the_checks_of_the_page(language: str, tmp_path: Path) -> None:
    code, said = run(language, tmp_path, text(begun_anew()))

    assert (0, True) == (code, "facts are as they should be" in said), said


@pytest.mark.parametrize("forgery", FORGED)
def test_a_nonce_that_may_have_been_chosen_by_what_was_shown_is_found(forgery: str) -> None:
    forge, command = FORGED[forgery]
    told = begun_anew()
    forge(told)

    report, results = checked(told)

    assert ("holds", "fails") == (results["chain"], results["nonces"])
    assert "fails" == results["notices"]
    assert seq_of(told, command) <= (report.first_bad or 0) <= seq_of(told, command + 1)


@pytest.mark.parametrize("language", ["python", "js"])
@pytest.mark.parametrize("forgery", FORGED)
def test_the_checks_of_the_page_find_it_too(forgery: str, language: str, tmp_path: Path) -> None:
    forge, _ = FORGED[forgery]
    told = begun_anew()
    forge(told)

    code, said = run(language, tmp_path, text(told))

    assert (1, True) == (code, said.startswith("Not as it should be")), said


def test_who_commits_anew_more_often_than_he_may_is_found() -> None:
    """Given nonces of which all hold, since nobody has shown any."""
    told = begun_anew()[:3]
    at, seat = told[-1][0], first_and_second()[0].seat
    told += [(at, [NonceCommittedAnew(seat, promise(nonce(100 + n)))]) for n in range(MOST + 1)]

    report, results = checked(told)

    assert ("holds", "fails") == (results["nonces"], results["notices"])
    assert seq_of(told, 3 + MOST) == report.first_bad


def test_nothing_is_committed_to_once_the_match_has_begun() -> None:
    told = begun_anew()
    place = next(n for n, (_, facts) in enumerate(told) if any(isinstance(one, Started) for one in facts)) + 1
    told.insert(place, (told[place - 1][0], [NonceCommittedAnew(0, promise(nonce(78)))]))

    report, results = checked(told)

    assert ("fails", seq_of(told, place)) == (results["nonces"], report.first_bad)
