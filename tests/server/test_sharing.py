"""Limits of an address count for all processes of a machine; what they are told apart from, and what ends."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from server import sharing
from server.addresses import Address, Addresses
from server.limits import ARRIVALS, CALLS, CREATIONS, SOCKETS, WORK, Bucket
from server.sharing import Sharing
from tests.server.family import Family, family_of_none

NAME = "192.0.2.7"


@pytest.fixture
async def family() -> AsyncIterator[Family]:
    async with family_of_none() as made:
        yield made


class Process:
    """The addresses of one process, and how it shares them."""

    def __init__(self, family: Family, number: int, most: int) -> None:
        self._line = family.lines[number]
        self.addresses = Addresses(most, shared=True)
        self.sharing = Sharing(self.addresses, self._line)

    @property
    def one(self) -> Address:
        """The address that all are about."""
        return self.addresses.at((NAME, 1))

    async def tell(self) -> None:
        """Tell what has changed, and wait until it was passed on."""
        self.sharing.tell()
        await self._line.round_trip()


async def came(family: Family, number: int, most: int = SOCKETS) -> Process:
    await family.line()
    return Process(family, number, most)


async def heard(family: Family) -> None:
    """Wait until all have heard what was passed on to them."""
    await asyncio.gather(*(line.round_trip() for line in family.lines if not line.lost.is_set()))


async def test_websockets_of_all_processes_count_for_the_limit_of_an_address(family: Family) -> None:
    here, there = await came(family, 0, most=5), await came(family, 1, most=5)
    here.one.sockets, there.one.sockets = 3, 1
    await here.tell()
    await there.tell()
    await heard(family)
    before = here.one.full, there.one.full
    there.one.sockets = 2
    await there.tell()
    await heard(family)

    assert (False, False) == before
    assert (True, True) == (here.one.full, there.one.full)


async def test_connections_of_all_processes_count_for_those_that_are_cut_off(family: Family) -> None:
    here, there = await came(family, 0), await came(family, 1)
    here.one.calls = SOCKETS + CALLS - 1
    await here.tell()
    await heard(family)

    assert 0 == there.one.arrive()
    assert None is there.one.arrive()


@pytest.mark.parametrize(
    ("bucket", "size"), [("arrivals", ARRIVALS[0]), ("work", WORK[0]), ("creations", CREATIONS[0])]
)
async def test_what_one_process_lets_an_address_spend_the_others_spend_too(
    family: Family, bucket: str, size: float
) -> None:
    here, there = await came(family, 0), await came(family, 1)
    getattr(here.one, bucket).spend(size * 0.75)
    getattr(there.one, bucket).spend(size * 0.75)
    before = getattr(here.one, bucket).owed(), getattr(there.one, bucket).owed()
    await here.tell()
    await there.tell()
    await heard(family)
    await here.tell()  # what came from there is told by nobody again
    await heard(family)

    assert (0, 0) == before
    assert getattr(here.one, bucket).owed() > 0
    assert size * 0.75 == getattr(there.one, bucket).spent
    assert getattr(there.one, bucket).owed() == pytest.approx(getattr(here.one, bucket).owed(), rel=0.1)


async def test_what_is_refunded_is_refunded_everywhere(family: Family) -> None:
    here, there = await came(family, 0), await came(family, 1)
    here.one.work.spend(2 * WORK[0])
    await here.tell()
    await heard(family)
    owed = there.one.work.owed()
    here.one.work.give_back(2 * WORK[0])
    await here.tell()
    await heard(family)

    assert owed > 0
    assert 0 == there.one.work.owed()


async def test_an_offer_counts_at_all_processes_and_is_told_once(family: Family) -> None:
    here, there = await came(family, 0), await came(family, 1)
    match = uuid4()
    here.one.offer(match)
    await here.tell()
    await heard(family)
    offered = set(there.one.offers)
    here.one.offers.clear()  # it was joined
    there.one.work.spend()
    await there.tell()
    await heard(family)

    assert {match} == offered
    assert set() == here.one.offers


async def test_the_connections_of_a_process_that_is_gone_count_no_more(family: Family) -> None:
    here, there = await came(family, 0), await came(family, 1)
    there.one.sockets, there.one.calls = 7, 9
    await there.tell()
    await heard(family)
    before = here.one.others_sockets, here.one.others_calls
    family.cut(1)
    async with asyncio.timeout(5):
        while family.lines[0].siblings:
            await asyncio.sleep(0.005)

    assert (7, 9) == before
    assert (0, 0) == (here.one.others_sockets, here.one.others_calls)


async def test_what_one_was_left_out_of_counts_when_it_is_taken_in_again(family: Family) -> None:
    here, there = await came(family, 0), await came(family, 1)
    here.one.calls, here.one.sockets, there.one.calls = 7, 5, 2
    for one in (here, there):
        await one.tell()
    await heard(family)
    family.leave_out(1)
    await family.lines[0].round_trip()
    without = here.one.others_calls
    here.one.calls, here.one.sockets = 1, 0
    for one in (here, there):
        await one.tell()
    await heard(family)
    await heard(family)

    assert 0 == without
    assert (2, 1, 0) == (here.one.others_calls, there.one.others_calls, there.one.others_sockets)


async def test_of_one_that_went_while_another_was_left_out_nothing_counts_there(family: Family) -> None:
    """Neither before another comes in its place, with no connections, nor after."""
    here, _, third = await came(family, 0), await came(family, 1), await came(family, 2)
    third.one.calls = third.one.sockets = 500
    await third.tell()
    await heard(family)
    counted = [here.one.others_sockets]
    family.leave_out(0)
    family.cut(2)
    await family.lines[2].lost.wait()
    family.lines[0].tell(9, b"still here")
    await heard(family)
    counted.append(here.one.others_sockets)
    await family.line(2)
    await heard(family)

    assert [500, 0, 0] == [*counted, here.one.others_sockets]
    assert 0 == here.one.others_calls
    assert {1, 2} == family.lines[0].siblings


async def test_a_process_that_comes_is_told_of_connections_and_offers_there_are(family: Family) -> None:
    here = await came(family, 0)
    match = uuid4()
    here.one.calls, here.one.sockets = 4, 3
    here.one.offer(match)
    await here.tell()
    there = await came(family, 1)
    await heard(family)

    assert (4, 3, {match}) == (there.one.others_calls, there.one.others_sockets, there.one.offers)


@pytest.mark.parametrize("again", [False, True], ids=["still evicted", "there again"])
async def test_a_process_that_comes_is_told_what_was_offered_from_addresses_that_were_evicted(
    family: Family, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    """Given more of them than are told at once."""
    monkeypatch.setattr(sharing, "AT_ONCE", 3)
    here = await came(family, 0)
    offered = {f"192.0.2.{number}": uuid4() for number in range(7)}
    for name, match in offered.items():
        here.addresses.under(name).offer(match)
    for _ in offered:
        await here.tell()
    here.addresses._evict()
    there = await came(family, 1)
    await heard(family)
    for name in list(offered) * again:
        here.addresses.under(name)
    for _ in range(2 * len(offered)):
        await here.tell()
    await heard(family)

    assert [{match} for match in offered.values()] == [there.addresses.under(name).offers for name in offered]


async def test_connections_from_an_address_that_was_forgotten_count_no_more_elsewhere(family: Family) -> None:
    """Given its last connection was closed and it was forgotten at once, before the next telling."""
    here, there = await came(family, 0), await came(family, 1)
    here.one.calls, here.one.sockets = 3, 3
    await here.tell()
    await heard(family)
    before = there.one.others_calls, there.one.others_sockets
    here.one.calls = here.one.sockets = 0
    here.addresses._known.clear()
    await here.tell()
    await heard(family)

    assert ((3, 3), (0, 0)) == (before, (there.one.others_calls, there.one.others_sockets))


async def test_what_a_process_that_comes_is_told_is_taken_back_when_it_has_ended(family: Family) -> None:
    """Given a connection was opened and closed between two tellings, and a sibling came meanwhile."""
    here = await came(family, 0)
    here.one.calls = 1
    there = await came(family, 1)
    await heard(family)
    before = there.one.others_calls
    here.one.calls = 0
    await here.tell()
    await heard(family)

    assert (1, 0) == (before, there.one.others_calls)


async def test_an_address_that_was_forgotten_refunds_nothing_elsewhere(family: Family) -> None:
    """Given one at rest that was evicted and came again, then its new bucket is no refund of the old."""
    here, there = await came(family, 0), await came(family, 1)
    here.one.work.spend(2 * WORK[0])
    await here.tell()
    await heard(family)
    here.addresses._known.clear()
    here.one.work.spend(1)
    await here.tell()
    await heard(family)

    assert there.one.work.owed() > 0


async def test_the_connections_of_one_that_was_forgotten_and_came_again_stay_though_the_old_is_refunded(
    family: Family,
) -> None:
    here, there = await came(family, 0), await came(family, 1)
    old = here.one
    old.work.spend(2)
    await here.tell()
    here.addresses._known.clear()
    here.one.calls = 3
    await here.tell()
    old.work.give_back(1)
    await here.tell()
    await heard(family)

    assert 3 == there.one.others_calls


async def test_only_addresses_that_have_changed_are_looked_at(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _ = await came(family, 0), await came(family, 1)
    many = [here.addresses.under(str(number)) for number in range(50)]
    for one in many:
        one.calls += 1
    await here.tell()
    looked: list[Address] = []

    def buckets(one: Address) -> tuple[Bucket, ...]:
        looked.append(one)
        return one.arrivals, one.work, one.reads, one.creations

    monkeypatch.setattr(Address, "buckets", property(buckets))
    many[7].work.spend()
    await here.tell()

    assert [many[7]] == [one for one in looked if one in many]


async def test_where_too_many_have_changed_to_tell_at_once_the_rest_is_told_next(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "AT_ONCE", 20)
    here, there = await came(family, 0), await came(family, 1)
    for number in range(50):
        here.addresses.under(str(number)).sockets = 1
    told = []
    for _ in range(3):
        await here.tell()
        await heard(family)
        told.append(sum(one.others_sockets for one in there.addresses.known.values()))

    assert [20, 40, 50] == told
