"""The ways in beside passkeys over HTTP: by a mailed link, and by the operator's provider of identities.

| path | verb | what |
|---|---|---|
| /api/me/mail | POST, DELETE | a link is mailed to an address; his own is forgotten |
| /api/me/mailed | POST | that link is opened |
| /api/me/oidc | POST, DELETE | the browser leaves for the provider; that is forgotten |
| /api/me/oidc/back | POST | it has come back |

Deliberately absent: GETs. A link, and whoever comes back, leads to a page that asks by POST.
"""

from server.http.pages import Nothing, Page, PageRequest, Routes, body_of, found
from server.http.people import PeoplePages, staying_at, with_cookie
from server.people import mailing
from server.people.cookies import ASKED, cookie, cookie_of_who_asked, token_in
from server.people.mailing import Came
from server.people.post import MINUTES
from server.people.providing import CameBack
from server.people.sessions import Here
from server.protocol.people import Leaving, LinkMailed, LinkOpened


class WaysIn:
    """The ways in beside passkeys."""

    def __init__(self, people: PeoplePages) -> None:
        self._people = people

    def verbs(self) -> dict[str, Routes]:
        """Return what is changed, by verb."""
        return {
            "POST": {
                ("api", "me", "mail"): self._ask_for_link,
                ("api", "me", "mailed"): self._open_link,
                ("api", "me", "oidc"): self._leave,
                ("api", "me", "oidc", "back"): self._come_back,
            },
            "DELETE": {
                ("api", "me", "mail"): self._remove_mail,
                ("api", "me", "oidc"): self._remove_oidc,
            },
        }

    async def _ask_for_link(self, request: PageRequest) -> Page:
        asked, home = body_of(request, mailing.Asked), staying_at(request)
        here = await self._people.sessions.of(token_in(request.cookies, home))
        browser = token_in(request.cookies, home, ASKED)
        kept = await self._people.mailing.ask(asked, here, home, browser, request.address)
        return with_cookie(found(LinkMailed(MINUTES)), cookie_of_who_asked(home, kept, MINUTES))

    async def _open_link(self, request: PageRequest) -> Page:
        asked, home = body_of(request, mailing.Opened), staying_at(request)
        here = await self._people.sessions.of(token_in(request.cookies, home))
        browser = token_in(request.cookies, home, ASKED)
        came = await self._people.entry.open_link(asked, here, browser, request.agent, request.address)
        return await self._came(came, here, home)

    async def _came(self, came: Came, here: Here | None, home: str) -> Page:
        if came.session:
            here = await self._people.sessions.of(came.session)
        page = found(LinkOpened(await self._people.persons.me(here, home), came.codes, came.new))
        return with_cookie(page, cookie(home, came.session)) if came.session else page

    async def _leave(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        home = staying_at(request)
        here = await self._people.sessions.of(token_in(request.cookies, home))
        browser = token_in(request.cookies, home, ASKED)
        to, kept = await self._people.providing.leave(here, home, browser, request.address)
        return with_cookie(found(Leaving(to)), cookie_of_who_asked(home, kept, MINUTES))

    async def _come_back(self, request: PageRequest) -> Page:
        asked, home = body_of(request, CameBack), staying_at(request)
        here = await self._people.sessions.of(token_in(request.cookies, home))
        browser = token_in(request.cookies, home, ASKED)
        came = await self._people.entry.come_back(asked, here, home, browser, request.agent, request.address)
        return await self._came(came, here, home)

    async def _remove_oidc(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        await self._people.providing.remove(await self._people.here(request), self._people.mailing)
        self._people.ended()
        return await self._people.me_page(request)

    async def _remove_mail(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        await self._people.mailing.remove(await self._people.here(request), self._people.providing.issuer)
        self._people.ended()
        return await self._people.me_page(request)
