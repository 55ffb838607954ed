"""What a person is told of his holidays: how many days are left, and until when he is away."""

from uuid import uuid4

from server.lobby.tokens import uuid7
from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.noticed import owner_of
from tests.server.test_claims import Weeks
from tests.server.test_claims import weeks as weeks  # noqa: PLC0414 a fixture
from tests.server.test_holidays import DAY, Player
from tests.server.test_holidays import anna as anna  # noqa: PLC0414 a fixture
from tests.server.test_holidays import between_looks as between_looks  # noqa: PLC0414 a fixture


async def told(anna: Player) -> Said:
    status, answer = await anna.browser.ask("GET", "/api/me/holiday")
    assert status == 200, answer
    return answer


def days_away(weeks: Weeks, answer: Said) -> float:
    """For how many days from now on somebody is away."""
    until: int = answer["until"]
    return round((until - weeks.server.clock.now()) / DAY, 2)


async def test_a_person_is_told_the_days_that_are_left_and_until_when_he_is_away(
    weeks: Weeks, anna: Player
) -> None:
    before = await told(anna)
    await anna.away(7)
    during = await told(anna)
    await weeks.pass_days(2.5)
    later = days_away(weeks, await told(anna))
    await anna.away(0)
    after = await told(anna)

    assert {"left": 30, "most": 30, "until": None} == before
    assert (23, 23) == (during["left"], during["most"])
    assert 4.5 == later
    assert {"left": 27, "most": 27, "until": None} == after


async def test_where_matches_differ_the_least_and_the_most_are_told(weeks: Weeks, anna: Player) -> None:
    """Given one match in which she has been on holiday before, and is again."""
    match = anna.matches[0]["match"]
    async with anna.browser.talking() as talk:
        await talk.say("hello", version=1, match=match, mine=True)
        await talk.hear("view")
        await talk.ask("holiday", match=match, days=14)
        await weeks.pass_days(15)
        await talk.ask("holiday", match=match, days=3)
    answer = await told(anna)

    assert (13, 30) == (answer["left"], answer["most"])
    assert 3 == days_away(weeks, answer)


async def test_whose_matches_have_no_such_clock_has_all_days_and_no_match_hinders_the_answer(
    server: Serving, dsn: str
) -> None:
    """Given a match that was offered and is not on the log, as its node was killed in between."""
    browser = Browser(server.url)
    await browser.sign_up("anna")
    owner, match = await owner_of(dsn), uuid7()
    await owner.execute(
        "INSERT INTO lobby.match (match_id, title, scenario, pace, private, clocked, command)"
        " VALUES ($1, 'tiny', 'skirmish', '', false, true, sha256($2))",
        match,
        match.bytes,
    )
    await owner.execute(
        "INSERT INTO lobby.token (hash, match_id, seat, kind, person_id)"
        " SELECT sha256($2), $1, 0, 'seat', id FROM people.person",
        match,
        uuid4().bytes,
    )
    await owner.close()

    assert (200, {"left": 30, "most": 30, "until": None}) == await browser.ask("GET", "/api/me/holiday")


async def test_a_guest_is_told_nothing_of_holidays(server: Serving) -> None:
    status, answer = await Browser(server.url).ask("GET", "/api/me/holiday")

    assert (401, "no_session") == (status, answer["code"])
