"""The commands as people run them: in a process of their own, on a real database."""

import asyncio
import os
import shlex
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from domain.kernel.audience import Audience
from domain.match.notices import Created
from domain.titles import TITLES
from projections.linking import Check, Result
from projections.record import record, write
from projections.verify import Report
from server.commands.verify import verdict
from server.log.store import PostgresLog
from server.postgres.embedded import embedded
from server.proof.keys import generate, private_text, read_ring
from server.serving import Serving
from tests.projections.commanded import fleetfold
from tests.projections.play import Played, keep, play
from tests.server.reading import get
from tests.server.talk import talking

ROOT = Path(__file__).parents[2]
GAME = next(iter(TITLES.values()))
SCENARIO = min(GAME.scenarios, key=lambda name: len(play(GAME, name).entries))


@pytest.fixture(scope="module")
def played() -> Played:
    return play(GAME, SCENARIO, seed=11, undos=0.1)


@pytest.fixture
def file(tmp_path: Path, played: Played) -> Path:
    path = tmp_path / "match.ndjson"
    path.write_bytes(write(record(played.entries, Audience.UMPIRE)))
    return path


@pytest.fixture
async def kept(log: PostgresLog, played: Played) -> Played:
    await keep(log, played)
    return played


async def test_a_file_is_verified_without_a_database(file: Path) -> None:
    ran = await fleetfold("verify", str(file), FLEETFOLD_DATA=str(file.parent / "none"))

    assert 0 == ran.code, ran
    for check in ("form", "chain", "key", "nonces", "dice", "fold", "rules", "checkpoint"):
        assert f"\n{check} " in f"\n{ran.out}"
    assert ran.out.endswith("Nothing that could be checked is wrong.\n")


