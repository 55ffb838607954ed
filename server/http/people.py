"""The pages of persons over HTTP: who I am, how I come in and go, what is mine.

| path | verb | what |
|---|---|---|
| /api/me | GET, PATCH, DELETE | who is signed in; what he says of himself; erase him |
| /api/me/export | GET | all that is kept of him, as a file |
| /api/me/matches | GET | his matches, and challenges that wait for him; a bot's by its token |
| /api/me/seats | POST | seats of a guest become his |
| /api/me/passkeys/options | POST | what an authenticator is handed |
| /api/me/sign-up, sign-in, sign-out | POST | a person is made; a session begins, or ends |
| /api/me/passkeys, /api/me/passkeys/ID | POST; PATCH, DELETE | his passkeys |
| /api/me/codes | POST | new recovery codes |
| /api/me/sessions, /api/me/sessions/ID | DELETE | ends all other sessions, or one |
| /api/me/bots, /api/me/bots/HANDLE | POST; DELETE | his bots |
| /api/me/bots/HANDLE/tokens, …/tokens/ID | POST; DELETE | their tokens |
| /api/me/challenges, /api/me/challenges/MATCH | GET; POST | challenges to him and by him; an answer |
| /api/me/blocks, /api/me/blocks/HANDLE | POST; DELETE | whom he keeps away |
| /api/me/reports | POST | a line of chat, for the operator |
| /api/people/HANDLE | GET | what a person shows to all |

Deliberately absent: what is known of a person (`server.people`), and the ways in by mail and by a provider
(`server.http.ways_in`).
"""

from collections.abc import Callable
from uuid import UUID

from msgspec import Struct

from domain.match.refusals import RequestError
from server.http.pages import Nothing, Page, PageRequest, Routes, body_of, found
from server.lobby.listing import Listing
from server.people import blocks
from server.people.blocks import Blocks
from server.people.bots import Bots, NewBot, NewToken
from server.people.challenges import Answer, Challenging
from server.people.cookies import cookie, may_stay, token_in, ways
from server.people.entry import Credential, Entry, SignIn, SignUp, Wanted
from server.people.erasing import Erasing
from server.people.holdings import GuestLink, Holdings
from server.people.mailboxes import Mailboxes
from server.people.mailing import Mailing
from server.people.oidc import Oidc
from server.people.persons import Change, Persons
from server.people.post import Post
from server.people.providing import Providing
from server.people.rematches import Decline, OfferedRematches
from server.people.sessions import Here, Sessions, is_bots
from server.people.shares import Shares
from server.postgres.database import Pool
from server.proof.keys import KeyRing
from server.protocol.people import (
    Challenges,
    Codes,
    MadeToken,
    MyMatches,
    Options,
    SignedUp,
    Ways,
)


class NewPasskey(Struct, frozen=True, forbid_unknown_fields=True):
    """One more passkey."""

    credential: Credential
    name: str = ""


class Named(Struct, frozen=True, forbid_unknown_fields=True):
    """What something is called from now on."""

    name: str


class Typed(Struct, frozen=True, forbid_unknown_fields=True):
    """The handle of who wants to be erased."""

    handle: str


class GuestLinks(Struct, frozen=True, forbid_unknown_fields=True):
    """The links that a guest has in his browser."""

    links: list[GuestLink]


