"""Each kind of channel by itself: what it sends, and what it makes of the answer."""

import asyncio
import base64
import hmac
import json
import time
from collections.abc import AsyncIterator
from email.message import EmailMessage
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from msgspec.structs import replace

from server import mail_url
from server.mail_url import MailFault, MailServer
from server.notices.mail import Mailer
from server.notices.places import Mail, Webhook
from server.notices.push import NOBODY, PushKeys, WebPush, contact_of, topic
from server.notices.sealing import LONGEST, sealed
from server.notices.webhook import Webhooks
from server.notices.words import Failed, Gone, Notice
from server.proof.keys import KeyRing
from tests.server.certificates import Certificates
from tests.server.receivers import (
    Browser,
    MailBox,
    Web,
    coded,
    decoded,
    proven,
    trusting,
    web,
)

HOME = "https://fleet.example"
MATCH = UUID("0199aabb-0000-7000-8000-000000000001")
TURN = Notice(UUID(int=7), "turn", MATCH, 0, "midway", "Friday evening", ("Ann",))
BEGUN = replace(TURN, id=UUID(int=8), kind="begun", label="", others=("",))
SECRET = base64.b64encode(bytes(range(32))).decode()


def home() -> str:
    return HOME


def ring(*first: int) -> KeyRing:
    return KeyRing({f"k{n}": bytes((n * 37 + i * i * 7) % 256 for i in range(32)) for n in first or (1,)})


@pytest.fixture
async def there(certificates: Certificates) -> AsyncIterator[Web]:
    async with web(certificates) as one:
        yield one


def mailer(box: MailBox) -> Mailer:
    return Mailer(MailServer("127.0.0.1", box.port, tls=False), "notices@fleet.example", home)


TO = Mail(address="bob@example.org", token="tok")


# mail


def part(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content())


async def test_a_mail_says_whose_turn_it_is_as_text_and_as_html_with_a_link_that_opens_nothing(
    box: MailBox,
) -> None:
    await mailer(box).send(TO, [TURN])
    (message,) = box.took
    link = f"{HOME}/match/{MATCH}"

    assert "It is your turn in Midway, against Ann: Friday evening" == message["Subject"]
    assert ("bob@example.org", "notices@fleet.example") == (
        message["To"],
        message["From"].addresses[0].addr_spec,
    )
    for text in (part(message, "plain"), part(message, "html")):
        assert "It is your turn in Midway" in text
        assert "against Ann: Friday evening" in text
        assert link in text
        assert f"{link}#" not in text


async def test_a_mail_is_stopped_with_one_click(box: MailBox) -> None:
    await mailer(box).send(TO, [TURN])
    (message,) = box.took

    assert f"<{HOME}/api/unsubscribe/tok>" == message["List-Unsubscribe"]
    assert "List-Unsubscribe=One-Click" == message["List-Unsubscribe-Post"]
    assert f"{HOME}/unsubscribe#tok" in part(message, "plain")


async def test_told_twice_a_mail_has_one_id(box: MailBox) -> None:
    for _ in range(2):
        await mailer(box).send(TO, [TURN])

    assert 1 == len({message["Message-ID"] for message in box.took})


async def test_a_digest_is_one_mail(box: MailBox) -> None:
    await mailer(box).send(TO, [TURN, BEGUN])
    (message,) = box.took

    assert "2 things wait for you" == message["Subject"]
    assert "It is your turn in Midway." in part(message, "plain")
    assert "The match begins: Midway." in part(message, "plain")
    assert "against your opponent" in part(message, "plain")


async def test_what_people_write_makes_no_header_and_no_tag(box: MailBox) -> None:
    label = "x\r\nBcc: eve@example.org\r\n\r\n<script>alert(1)</script>" + "y" * 200
    await mailer(box).send(TO, [replace(TURN, label=label)])
    (message,) = box.took

    assert message["Bcc"] is None
    assert len(message["Subject"]) <= 120
    assert "<script>" not in part(message, "html")


@pytest.mark.parametrize(
    ("answer", "to", "fault"),
    [
        ("451 later", "250 known", "the mail server answers 451"),
        ("554 no", "250 known", "the mail server answers 554"),
        ("250 taken", "550 nobody at bob@example.org", "the mail server refuses the address"),
        ("250 taken", "450 later", "the mail server refuses the address"),
    ],
)
async def test_a_mail_that_is_refused_may_be_sent_later(
    box: MailBox, answer: str, to: str, fault: str
) -> None:
    box.answer, box.to = answer, to

    with pytest.raises(Failed) as failed:
        await mailer(box).send(TO, [TURN])

    assert fault == failed.value.fault


