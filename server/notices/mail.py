"""Mail: one message for what is told at once, as text and as HTML, by the operator's mail server.

It says how to stop it, for people by a link and for mail programs by one click (RFC 8058). The link that
opens a match is no credential. Without TLS nothing is sent beyond this machine. Deliberately absent: what
comes back by mail; bounces are the mail server's to tell its operator.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from html import escape
from typing import Final

import aiosmtplib

from server.mail_url import MailServer
from server.notices.places import Mail
from server.notices.words import Failed, Home, Notice, heading_of

WITHIN: Final = 30.0
"""Seconds for all of a message."""

UNSUBSCRIBE: Final = "/api/unsubscribe/"
"""The path that takes a POST behind which a channel's token stands (`server.notices.channels`)."""

SUBJECT: Final = 120
"""Characters of a subject."""


class Mailer:
    """Tells notices by mail."""

    def __init__(self, server: MailServer, sender: str, home: Home) -> None:
        """Take the address that mails come from, and what their links begin with."""
        self._server, self._sender, self._home = server, sender, home

    async def send(self, to: Mail, notices: Sequence[Notice]) -> None:
        """Tell notices at once. Raises Failed."""
        message, server = self.message(to, tuple(notices)), self._server
        client = aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            username=server.user or None,
            password=server.password or None,
            use_tls=server.tls,
            start_tls=not (server.tls or server.here),
            local_hostname=self._sender.rpartition("@")[2],
            timeout=WITHIN,
        )
        try:
            async with asyncio.timeout(WITHIN):
                async with client:
                    await client.send_message(message, sender=self._sender, recipients=[to.address])
        except TimeoutError:
            raise Failed("the mail server did not answer in time") from None
        except aiosmtplib.SMTPAuthenticationError:
            raise Failed("the mail server refuses the login") from None
        except aiosmtplib.SMTPRecipientsRefused:
            raise Failed("the mail server refuses the address") from None
        except aiosmtplib.SMTPResponseException as why:
            raise Failed(f"the mail server answers {why.code}") from None
        except (aiosmtplib.SMTPException, OSError, ValueError):
            raise Failed("the mail server cannot be reached") from None
        finally:
            with contextlib.suppress(Exception):
                client.close()

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
            "\n".join(filter(None, (f"{one.heading}.", one.about, one.link(self._home())))) for one in notices
        )
        return f"{told}\n\n-- \nTo get no more of these: {self._stop(to)}\n"

    def _html(self, to: Mail, notices: Sequence[Notice]) -> str:
        told = "".join(
            f'<p><a href="{escape(one.link(self._home()))}">{escape(one.heading)}</a>'
            f"<br>{escape(one.about)}</p>\n"
            for one in notices
        )
        stop = f'<p><small><a href="{escape(self._stop(to))}">Get no more of these</a></small></p>'
        return f'<!doctype html>\n<html lang="en"><body>\n{told}{stop}\n</body></html>\n'


def _subject(notices: tuple[Notice, ...]) -> str:
    first = notices[0]
    text = heading_of(notices) if len(notices) > 1 or not first.about else f"{first.heading}, {first.about}"
    whole = "".join(letter for letter in text if letter.isprintable())
    return whole if len(whole) <= SUBJECT else whole[: SUBJECT - 1] + "…"
