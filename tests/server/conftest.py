"""Whoever notices are sent to, and what tells them, for the tests of notices."""

from collections.abc import AsyncIterator

import pytest

from server.notices.notifying import Notifying
from server.postgres.database import Database
from tests.server.certificates import Certificates
from tests.server.noticed import World, notifying, owner_of
from tests.server.receivers import MailBox, Web, certificates_in, mail_box, web


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Give certificates of receivers on the loopback."""
    return certificates_in(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
async def hook(certificates: Certificates) -> AsyncIterator[Web]:
    """Give a receiver of webhooks and pushes."""
    async with web(certificates) as one:
        yield one


@pytest.fixture
async def box() -> AsyncIterator[MailBox]:
    """Give a mail server."""
    async with mail_box() as one:
        yield one


@pytest.fixture
async def world(dsn: str, database: Database) -> AsyncIterator[World]:
    """Give persons, matches and turns, and a clock that is moved by hand."""
    owner = await owner_of(dsn)
    one = World(owner, database)
    await one.begin()
    yield one
    await owner.close()


@pytest.fixture
async def telling(world: World, box: MailBox, certificates: Certificates) -> AsyncIterator[Notifying]:
    """Give what tells notices, whose rounds are made by hand."""
    one = notifying(world, box, certificates)
    yield one
    await one.stop()
