"""Challenges where they are seen: among one's matches, and told to who watches the lobby."""

from tests.server.authenticator import Browser, Said
from tests.server.talk import Talk, enter, sit
from tests.server.test_meeting import anna as anna  # noqa: PLC0414 a fixture
from tests.server.test_meeting import bert as bert  # noqa: PLC0414 a fixture
from tests.server.test_meeting import challenged, listed


async def to(browser: Browser) -> list[Said]:
    """Return the challenges that are told with somebody's matches."""
    _, told = await browser.ask("GET", "/api/me/matches")
    found: list[Said] = told["challenges"]
    return found


async def called(talk: Talk) -> None:
    await talk.hear("listed", yours=True)


async def test_a_challenge_is_told_with_the_matches_of_who_is_challenged_until_he_answers(
    anna: Browser, bert: Browser
) -> None:
    created = await challenged(anna)
    await listed(bert)
    seen, own = await to(bert), await to(anna)
    await bert.ask("POST", f"/api/me/challenges/{created['match']}", {"answer": "declined"})

    assert [("anna", "bert", "Again?")] == [(one["by"], one["to"], one["word"]) for one in seen]
    assert ([], []) == (own, await to(bert))


async def test_who_watches_the_lobby_is_told_of_a_challenge_to_him_and_of_its_answer_and_nobody_else_is(
    server_url: str, anna: Browser, bert: Browser
) -> None:
    carl = Browser(server_url)
    await carl.sign_up("carl")
    async with anna.talking() as by, bert.talking() as whom, carl.talking() as other:
        for talk in (by, whom, other):
            await talk.say("lobby", watching=True)
            await talk.hear("listed", whole=True)
        created = await challenged(anna)
        await called(whom)
        (seen,) = await to(bert)
        await called(by)
        await bert.ask("POST", f"/api/me/challenges/{created['match']}", {"answer": "declined"})
        await called(by)
        await called(whom)
        await other.say("ping")
        await other.hear("pong")
        heard = [
            one
            for talk in (by, whom, other)
            for one in talk.heard
            if one["t"] == "listed" and one.get("yours")
        ]

    assert created["match"] == seen["info"]["match"]
    assert 4 == len(heard)
    assert not any(one.get("yours") for one in other.heard)


async def test_a_challenge_at_which_nobody_sits_yet_is_not_told(anna: Browser, bert: Browser) -> None:
    async with anna.talking() as talk, bert.talking() as whom:
        await whom.say("lobby", watching=True)
        await whom.hear("listed", whole=True)
        created = await talk.ask(
            "create", "created", version=1, title="tiny", scenario="skirmish", challenge="bert"
        )
        (own,) = await listed(anna)
        before = await to(bert)
        await enter(talk, created, 0)

        await sit(talk, created)
        await called(whom)

    assert created["match"] == own["info"]["match"]
    assert ([], 1) == (before, len(await to(bert)))
