"""The ways in which a person is told that it is his turn, as his page manages them.

| path | verb | what |
|---|---|---|
| /api/me/channels | GET, POST | his ways to be told; one more: his mail, a browser, a webhook |
| /api/me/channels/ID | PATCH, DELETE | when it is used; removes it |
| /api/me/channels/ID/test | POST | has a test told by it |
| /api/me/channels/ID/browser | POST | says where the browser that it leads to is pushed to by now |
| /api/unsubscribe/TOKEN | POST | turns a channel off: a mail program does so by one click (RFC 8058) |
| /api/unsubscribe/TOKEN | GET | leads to the page that does so |

Deliberately absent: how anybody is told (`server.notices`), and mail addresses, which are proved to be his
first (`server.people`).
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import cast
from urllib.parse import quote
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from domain.match.refusals import RequestError
from server.http.pages import Nothing, Page, PageRequest, Routes, body_of, found
from server.notices import channels
from server.notices.notifying import Notifying
from server.notices.outbox import Kind
from server.notices.places import AnyPlace, Mail, Push, Webhook
from server.people.persons import micros
from server.people.sessions import Here
from server.protocol.people import ChannelInfo, Channels, Delivery, NoticeKind, Unsubscribed


class NewPush(Struct, frozen=True, forbid_unknown_fields=True, tag="push", tag_field="kind"):
    """A browser, as it says itself: where to push, and its keys, in base64url."""

    endpoint: str
    p256dh: str
    auth: str


class NewMail(Struct, frozen=True, forbid_unknown_fields=True, tag="mail", tag_field="kind"):
    """The mail address that is known to be the person's."""


class NewWebhook(Struct, frozen=True, forbid_unknown_fields=True, tag="webhook", tag_field="kind"):
    """An address on the web, and the shape of what is sent there."""

    url: str
    shape: str = "fleetfold"


class Use(Struct, frozen=True, forbid_unknown_fields=True):
    """When a channel is used; what is left out stays."""

    on: bool | UnsetType = UNSET
    away: bool | UnsetType = UNSET
    quiet: bool | UnsetType = UNSET
    digest: bool | UnsetType = UNSET


class ChannelPages:
    """The pages of channels."""

    def __init__(
        self,
        notifying: Notifying,
        here: Callable[[PageRequest], Awaitable[Here]],
        address: Callable[[Here], Awaitable[str]],
    ) -> None:
        """Take what returns who asks, which raises RequestError for a guest, and his mail address if any."""
        self._channels, self._key = notifying.channels, notifying.keys.public
        self._mails, self._here, self._address = notifying.mails, here, address

    def routes(self) -> Routes:
        """Return what is read."""
        return {("api", "me", "channels"): self._list, ("api", "unsubscribe", "*"): self._asked_to_stop}

    def verbs(self) -> dict[str, Routes]:
        """Return what is changed, by verb."""
        return {
            "POST": {
                ("api", "me", "channels"): self._add,
                ("api", "me", "channels", "*", "test"): self._test,
                ("api", "me", "channels", "*", "browser"): self._renew,
            },
            "PATCH": {("api", "me", "channels", "*"): self._change},
            "DELETE": {("api", "me", "channels", "*"): self._remove},
        }

    def anyones(self) -> Routes:
        """Return what may be sent from anywhere, by POST: it needs a token of its own."""
        return {("api", "unsubscribe", "*"): self._unsubscribe}

    async def _list(self, request: PageRequest) -> Page:
        return await self._told(await self._here(request))

    async def _told(self, here: Here, added: channels.Added | None = None) -> Page:
        mine = [_info(one) for one in await self._channels.of(here.person)]
        if added is None:
            return found(Channels(mine, self._key, ""))
        return found(Channels(mine, self._key, added.secret, added.channel))

    async def _add(self, request: PageRequest) -> Page:
        here, asked = await self._here(request), body_of(request, NewMail | NewPush | NewWebhook)
        place: AnyPlace
        if isinstance(asked, NewPush):
            place = self._browser(asked)
        elif isinstance(asked, NewWebhook):
            place = Webhook(url=asked.url, shape=asked.shape)
        else:
            place = Mail(address=await self._mail(here))
        session = here.session if isinstance(place, Push) else None
        return await self._told(here, await self._channels.add(here.person, place, session))

    def _browser(self, asked: NewPush) -> Push:
        return Push(endpoint=asked.endpoint, p256dh=asked.p256dh, auth=asked.auth, by=self._key)

    async def _renew(self, request: PageRequest) -> Page:
        here, asked = await self._here(request), body_of(request, NewPush)
        await self._channels.renew(here.person, _channel(request), self._browser(asked), here.session)
        return await self._told(here)

    async def _mail(self, here: Here) -> str:
        """Return the mail address of a person. Raises RequestError."""
        if not self._mails:
            raise RequestError("not_allowed", "this server sends no mail")
        address = await self._address(here)
        if not address:
            raise RequestError("not_allowed", "add a mail address first")
        return address

    async def _change(self, request: PageRequest) -> Page:
        here, use = await self._here(request), body_of(request, Use)
        await self._channels.change(
            here.person, _channel(request), on=use.on, away=use.away, quiet=use.quiet, digest=use.digest
        )
        return await self._told(here)

    async def _test(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        here = await self._here(request)
        await self._channels.test(here.person, _channel(request))
        return await self._told(here)

    async def _remove(self, request: PageRequest) -> Page:
        body_of(request, Nothing)
        here = await self._here(request)
        await self._channels.remove(here.person, _channel(request))
        return await self._told(here)

    async def _asked_to_stop(self, request: PageRequest) -> Page:
        """Lead whoever opens the header's link, as mail programs do that know no one click, to its page.

        Nothing is changed by that: whatever reads mails before people do opens links as well.
        """
        token = quote(request.parts[2], safe="")
        return Page(b"", status=HTTPStatus.SEE_OTHER, to=f"/unsubscribe#{token}")

    async def _unsubscribe(self, request: PageRequest) -> Page:
        if not await self._channels.unsubscribe(request.parts[2]):
            raise RequestError("no_page", "this link is not known, or not any more")
        return found(Unsubscribed(off=True))


def _channel(request: PageRequest) -> UUID:
    try:
        return UUID(request.parts[3])
    except ValueError:
        raise RequestError("not_allowed", "this is not one of your ways to be told") from None


def _info(one: channels.Channel) -> ChannelInfo:
    last = [
        Delivery(
            cast("NoticeKind", told.kind),
            told.match,
            micros(told.made),
            None if told.sent is None else micros(told.sent),
            told.outcome,
            told.tries,
            told.fault,
        )
        for told in one.last
    ]
    kind = cast("Kind", one.kind)
    return ChannelInfo(
        one.id, kind, one.name, one.state, one.away, one.quiet, one.digest, micros(one.made), last
    )
