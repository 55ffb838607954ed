"""One mail, sent by the operator's mail server. Without TLS nothing is sent beyond this machine.

Deliberately absent: what is written (who sends one says it), when it is tried again, and what comes back by
mail: bounces are the mail server's to tell its operator.
"""

import asyncio
import contextlib
from email.message import EmailMessage
from typing import Final

import aiosmtplib

from server.mail_url import MailServer

WITHIN: Final = 30.0
"""Seconds for all of a mail, until it is taken."""

FAREWELL: Final = 1.0
"""Seconds for the goodbye behind it, on which nothing depends."""


class Unsent(Exception):
    """A mail was not sent. The message says why, without the address."""


async def send(server: MailServer, sender: str, to: str, message: EmailMessage) -> None:
    """Send a mail from an address to another. Raises Unsent."""
    client = aiosmtplib.SMTP(
        hostname=server.host,
        port=server.port,
        username=server.user or None,
        password=server.password or None,
        use_tls=server.tls,
        start_tls=not (server.tls or server.here),
        local_hostname=sender.rpartition("@")[2],
        timeout=WITHIN,
    )
    try:
        async with asyncio.timeout(WITHIN):
            await client.connect()
            await client.send_message(message, sender=sender, recipients=[to])
        with contextlib.suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
            await client.quit(timeout=FAREWELL)  # it is sent, whatever comes of this
    except TimeoutError:
        raise Unsent("the mail server did not answer in time") from None
    except aiosmtplib.SMTPAuthenticationError:
        raise Unsent("the mail server refuses the login") from None
    except aiosmtplib.SMTPRecipientsRefused:
        raise Unsent("the mail server refuses the address") from None
    except aiosmtplib.SMTPResponseException as why:
        raise Unsent(f"the mail server answers {why.code}") from None
    except (aiosmtplib.SMTPException, OSError, ValueError):
        raise Unsent("the mail server cannot be reached") from None
    finally:
        with contextlib.suppress(Exception):
            client.close()
