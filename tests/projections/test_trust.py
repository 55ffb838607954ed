"""The two checks of `docs/trust.md`, as they stand there, on records of whole matches, true and changed."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import clients
from domain.kernel.audience import Audience
from domain.kernel.dice import Fair
from domain.kernel.facts import Decided, Drew, Fact, Roll, Rolled, RolledUnseen
from domain.match.notices import NonceCommitted, NonceShown, Started
from domain.titles import TITLES
from projections.judging import PLAY
from projections.record import record, write
from projections.verify import verify_file
from server.proof.keys import dice_key
from tests.projections.play import Played, cast_by, play, relinked, retold, tale, without

PAGE = (Path(clients.__file__).parent.parent / "docs" / "trust.md").read_text(encoding="utf-8")

PYTHON, JAVASCRIPT, WIDEST = 35, 55, 110

NONCES = (NonceCommitted, NonceShown, Started)

MATCHES = {"midway": "duel", "coral_sea": "campaign", "nimitz": "1945", "pacific_war": "E3"}
"""Matches with open dice, drawn counters, hidden facts, dice that nobody sees, and things taken back."""


def code(language: str) -> str:
    """Return the program in a language that stands on the page."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


@cache
def played(title: str = "midway") -> Played:
    return play(TITLES[title], MATCHES[title], most=200, resign_after=150, undos=0.2)


@cache
def text_of(title: str = "midway") -> str:
    return write(record(played(title).entries, Audience.UMPIRE)).decode()


def seq_of(kind: type[Any], title: str = "midway") -> int:
    return next(seq for seq, fact in played(title).facts if isinstance(fact, kind))


def forged(seq: int, title: str = "midway", **fields: Any) -> str:
    """Return a record with other fields of one fact, all hashes reckoned anew."""
    one = played(title)
    fact = dict(one.facts)[seq]
    return write(record(one.changed(seq, replace(fact, **fields)).entries, Audience.UMPIRE)).decode()


def other_die(kind: type[Any], title: str) -> tuple[int, str]:
    seq = seq_of(kind, title)
    fact: Any = dict(played(title).facts)[seq]
    return seq, forged(seq, title, dice=(fact.dice[0] % fact.sides + 1, *fact.dice[1:]))


def other_place() -> tuple[int, str]:
    seq = seq_of(Drew, "coral_sea")
    fact: Any = dict(played("coral_sea").facts)[seq]
    return seq, forged(seq, "coral_sea", places=((fact.places[0] + 1) % fact.left, *fact.places[1:]))


def other_line(change: Callable[[list[str]], None]) -> str:
    lines = text_of().splitlines(keepends=True)
    change(lines)
    return "".join(lines)


def letter(lines: list[str]) -> None:
    lines[41] = lines[41].replace('\\"type\\"', '\\"Type\\"')


def take_out(lines: list[str]) -> None:
    del lines[41]


def exchange(lines: list[str]) -> None:
    lines[41], lines[42] = lines[42], lines[41]


def written(one: Played) -> str:
    return write(record(one.entries, Audience.UMPIRE)).decode()


def thrown_by(*seats: int) -> tuple[int, str]:
    """The whole match with dice to which these seats alone contributed; its first fact of play is wrong."""
    gone = without(played(), lambda fact: isinstance(fact, NONCES) and getattr(fact, "seat", -1) not in seats)
    return next(seq for seq, fact in gone.facts if isinstance(fact, PLAY)), written(gone)


def at_once(kind: type[Any], title: str) -> tuple[int, str]:
    """A match in which nothing happens but a fact of play, with a die from the key alone."""
    one = played(title)
    fact: Any = dict(one.facts)[seq_of(kind, title)]
    if isinstance(fact, Roll | Drew):
        fact = cast_by(Fair(dice_key(one.key)), replace(fact, index=0))
    return 2, written(between(one, fact))


def between(one: Played, *facts: Fact) -> Played:
    """The first fact and the last of a match, and these between them."""
    (began, first), *_, (ended, last) = tale(one)
    return retold(one, [(began, first), *((ended, [fact]) for fact in facts), (ended, last[-1:])])


def of_no_seats() -> tuple[int, str]:
    """The whole match with dice from the key alone, and a first fact that says that it has no seats."""
    seq, _ = thrown_by()
    one = without(played(), lambda fact: isinstance(fact, NONCES))
    return seq, written(one.changed(1, replace(dict(one.facts)[1], seats=())))


def of_other_seats() -> tuple[int, str]:
    """The whole match with nonces of seats that are not there."""
    one = played()
    for seq, fact in one.facts:
        if isinstance(fact, NonceCommitted | NonceShown):
            one = one.changed(seq, replace(fact, seat=fact.seat + 2))
    return seq_of(Started), written(one)


def filed_as_another() -> tuple[int, str]:
    """A roll that is filed as what is no roll, so that its dice might be passed over."""
    one, seq = played(), seq_of(Rolled)
    entries = [replace(entry, type="Looked") if entry.seq == seq else entry for entry in one.entries]
    return seq, written(relinked(one, entries))