@pytest.mark.parametrize(
    ("result", "more"), [("holds", ""), ("differs", " Otherwise by today's rules, and not judged: 1.")]
)
def test_the_last_line_counts_what_comes_out_otherwise(
    result: Result, more: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "decision" if result == "differs" else "rules"
    verdict(Report([Check(name, result, "as it is")]))

    assert f"Nothing that could be checked is wrong.{more}\n" == capsys.readouterr().out


async def test_a_damaged_file_ends_with_1_and_the_first_bad_fact(file: Path) -> None:
    lines = file.read_bytes().split(b"\n")
    lines[77] = lines[77].replace(b'"at":17', b'"at":18')
    file.write_bytes(b"\n".join(lines))

    ran = await fleetfold("verify", str(file))

    assert (1, True) == (ran.code, ran.out.endswith("The first bad fact is 77.\n")), ran


async def test_a_file_that_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear sirs\n", encoding="ascii")

    verified, replayed = await fleetfold("verify", str(path)), await fleetfold("replay", str(path))

    assert (1, 1) == (verified.code, replayed.code)
    assert "Line 1: not JSON" in verified.out
    assert "line 1: not JSON" in replayed.err


async def test_replay_of_what_is_no_match_of_the_title(file: Path) -> None:
    lines = file.read_bytes().split(b"\n")
    lines[30] = lines[30].replace(b'"body":"{\\"type\\":\\"', b'"body":"{\\"type\\":\\"No')
    file.write_bytes(b"\n".join(lines))

    ran = await fleetfold("replay", str(file))

    assert (1, True) == (ran.code, "See `fleetfold verify`" in ran.err), ran


def played_as(played: Played) -> str:
    """The title and the scenario of a match by their names."""
    created = played.facts[0][1]
    assert isinstance(created, Created)
    return f"{GAME.title}, {GAME.scenarios[created.scenario].title}"


async def test_replay_in_words_with_names(file: Path, played: Played) -> None:
    ran = await fleetfold("replay", str(file))

    assert 0 == ran.code, ran
    assert ran.out.startswith(f"{played_as(played)} (all)\n")
    assert "[side:" not in ran.out
    assert "[seat:" not in ran.out
    assert "The match key is revealed" in ran.out
    assert sum(entry.seq > 0 for entry in played.entries) <= ran.out.count("\n")


async def test_replay_as_the_onlookers_saw_it_and_up_to_a_fact(file: Path, played: Played) -> None:
    ran = await fleetfold("replay", str(file), "--audience", "onlookers", "--to", "40")
    hidden = sum(not Audience.ONLOOKERS.sees(entry.audience) for entry in played.entries[:40])

    assert 0 == ran.code, ran
    assert " hidden)" in ran.out
    assert 40 - hidden == sum(line.startswith("  ") and "hidden)" not in line for line in ran.out.split("\n"))


async def test_replay_as_a_report(file: Path, played: Played, tmp_path: Path) -> None:
    sealed = tmp_path / "sealed.ndjson"
    sealed.write_bytes(write(record(played.entries, Audience.SIDE_0, played.k_salt)))
    told, early, hidden = [
        await fleetfold("replay", str(path), "--report", *more)
        for path, more in ((file, ()), (file, ("--to", "40")), (sealed, ()))
    ]

    assert 0 == told.code, told
    assert told.out.startswith(f"{played_as(played)}\n")
    assert any(end in told.out.split("\n")[1] for end in (" won.", "The match is drawn"))
    assert f"Losses of {GAME.sides[0]}" in told.out
    assert "[" not in told.out
    assert (1, "Error: There is no report: the match has not ended.\n") == (early.code, early.err)
    assert (1, "Error: There is no report: facts of this record are sealed.\n") == (hidden.code, hidden.err)


async def test_export_import_export_gives_the_same_bytes(
    dsn: str, empty_dsn: str, kept: Played, tmp_path: Path
) -> None:
    one, two = tmp_path / "one.ndjson", tmp_path / "two.ndjson"

    exported = await fleetfold("export", str(kept.match), "-o", str(one), FLEETFOLD_DATABASE_URL=dsn)
    imported = await fleetfold("import", str(one), FLEETFOLD_DATABASE_URL=empty_dsn)
    again = await fleetfold("export", str(kept.match), FLEETFOLD_DATABASE_URL=empty_dsn)
    two.write_text(again.out, encoding="utf-8")
    refused = await fleetfold("import", str(one), FLEETFOLD_DATABASE_URL=empty_dsn)
    verified = await fleetfold("verify", str(kept.match), FLEETFOLD_DATABASE_URL=empty_dsn)
    owner = await asyncpg.connect(empty_dsn)
    noted = await owner.fetch("SELECT action, subject FROM log.audit ORDER BY id")
    await owner.close()

    assert [(did, str(kept.match)) for did in ("import", "export", "import")] == [(*row,) for row in noted]
    assert [0, 0, 0, 1, 0] == [ran.code for ran in (exported, imported, again, refused, verified)]
    assert write(record(kept.entries, Audience.UMPIRE)) == one.read_bytes()
    assert one.read_bytes() == two.read_bytes()
    assert "is there already" in refused.err


async def test_an_export_of_what_is_not_there_leaves_the_file_alone(dsn: str, tmp_path: Path) -> None:
    file = tmp_path / "kept.ndjson"
    file.write_text("kept", encoding="utf-8")

    ran = await fleetfold("export", str(UUID(int=7)), "-o", str(file), FLEETFOLD_DATABASE_URL=dsn)

    assert (1, True) == (ran.code, "There is no match" in ran.err)
    assert "kept" == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("unbuffered", ["", "1"])
async def test_an_export_into_a_pipe_is_whole_however_slowly_it_is_read(
    dsn: str, kept: Played, unbuffered: str
) -> None:
    process = await asyncio.create_subprocess_shell(
        f"{shlex.quote(sys.executable)} -m server export {kept.match} | (sleep 2; cat)",
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "FLEETFOLD_DATABASE_URL": dsn, "PYTHONUNBUFFERED": unbuffered},
    )
    out, _ = await process.communicate()

    assert write(record(kept.entries, Audience.UMPIRE)) == out


async def test_what_does_not_verify_is_not_imported(empty_dsn: str, file: Path, played: Played) -> None:
    seq = next(seq for seq, fact in played.facts if type(fact).__name__ == "NonceShown")
    forged = played.changed(seq, type(played.facts[seq - 1][1])(0, "00" * 16))
    file.write_bytes(write(record(forged.entries, Audience.UMPIRE)))

    ran = await fleetfold("import", str(file), FLEETFOLD_DATABASE_URL=empty_dsn)

    assert (1, True) == (ran.code, "does not verify. Nothing was written" in ran.err), ran
    assert "shows another nonce" in ran.out


