"""One mail, by a real mail server: when it counts as sent."""

from email.message import EmailMessage

import pytest

from server import mail_url
from server.mail import Unsent, send
from server.mail_url import MailServer
from tests.server.certificates import Certificates
from tests.server.receivers import MailBox, mail_box


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


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_mail_goes_by_tls_to_a_server_whose_certificate_is_good(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    """Given a server beyond this machine, which speaks TLS from the first byte, or when asked to."""
    monkeypatch.setattr(mail_url, "HERE", ())
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.ca))
    async with mail_box(certificates, at_once=at_once) as box:
        server = MailServer("127.0.0.1", box.port, tls=at_once)

        await send(server, "us@example.org", "bob@example.org", letter())

        assert ["bob@example.org"] == [mail["To"] for mail in box.took]


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_mail_is_not_sent_to_a_server_whose_certificate_nobody_has_signed(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    monkeypatch.setattr(mail_url, "HERE", ())
    async with mail_box(certificates, at_once=at_once) as box:
        server = MailServer("127.0.0.1", box.port, tls=at_once)

        with pytest.raises(Unsent):
            await send(server, "us@example.org", "bob@example.org", letter())

        assert not box.took