class PeoplePages:
    """The pages of persons."""

    def __init__(
        self,
        pool: Pool,
        listing: Listing,
        sessions: Sessions,
        sessions_ended: Callable[[], None],
        links_changed: Callable[[UUID], None],
        ring: KeyRing,
        post: Post | None = None,
        public_url: str | None = None,
        oidc: Oidc | None = None,
    ) -> None:
        """Take what is to be called when sessions have ended, and when tokens of a match are void.

        `post` sends mails, where the operator has that, with links that begin with `public_url`.
        """
        self.shares, mailboxes = Shares(), Mailboxes(ring)
        self.sessions, self.ended, self._links_changed = sessions, sessions_ended, links_changed
        self.mailing = Mailing(pool, mailboxes, self.shares, post, public_url)
        self.providing = Providing(pool, self.shares, oidc, public_url)
        self.persons = Persons(pool, mailboxes, self._ways, self.providing.issuer)
        self._erasing, self._bots = Erasing(pool, mailboxes), Bots(pool, self.shares)
        self.entry = Entry(pool, self.persons, self.shares, self.mailing, self.providing)
        self._holdings = Holdings(pool, listing)
        self._challenging, self._blocks = Challenging(pool, listing), Blocks(pool)
        self._rematches = OfferedRematches(pool)

    def _ways(self, home: str) -> Ways:
        return ways(home, mail=self.mailing.possible(home), oidc=self.providing.name(home))

    def routes(self) -> Routes:
        """Return what is read."""
        return {
            ("api", "me"): self._me,
            ("api", "me", "export"): self._export,
            ("api", "me", "matches"): self._matches,
            ("api", "me", "challenges"): self._challenges,
            ("api", "people", "*"): self._profile,
        }

    def verbs(self) -> dict[str, Routes]:
        """Return what is changed, by verb."""
        return {
            "POST": {
                ("api", "me", "passkeys", "options"): self._options,
                ("api", "me", "sign-up"): self._sign_up,
                ("api", "me", "sign-in"): self._sign_in,
                ("api", "me", "sign-out"): self._sign_out,
                ("api", "me", "passkeys"): self._add_passkey,
                ("api", "me", "codes"): self._new_codes,
                ("api", "me", "seats"): self._tie,
                ("api", "me", "challenges", "*"): self._answer,
                ("api", "me", "rematches", "*"): self._decline,
                ("api", "me", "blocks"): self._block,
                ("api", "me", "reports"): self._report,
                ("api", "me", "bots"): self._register,
                ("api", "me", "bots", "*", "tokens"): self._make_token,
            },
            "PATCH": {
                ("api", "me"): self._change,
                ("api", "me", "passkeys", "*"): self._rename_passkey,
            },
            "DELETE": {
                ("api", "me"): self._erase,
                ("api", "me", "passkeys", "*"): self._remove_passkey,
                ("api", "me", "sessions"): self._end_others,
                ("api", "me", "sessions", "*"): self._end_session,
                ("api", "me", "blocks", "*"): self._unblock,
                ("api", "me", "bots", "*"): self._remove_bot,
                ("api", "me", "bots", "*", "tokens", "*"): self._remove_token,
            },
        }

    # who asks

    async def here(self, request: PageRequest) -> Here:
        """Return who asks; raises RequestError for a guest."""
        return await self.sessions.needed(token_in(request.cookies, home_of(request)))

    async def me_page(self, request: PageRequest) -> Page:
        """Answer who asks; raises RequestError for a guest."""
        return found(await self.persons.me(await self.here(request), home_of(request)))

    async def _me(self, request: PageRequest) -> Page:
        """Answer who asks, a guest too.

        A cookie that opens nothing any more is taken away; one that does is set anew. The page asks this at
        each start, and otherwise a browser would forget it DAYS after the sign-in, however often it is used.
        """
        home = home_of(request)
        token = token_in(request.cookies, home)
        here = await self.sessions.of(token)
        page = found(await self.persons.me(here, home))
        return with_cookie(page, cookie(home, token if here else "")) if token else page

    async def looks_up(self, request: PageRequest) -> None:
        """Count a look-up of whoever is signed in. Raises TooFast."""
        here = await self.sessions.of(token_in(request.cookies, home_of(request)))
        if here is not None:
            self.shares.look_up(here.person)

    def asks_about(self, here: Here, request: PageRequest) -> None:
        """Count a handle that a person asks something about. Raises TooFast."""
        self.shares.look_up(here.person)
        self.shares.take("look-ups", request.address)

    async def _profile(self, request: PageRequest) -> Page:
        await self.looks_up(request)
        self.shares.take("look-ups", request.address)
        return found(await self.persons.profile(request.parts[2]))

    # coming in, and going

    async def _options(self, request: PageRequest) -> Page:
        wanted, home = body_of(request, Wanted), home_of(request)
        here = await self.sessions.of(token_in(request.cookies, home))
        return found(Options(await self.entry.options(wanted, home, here, request.address)))

    async def _sign_up(self, request: PageRequest) -> Page:
        asked, home = body_of(request, SignUp), staying_at(request)
        token, made = await self.entry.sign_up(asked, home, request.agent, request.address)
        me = await self.persons.me(await self.sessions.of(token), home)
        return with_cookie(found(SignedUp(me, made)), cookie(home, token))

    async def _sign_in(self, request: PageRequest) -> Page:
        asked, home = body_of(request, SignIn), staying_at(request)
        token = await self.entry.sign_in(asked, home, request.agent, request.address)
        page = found(await self.persons.me(await self.sessions.of(token), home))
        return with_cookie(page, cookie(home, token))

    async def _sign_out(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        home = home_of(request)
        here = await self.sessions.of(token_in(request.cookies, home))
        if here is not None:
            await self.entry.sign_out(here)
            self.ended()
        return with_cookie(found(await self.persons.me(None, home)), cookie(home, ""))

    async def _erase(self, request: PageRequest) -> Page:
        here, home = await self.here(request), home_of(request)
        for match in await self._erasing.erase(here, body_of(request, Typed).handle):
            self._links_changed(match)
        self.ended()
        return with_cookie(found(await self.persons.me(None, home)), cookie(home, ""))

    async def _export(self, request: PageRequest) -> Page:
        here = await self.here(request)
        return Page(await self._erasing.export(here), name=f"fleetfold-{here.handle}.json")

    # what is his

    async def _change(self, request: PageRequest) -> Page:
        await self.persons.change(await self.here(request), body_of(request, Change))
        return await self.me_page(request)

    async def _matches(self, request: PageRequest) -> Page:
        here = await (self.sessions.bot(request.token) if is_bots(request.token) else self.here(request))
        matches = await self._holdings.mine(here)
        challenges = await self._challenging.of(here, waiting=True)
        return found(MyMatches(matches, challenges, await self._holdings.gone(here)))

    async def _tie(self, request: PageRequest) -> Page:
        here = await self.here(request)
        return found(await self._holdings.tie(here, body_of(request, GuestLinks).links))

    async def _add_passkey(self, request: PageRequest) -> Page:
        here, asked = await self.here(request), body_of(request, NewPasskey)
        await self.entry.add_passkey(here, asked.name, asked.credential, home_of(request))
        return await self.me_page(request)

    async def _rename_passkey(self, request: PageRequest) -> Page:
        here, asked = await self.here(request), body_of(request, Named)
        await self.entry.rename_passkey(here, _number(request, 3), asked.name)
        return await self.me_page(request)

    async def _remove_passkey(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        await self.entry.remove_passkey(await self.here(request), _number(request, 3))
        self.ended()
        return await self.me_page(request)

    async def _new_codes(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        return found(Codes(await self.entry.new_codes(await self.here(request))))

    async def _end_session(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        here, number = await self.here(request), _number(request, 3)
        await self.sessions.end(here, session=number)
        self.ended()
        home = home_of(request)
        if number == here.session:
            return with_cookie(found(await self.persons.me(None, home)), cookie(home, ""))
        return found(await self.persons.me(here, home))

    async def _end_others(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        await self.sessions.end(await self.here(request))
        self.ended()
        return await self.me_page(request)

    # others

    async def _challenges(self, request: PageRequest) -> Page:
        """Answer with a person's challenges; refuse if one to `to` would be refused."""
        here = await self.here(request)
        if to := request.query.get("to"):
            self.asks_about(here, request)
            await self._challenging.check(here, to)
        return found(Challenges(await self._challenging.of(here)))

    async def _answer(self, request: PageRequest) -> Page:
        here, match = await self.here(request), request.match(3)
        await self._challenging.answer(here, match, body_of(request, Answer))
        self._links_changed(match)
        return found(Challenges(await self._challenging.of(here)))

    async def _decline(self, request: PageRequest) -> Page:
        here = await self.here(request)
        await self._rematches.decline(here, request.match(3), body_of(request, Decline))
        return await self._matches(request)

    async def _block(self, request: PageRequest) -> Page:
        here, handle = await self.here(request), body_of(request, blocks.Named).handle
        self.asks_about(here, request)
        await self._blocks.block(here, handle)
        return await self.me_page(request)

    async def _unblock(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        await self._blocks.unblock(await self.here(request), request.parts[3])
        return await self.me_page(request)

    async def _report(self, request: PageRequest) -> Page:
        await self._blocks.report(await self.here(request), body_of(request, blocks.Report))
        return await self.me_page(request)

    # bots

    async def _register(self, request: PageRequest) -> Page:
        await self._bots.register(await self.here(request), body_of(request, NewBot), request.address)
        return await self.me_page(request)

    async def _remove_bot(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        for match in await self._erasing.erase_bot(await self.here(request), request.parts[3]):
            self._links_changed(match)
        self.ended()
        return await self.me_page(request)

    async def _make_token(self, request: PageRequest) -> Page:
        here, asked = await self.here(request), body_of(request, NewToken)
        return found(MadeToken(await self._bots.make_token(here, request.parts[3], asked)))

    async def _remove_token(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        await self._bots.remove_token(await self.here(request), request.parts[3], _number(request, 5))
        self.ended()
        return await self.me_page(request)


def home_of(request: PageRequest) -> str:
    """Return the origin of the page that asks; where its browser does not say, that of this server."""
    return request.origin or request.home


def staying_at(request: PageRequest) -> str:
    """Return the origin of the page that asks; raises RequestError where nobody can stay signed in."""
    home = home_of(request)
    if not may_stay(home):
        raise RequestError(
            "no_passkeys", "nobody can stay signed in over plain http; the operator has to serve https"
        )
    return home


def _number(request: PageRequest, part: int) -> int:
    text = request.parts[part]
    if not (text.isascii() and text.isdecimal() and len(text) < 19):  # noqa: PLR2004 what a bigint has
        raise RequestError("bad_request", "this is not a number")
    return int(text)


def with_cookie(page: Page, text: str) -> Page:
    """Return a page that sets a cookie."""
    return Page(page.body, page.kind, page.caching, page.status, cookie=text)