async def test_a_match_that_has_not_ended(dsn: str, log: PostgresLog, played: Played, tmp_path: Path) -> None:
    generate(tmp_path / "keys")
    ring = read_ring(private_text(tmp_path / "keys"))
    cut = played.cut(30)
    first = cut.commands[0]
    await log.append(first, bytes(32), ring.seal(cut.match, cut.key))
    await keep(log, cut, len(first))
    keys = {"FLEETFOLD_DATABASE_URL": dsn, "FLEETFOLD_KEYS": str(tmp_path / "keys")}
    match = str(cut.match)

    without = await fleetfold("export", match, "--audience", "0", FLEETFOLD_DATABASE_URL=dsn)
    seat = await fleetfold("export", match, "--audience", "0", **keys)
    whole = await fleetfold("export", match, "--audience", "all", **keys)
    public = await fleetfold("export", match, **keys)
    verified = await fleetfold("verify", match, **keys)
    replayed = await fleetfold("replay", match, "--audience", "1", **keys)
    owner = await asyncpg.connect(dsn)
    noted = await owner.fetch("SELECT action, subject, detail->>'audience' FROM log.audit ORDER BY id")
    await owner.close()

    assert (1, True) == (without.code, "its key cannot be had" in without.err), without
    assert seat.out.encode() == write(record(cut.entries, Audience.SIDE_0, cut.k_salt))
    assert public.out.encode() == write(record(cut.entries, Audience.ONLOOKERS, cut.k_salt))
    assert '"box":"' in whole.out.split("\n")[0]
    assert "holds what is hidden" in whole.err
    assert 0 == verified.code
    assert "commitments to hidden facts were opened" in verified.out
    assert "was noted" in replayed.err
    assert [("export", "0"), ("export", "all"), ("export", "onlookers"), ("replay", "1")] == [
        (action, audience) for action, subject, audience in noted if subject == match
    ][-4:]


@pytest.mark.parametrize("seq", [1, 2, 40, 41, 42, 43, 200])
async def test_a_log_that_was_altered_by_its_administrator(dsn: str, kept: Played, seq: int) -> None:
    owner = await asyncpg.connect(dsn)
    await owner.execute("ALTER TABLE log.fact DISABLE TRIGGER USER")
    await owner.execute("ALTER TABLE log.fact_p0 DISABLE TRIGGER USER")
    await owner.execute(
        "UPDATE log.fact SET body = set_byte(body, 30, get_byte(body, 30) # 1) WHERE seq = $1", seq
    )
    await owner.close()

    ran = await fleetfold("verify", str(kept.match), FLEETFOLD_DATABASE_URL=dsn)

    assert (1, True) == (ran.code, ran.out.endswith(f"The first bad fact is {seq}.\n")), ran


async def test_a_log_with_a_fact_taken_out(dsn: str, kept: Played) -> None:
    owner = await asyncpg.connect(dsn)
    await owner.execute("ALTER TABLE log.fact DISABLE TRIGGER USER")
    await owner.execute("ALTER TABLE log.fact_p0 DISABLE TRIGGER USER")
    for seq in (50, 1):
        await owner.execute("DELETE FROM log.fact WHERE seq = $1", seq)

        ran = await fleetfold("verify", str(kept.match), FLEETFOLD_DATABASE_URL=dsn)

        assert (1, True) == (ran.code, ran.out.endswith(f"The first bad fact is {seq}.\n")), ran
    await owner.close()


async def test_rebuild_all_or_one(dsn: str, kept: Played) -> None:
    every = await fleetfold("rebuild", FLEETFOLD_DATABASE_URL=dsn)
    one = await fleetfold("rebuild", "audit", FLEETFOLD_DATABASE_URL=dsn)
    facts = len(kept.entries)

    names = ("standings", "audit", "positions", "chronicle", "ratings", "turns", "punctuality", "luck")
    assert "".join(f"{name}: {facts} facts\n" for name in names) == every.out
    assert f"audit: {facts} facts\n" == one.out


async def test_an_embedded_log_with_and_without_a_server_on_it(
    folder: Path, file: Path, played: Played
) -> None:
    data = {"FLEETFOLD_DATA": str(folder)}
    nothing = await fleetfold("verify", str(played.match), **data)
    imported = await fleetfold("import", str(file), **data)
    alone = await fleetfold("verify", str(played.match), **data)
    async with embedded(folder):
        beside = await fleetfold("verify", str(played.match), **data)
        rebuilt = await fleetfold("rebuild", "standings", **data)
    after = await fleetfold("export", str(played.match), **data)

    assert (1, True) == (nothing.code, "There are no matches in" in nothing.err), nothing
    assert [0, 0, 0, 0, 0] == [ran.code for ran in (imported, alone, beside, rebuilt, after)], (
        imported,
        beside,
    )
    assert file.read_text(encoding="utf-8") == after.out