CHANGES: dict[str, Callable[[], tuple[int, str]]] = {
    "a letter of a fact": lambda: (41, other_line(letter)),
    "a fact taken out": lambda: (41, other_line(take_out)),
    "two facts exchanged": lambda: (41, other_line(exchange)),
    "a die, and all hashes after it": lambda: other_die(Rolled, "midway"),
    "an unseen die, and all hashes after it": lambda: other_die(RolledUnseen, "pacific_war"),
    "what was drawn, and all hashes after it": other_place,
    "a roll that was passed over": lambda: (seq_of(Rolled), forged(seq_of(Rolled), index=1)),
    "another key": lambda: (1, forged(1, commitment="0" * 64)),
    "another nonce": lambda: (seq_of(NonceShown), forged(seq_of(NonceShown), nonce="00" * 16)),
    "dice to which no seat contributed": thrown_by,
    "dice to which one seat contributed": lambda: thrown_by(0),
    "no seats": of_no_seats,
    "nonces of other seats": of_other_seats,
    "a roll filed as another fact": filed_as_another,
    "a start before nonces are shown": lambda: at_once(Started, "midway"),
    "a decision before nonces are shown": lambda: at_once(Decided, "midway"),
    "a roll before nonces are shown": lambda: at_once(Rolled, "midway"),
    "an unseen roll before nonces are shown": lambda: at_once(RolledUnseen, "pacific_war"),
    "a draw before nonces are shown": lambda: at_once(Drew, "coral_sea"),
}

OTHERWISE = [
    "another key",
    "dice to which no seat contributed",
    "dice to which one seat contributed",
    "no seats",
    "nonces of other seats",
]
"""Where the command names another fact: the last, whose key it is, or an earlier one that could not be."""


def run(language: str, folder: Path, text: str) -> tuple[int, str]:
    """Run the program of the page on a record, with nothing else in reach; return its code and words."""
    file, program = folder / "game.ndjson", folder / f"check.{'py' if language == 'python' else 'mjs'}"
    file.write_text(text, encoding="utf-8")
    program.write_text(code(language), encoding="utf-8")
    runner = [sys.executable, "-I", "-S"] if language == "python" else [str(shutil.which("node"))]
    ran = subprocess.run([*runner, program, file], capture_output=True, text=True, check=False, cwd=folder)
    return ran.returncode, (ran.stdout + ran.stderr).strip()


def finds(language: str, folder: Path, change: str) -> None:
    seq, text = CHANGES[change]()

    assert (1, f"Not as it should be: fact {seq}.") == run(language, folder, text)


@pytest.mark.parametrize("language", ["python", "js"])
@pytest.mark.parametrize("title", MATCHES)
def test_a_match_that_nobody_touched_is_as_it_should_be(title: str, language: str, tmp_path: Path) -> None:
    rolls = [fact for _, fact in played(title).facts if isinstance(fact, Rolled | Drew)]
    number = sum(len(one.places) if isinstance(one, Drew) else 1 for one in rolls)
    expected = (
        f"All {len(played(title).facts)} facts are as they should be, and so are all dice: {number} rolls."
    )

    assert (0, expected) == run(language, tmp_path, text_of(title))


@pytest.mark.parametrize("language", ["python", "js"])
def test_a_match_that_ends_before_anything_is_played_needs_no_nonces(language: str, tmp_path: Path) -> None:
    expected = "All 2 facts are as they should be, and so are all dice: 0 rolls."

    assert (0, expected) == run(language, tmp_path, written(between(played())))


@pytest.mark.parametrize("change", CHANGES)
def test_the_check_in_python_finds_what_was_changed(change: str, tmp_path: Path) -> None:
    finds("python", tmp_path, change)


@pytest.mark.parametrize("change", CHANGES)
def test_the_check_in_javascript_finds_what_was_changed(change: str, tmp_path: Path) -> None:
    finds("js", tmp_path, change)


@pytest.mark.parametrize("change", [one for one in CHANGES if one not in OTHERWISE])
def test_the_command_names_the_same_fact(change: str) -> None:
    seq, text = CHANGES[change]()

    assert seq == verify_file(text.encode()).first_bad


def test_what_no_record_shows_is_said() -> None:
    (said,) = [check for check in verify_file(text_of().encode()).checks if check.name == "requests"]

    assert ("unchecked", True) == (said.result, "seats do not sign" in said.text)


def test_they_use_nothing_but_what_comes_with_the_language() -> None:
    both = [code("python"), code("js")]
    imported = re.findall(r"^import (.*)$", both[0], re.MULTILINE), re.findall(r"from '(.*)'", both[1])

    assert (["hashlib, hmac, itertools, json, sys, uuid"], ["node:crypto", "node:fs"]) == imported


def test_they_are_as_short_as_the_page_says() -> None:
    python, js = ([line for line in code(one).splitlines() if line.strip()] for one in ("python", "js"))

    assert "thirty-five lines of Python, or fifty-five of JavaScript" in " ".join(PAGE.split())
    assert len(python) <= PYTHON
    assert len(js) <= JAVASCRIPT
    assert [] == [line for line in (*python, *js) if len(line) > WIDEST]


def test_what_the_page_shows_is_what_they_say() -> None:
    shown = re.findall(r"```text\n(.*)\n```", PAGE)

    assert 2 == len(shown)
    assert re.fullmatch(r"All \d+ facts are as they should be, and so are all dice: \d+ rolls\.", shown[0])
    assert re.fullmatch(r"Not as it should be: fact \d+\.", shown[1])