async def test_a_mail_server_that_hangs_is_given_up(box: MailBox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.mail.WITHIN", 0.3)
    box.open.clear()

    with pytest.raises(Failed, match="in time"):
        await mailer(box).send(TO, [TURN])
    box.open.set()


async def test_a_mail_server_that_is_not_there_has_failed_and_one_that_comes_back_takes_it(
    box: MailBox,
) -> None:
    one = mailer(box)
    await box.stop()
    with pytest.raises(Failed, match="cannot be reached"):
        await one.send(TO, [TURN])

    await box.start()
    await one.send(TO, [TURN])

    assert 1 == len(box.took)


async def test_beyond_this_machine_nothing_is_sent_without_tls(
    box: MailBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a server that does not know STARTTLS, and is not taken for one on this machine."""
    monkeypatch.setattr(mail_url, "HERE", ())
    one = Mailer(
        MailServer("127.0.0.1", box.port, tls=False, user="u", password="p"), "notices@fleet.example", home
    )

    with pytest.raises(Failed):
        await one.send(TO, [TURN])

    assert not box.took


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example", MailServer("mail.example", 587, tls=False)),
        (
            "smtps://u%40x:p%2Fq@mail.example",
            MailServer("mail.example", 465, tls=True, user="u@x", password="p/q"),
        ),
        ("smtp://[::1]:25", MailServer("::1", 25, tls=False)),
    ],
)
def test_a_mail_servers_url_is_taken_apart(url: str, server: MailServer) -> None:
    assert server == mail_url.parse(url)
    assert "p/q" not in repr(server)


@pytest.mark.parametrize(
    "url", ["mail.example", "http://mail.example", "smtp://", "smtp://u:p/q@mail.example", "smtp://m:x"]
)
def test_a_wrong_url_of_a_mail_server_is_refused_without_telling_it(url: str) -> None:
    with pytest.raises(MailFault) as fault:
        mail_url.parse(url)

    assert "FLEETFOLD_MAIL" in str(fault.value)
    assert "p/q" not in str(fault.value)


# push


def test_a_push_message_is_sealed_as_in_the_example_of_the_standard() -> None:
    """Given the keys of RFC 8291, appendix A."""
    own = ec.derive_private_key(
        int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), ec.SECP256R1()
    )
    p256dh = decoded(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    auth, salt = decoded("BTBZMqHH6r4Tts7J_aSIgg"), decoded("DGv6ra1nlYgDCS1FRnbzlw")

    body = sealed(b"When I grow up, I want to be a watermelon", p256dh, auth, own=own, salt=salt)

    assert (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    ) == coded(body)


def test_what_is_too_long_for_a_push_message_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        sealed(b"x" * (LONGEST + 1), b"", b"")


async def test_a_push_is_opened_by_the_browser_alone_and_says_who_pushes(
    there: Web, certificates: Certificates
) -> None:
    browser, keys = Browser(), PushKeys(ring())
    push = WebPush(trusting(certificates), keys, home, "mailto:notices@fleet.example")

    await push.send(browser.place(there.url(path="/send/1"), keys.public), [TURN])
    (took,) = there.took
    claims = proven(took, f"https://127.0.0.1:{there.port}")

    assert ("mailto:notices@fleet.example", keys.public) == (claims["sub"], claims["k"])
    assert ("aes128gcm", "86400") == (took.headers["content-encoding"], took.headers["ttl"])
    assert {
        "title": "It is your turn in Midway",
        "body": "against Ann: Friday evening",
        "link": f"{HOME}/match/{MATCH}",
        "tag": took.headers["topic"],
    } == browser.opened(took.body)
    assert b"Midway" not in took.body


async def test_a_browser_is_pushed_to_with_the_key_that_it_subscribed_with(
    there: Web, certificates: Certificates
) -> None:
    """Given a ring with a new key on top of the one by which the browser subscribed."""
    before, after = PushKeys(ring(1)), PushKeys(ring(2, 1))
    push = WebPush(trusting(certificates), after, home, "mailto:a@b.example")

    await push.send(Browser().place(there.url(), before.public), [TURN])

    assert before.public != after.public
    assert before.public == proven(there.took[0], f"https://127.0.0.1:{there.port}")["k"]
    with pytest.raises(Gone):
        await push.send(Browser().place(there.url(), "another"), [TURN])


@pytest.mark.parametrize(
    ("mail_from", "public_url", "contact"),
    [
        ("notices@fleet.example", "https://fleet.example", "mailto:notices@fleet.example"),
        ("", "https://fleet.example:8443", "https://fleet.example:8443"),
        ("", None, NOBODY),
        ("", "http://fleet.example", NOBODY),
        ("", "https://localhost:8000", NOBODY),
        ("", "https://fleet.local", NOBODY),
        ("", "https://192.168.1.7", NOBODY),
        ("", "https://[::1]:8000", NOBODY),
    ],
)
def test_push_services_are_told_of_an_operator_whom_they_can_reach_or_of_nobody(
    mail_from: str, public_url: str | None, contact: str
) -> None:
    assert contact == contact_of(mail_from, public_url)


async def test_a_proof_of_who_pushes_is_good_for_half_a_day(there: Web, certificates: Certificates) -> None:
    keys = PushKeys(ring())

    await WebPush(trusting(certificates), keys, home, NOBODY).send(
        Browser().place(there.url(), keys.public), [TURN]
    )

    claims = proven(there.took[0], f"https://127.0.0.1:{there.port}")
    assert 0.4 * 86_400 < claims["exp"] - time.time() <= 0.5 * 86_400


def test_a_push_has_the_tag_of_the_notice_that_an_open_page_shows_itself() -> None:
    told = replace(TURN, match=UUID("01a208fc-c199-71e4-9c84-6d0a315f629e"))

    assert "Zg49cFhfDRUI-If9uItg_aUSZzW2__Q2" == topic((told,))  # as in clients/web/src/state/calling.test.ts


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_to_be_forgotten(
    there: Web, certificates: Certificates, status: int
) -> None:
    keys = PushKeys(ring())
    there.status = status
    push = WebPush(trusting(certificates), keys, home, "mailto:a@b.example")

    with pytest.raises(Gone):
        await push.send(Browser().place(there.url(), keys.public), [TURN])


@pytest.mark.parametrize("status", [302, 400, 403, 413, 429, 500, 503])
async def test_a_push_service_that_refuses_is_asked_again_later(
    there: Web, certificates: Certificates, status: int
) -> None:
    keys = PushKeys(ring())
    there.status = status
    push = WebPush(trusting(certificates), keys, home, "mailto:a@b.example")

    with pytest.raises(Failed, match=str(status)):
        await push.send(Browser().place(there.url(), keys.public), [TURN])


# webhooks


async def test_a_webhook_is_signed_by_the_standard_scheme(there: Web, certificates: Certificates) -> None:
    hooks = Webhooks(trusting(certificates), home)
    await hooks.send(Webhook(url=there.url(), secret=SECRET), [TURN])
    (took,) = there.took
    signed = f"{took.headers['webhook-id']}.{took.headers['webhook-timestamp']}.".encode() + took.body
    digest = base64.b64encode(hmac.digest(bytes(range(32)), signed, "sha256")).decode()
    said = json.loads(took.body)

    assert f"v1,{digest}" == took.headers["webhook-signature"]
    assert str(TURN.id) == took.headers["webhook-id"]
    assert "fleetfold.notices" == said["type"]
    assert [
        {
            "kind": "turn",
            "text": "It is your turn in Midway",
            "match": str(MATCH),
            "tournament": None,
            "title": "midway",
            "opponents": "Ann",
            "label": "Friday evening",
            "terms": "",
            "until": None,
            "said": "",
            "link": f"{HOME}/match/{MATCH}",
        }
    ] == said["data"]["notices"]


def test_the_signature_is_that_of_the_schemes_own_example() -> None:
    """Given the example that Standard Webhooks publishes."""
    from server.notices.webhook import signed  # noqa: PLC0415

    headers = signed(
        "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )

    assert "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" == headers["webhook-signature"]


@pytest.mark.parametrize(
    ("shape", "body"),
    [
        ("discord", {"content": "{line} {link}", "allowed_mentions": {"parse": []}}),
        ("slack", {"text": "{slack} {link}"}),
    ],
)
async def test_others_get_the_shape_that_they_take(
    there: Web, certificates: Certificates, shape: str, body: dict[str, object]
) -> None:
    hooks = Webhooks(trusting(certificates), home)
    await hooks.send(Webhook(url=there.url(), shape=shape), [replace(TURN, label="@everyone <!here> & more")])
    line = "It is your turn in Midway, against Ann: @everyone !here & more."
    slack = "It is your turn in Midway, against Ann: @everyone !here &amp; more."

    told = json.dumps(body).replace("{line}", line).replace("{slack}", slack)
    assert json.loads(told.replace("{link}", f"{HOME}/match/{MATCH}")) == json.loads(there.took[0].body)


@pytest.mark.parametrize("field", ["label", "others"])
async def test_what_a_stranger_writes_is_no_link_by_any_channel_that_shows_it(
    there: Web, certificates: Certificates, box: MailBox, field: str
) -> None:
    """Given a label, or a name, that is a link; only our own shape has it as it was written, as data."""
    text = "[free prize](https://evil.example/x) https://evil.example/x"
    notice = replace(TURN, **{field: text if field == "label" else (text,)})
    hooks = Webhooks(trusting(certificates), home)
    for shape in ("discord", "slack", "ntfy", "fleetfold"):
        await hooks.send(Webhook(url=there.url(), shape=shape, secret=SECRET), [notice])
    await mailer(box).send(TO, [notice])
    (mail,) = box.took
    mailed = [mail["Subject"], *(part.get_content() for part in mail.iter_parts())]
    *shown, own = [took.body.decode() for took in there.took]

    assert all("free prize" in one and "//evil" not in one and "](" not in one for one in (*shown, *mailed))
    assert all("evil.example" not in one for one in (*shown, *mailed))
    assert text in own


@pytest.mark.parametrize(("shape", "most"), [("discord", 2000), ("slack", 4000), ("ntfy", 4096)])
def test_a_digest_is_no_longer_than_a_webhook_takes_and_says_how_many_more_there_are(
    certificates: Certificates, shape: str, most: int
) -> None:
    many = [replace(TURN, label=f"Zürich & Söhne, {n}") for n in range(100)]

    _, body = Webhooks(trusting(certificates), home).request(
        Webhook(url="https://a.example", shape=shape), tuple(many), 0
    )

    text = body.decode() if shape == "ntfy" else next(iter(json.loads(body).values()))
    *lines, last = text.splitlines()
    assert 5 < len(lines) == 100 - int(last.split()[1])
    assert f"and {100 - len(lines)} more: {HOME}/" == last
    assert most - 300 < (len(text.encode()) if shape == "ntfy" else len(text)) <= most


async def test_ntfy_gets_text_and_where_a_tap_leads(there: Web, certificates: Certificates) -> None:
    hooks = Webhooks(trusting(certificates), home)
    await hooks.send(Webhook(url=there.url(), shape="ntfy"), [replace(TURN, label="Zürich")])
    (took,) = there.took

    assert "It is your turn in Midway, against Ann: Zürich." == took.body.decode()
    assert f"{HOME}/match/{MATCH}" == took.headers["click"]


async def test_a_webhook_that_fails_is_tried_later_and_one_that_is_gone_is_not(
    there: Web, certificates: Certificates
) -> None:
    hooks, to = Webhooks(trusting(certificates), home), Webhook(url=there.url(), secret=SECRET)
    there.statuses = [500, 410, 200]

    with pytest.raises(Failed, match="500"):
        await hooks.send(to, [TURN])
    with pytest.raises(Gone):
        await hooks.send(to, [TURN])
    await hooks.send(to, [TURN])
    assert {str(TURN.id)} == {one.headers["webhook-id"] for one in there.took}


async def test_webhooks_side_by_side_do_not_wait_for_one_that_stalls(
    there: Web, certificates: Certificates
) -> None:
    async with web(certificates) as stalls:
        stalls.open.clear()
        hooks = Webhooks(trusting(certificates), home)
        waits = asyncio.create_task(hooks.send(Webhook(url=stalls.url(), secret=SECRET), [TURN]))
        await stalls.heard(1)
        await hooks.send(Webhook(url=there.url(), secret=SECRET), [TURN])

        assert not waits.done()
        stalls.open.set()
        await waits