@pytest.mark.parametrize("command", ["replay", "verify"])
async def test_neither_a_file_nor_a_match(command: str) -> None:
    ran = await fleetfold(command, "nowhere.ndjson")

    assert (2, True) == (ran.code, "is neither a file nor the id of a match" in ran.err), ran


async def test_no_such_match(dsn: str) -> None:
    for command in ("replay", "verify", "export"):
        ran = await fleetfold(command, "01995f3c-0000-7000-8000-000000000000", FLEETFOLD_DATABASE_URL=dsn)
        assert (1, True) == (ran.code, "There is no match 01995f3c" in ran.err), ran


async def test_every_command_has_help_for_a_newcomer() -> None:
    for command in ("replay", "verify", "export", "import", "rebuild"):
        ran = await fleetfold(command, "--help")
        assert 0 == ran.code
        assert len(ran.out.split()) > 40


async def test_a_finished_match_that_was_imported_is_listed_replayed_and_verified(
    server: Serving, dsn: str, file: Path, played: Played
) -> None:
    imported = await fleetfold("import", str(file), FLEETFOLD_DATABASE_URL=dsn)
    listed = await ended(server, played)
    steps = await get(server.url, f"/api/matches/{played.match}/steps")
    kept = await get(server.url, f"/api/matches/{played.match}/record")
    again = await fleetfold("import", str(file), FLEETFOLD_DATABASE_URL=dsn)

    assert (0, True) == (imported.code, "listed among the matches that have ended" in imported.out)
    assert (True, "ended", GAME.name) == (listed["imported"], listed["state"], listed["title"])
    assert listed["created"] == played.entries[0].at
    assert len(played.commands) == len(steps.lines)
    assert file.read_bytes() == kept.body
    assert (1, True) == (again.code, "is there already" in again.err), again


async def test_an_imported_match_is_watched_as_it_ended(
    server: Serving, dsn: str, file: Path, played: Played
) -> None:
    await fleetfold("import", str(file), FLEETFOLD_DATABASE_URL=dsn)
    async with talking(server.url) as talk:
        await talk.say("hello", version=1, match=played.match)
        view = await talk.hear("view")

    assert played.entries[-1].hash.hex() == view["h"]
    assert played.key.hex() == view["view"]["match"]["key"]


async def test_an_import_is_kept_off_the_list_and_put_on_it_later(
    server: Serving, dsn: str, file: Path, played: Played
) -> None:
    unlisted = await fleetfold("import", str(file), "--unlisted", FLEETFOLD_DATABASE_URL=dsn)
    hidden = await get(server.url, f"/api/matches/{played.match}/steps")
    verified = await fleetfold("verify", str(played.match), FLEETFOLD_DATABASE_URL=dsn)
    listed = await fleetfold("import", str(file), FLEETFOLD_DATABASE_URL=dsn)

    assert [0, 0, 0] == [ran.code for ran in (unlisted, verified, listed)]
    assert 404 == hidden.status
    assert (await ended(server, played))["imported"]


async def test_an_imported_match_that_has_not_ended_is_not_listed(
    empty_dsn: str, played: Played, tmp_path: Path
) -> None:
    generate(tmp_path / "keys")
    box = read_ring(private_text(tmp_path / "keys")).seal(played.match, played.key)
    file = tmp_path / "cut.ndjson"
    file.write_bytes(write(record(played.cut(30).entries, Audience.UMPIRE, box=box)))

    ran = await fleetfold(
        "import", str(file), FLEETFOLD_DATABASE_URL=empty_dsn, FLEETFOLD_KEYS=str(tmp_path / "keys")
    )
    owner = await asyncpg.connect(empty_dsn)
    rows = await owner.fetchval("SELECT count(*) FROM lobby.match")
    await owner.close()

    assert (0, False) == (ran.code, "listed" in ran.out), ran
    assert 0 == rows


async def ended(server: Serving, played: Played) -> dict[str, Any]:
    """Return what the lobby says about a match that has ended, once the list has it."""
    async with asyncio.timeout(10):
        while True:
            server.runner.wake()
            for one in (await get(server.url, "/api/matches?state=ended")).json["matches"]:
                if one["match"] == str(played.match):
                    return dict(one)
            await asyncio.sleep(0.05)
