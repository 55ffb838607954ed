"""Nimitz on a real server: the seat that nobody takes, and an end that is none of the table's."""

from uuid import UUID, uuid4

from clients.client import Client
from clients.links import Place
from domain.kernel.audience import Audience
from domain.kernel.facts import Decided
from domain.nimitz import NIMITZ
from domain.nimitz.decisions import JaByRule
from projections import record, verify
from server.protocol import wire
from server.serving import Serving
from tests.server.talk import offer, token


async def test_n21_a_resignation_is_told_and_verified_with_its_level(server: Serving) -> None:
    created = await offer(server.url, "nimitz", "1942", options={"mode": 2}, bots={"1": "automated"})
    match = UUID(created["match"])
    seat = Place(server.url, match, token(created, "seat", 0))
    async with Client(seat, nonces=server.settings.data / "nonces") as us:
        await us.sit("", bot=False)
        await us.wait(lambda: bool(us.view["match"].get("started")))
        await us.send(wire.Resign(match, uuid4()))
        await us.wait(lambda: bool(us.match.get("key")))

        assert "Replaced" == us.view["table"]["level"]
    entries = await server.log.read_everything(match)
    assert ["Resigned", "CampaignEnded", "GameEnded", "Ended"] == [entry.type for entry in entries[-4:]]
    assert verify.verify(record.record(entries, Audience.UMPIRE)).good


async def test_n20_2_r_89_the_house_plays_a_japan_seat_by_the_automated_rules(server: Serving) -> None:
    wish = {"options": {"mode": 2}, "bots": {"0": "steady", "1": "automated"}}
    match = UUID((await offer(server.url, "nimitz", "1942", **wish))["match"])
    async with Client(Place(server.url, match)) as onlooker:
        await onlooker.wait(lambda: onlooker.over)
    facts = [NIMITZ.fact(entry.body) for entry in await server.log.read_everything(match)]

    chosen = [fact for fact in facts if isinstance(fact, Decided) and fact.seat == 1 and fact.how == "chosen"]
    assert {NIMITZ.encode(JaByRule())} == {bytes(fact.decision) for fact in chosen}
