"""Mail: one message for what is told at once, as text and as HTML, by the operator's mail server.

It says how to stop it, for people by a link and for mail programs by one click (RFC 8058). The link that
opens a match is no credential. Deliberately absent: how a mail is sent (`server.mail`).
"""

from collections.abc import Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from html import escape
from typing import Final
from uuid import UUID

from server.mail import Unsent, send
from server.mail_url import MailServer
from server.notices.places import Mail
from server.notices.words import Failed, Home, Notice, heading_of

UNSUBSCRIBE: Final = "/api/unsubscribe/"
"""The path that takes a POST behind which a channel's token stands (`server.notices.channels`)."""

SUBJECT: Final = 120
"""Characters of a subject."""


class Mailer:
    """Tells notices by mail."""

    def __init__(self, server: MailServer, sender: str, home: Home) -> None:
        """Take the address that mails come from, and what their links begin with."""
        self._server, self._sender, self._home = server, sender, home

    async def send(self, to: Mail, notices: Sequence[Notice], _person: UUID | None = None) -> None:
        """Tell notices at once. Raises Failed."""
        try:
            await send(self._server, self._sender, to.address, self.message(to, tuple(notices)))
        except Unsent as why:
            raise Failed(str(why)) from None

    def message(self, to: Mail, notices: tuple[Notice, ...]) -> EmailMessage:
        """Write the message for an address."""
        message = EmailMessage(policy=SMTP)
        name, _, domain = self._sender.rpartition("@")
        message["From"] = Address("Fleetfold", name, domain)
        message["To"] = to.address
        message["Subject"] = _subject(notices)
        message["Date"] = formatdate(usegmt=True)
        message["Message-ID"] = f"<{notices[0].id}@{domain}>"  # the same when it is told again
        message["Auto-Submitted"] = "auto-generated"
        message["List-Unsubscribe"] = f"<{self._home()}{UNSUBSCRIBE}{to.token}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(self._text(to, notices))
        message.add_alternative(self._html(to, notices), subtype="html")
        return message

    def _stop(self, to: Mail) -> str:
        return f"{self._home()}/unsubscribe#{to.token}"

    def _text(self, to: Mail, notices: Sequence[Notice]) -> str:
        told = "\n\n".join(
            "\n".join((f"{one.heading}.", *one.lines, one.link(self._home()))) for one in notices
        )
        return f"{told}\n\n-- \nTo get no more of these: {self._stop(to)}\n"

    def _html(self, to: Mail, notices: Sequence[Notice]) -> str:
        told = "".join(
            f'<p><a href="{escape(one.link(self._home()))}">{escape(one.heading)}</a>'
            f"{''.join(f'<br>{escape(line)}' for line in one.lines)}</p>\n"
            for one in notices
        )
        stop = f'<p><small><a href="{escape(self._stop(to))}">Get no more of these</a></small></p>'
        return f'<!doctype html>\n<html lang="en"><body>\n{told}{stop}\n</body></html>\n'


def _subject(notices: tuple[Notice, ...]) -> str:
    first = notices[0]
    text = heading_of(notices) if len(notices) > 1 or not first.about else f"{first.heading}, {first.about}"
    whole = "".join(letter for letter in text if letter.isprintable())
    return whole if len(whole) <= SUBJECT else whole[: SUBJECT - 1] + "…"
