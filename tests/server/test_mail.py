"""One mail, by a real mail server: when it counts as sent."""

from email.message import EmailMessage

import pytest

from server.mail import send
from server.mail_url import MailServer
from tests.server.receivers import MailBox


def letter() -> EmailMessage:
    message = EmailMessage()
    message["To"] = "bob@example.org"
    message.set_content("It is your turn")
    return message


async def test_a_mail_that_was_taken_is_sent_though_nobody_says_goodbye(
    box: MailBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a mail server that hangs at QUIT, and more time for that than for all of a mail before it."""
    monkeypatch.setattr("server.mail.WITHIN", 3.0)
    monkeypatch.setattr("server.mail.FAREWELL", 3.1)
    box.parting.clear()

    await send(MailServer("127.0.0.1", box.port, tls=False), "us@example.org", "bob@example.org", letter())
    box.parting.set()

    assert (1, 1) == (len(box.took), box.parted)
