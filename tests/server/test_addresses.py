"""Addresses that are kept: how often those at rest are looked for."""

import pytest

from server.addresses import MANY, Address, Addresses


def test_given_many_addresses_in_use_when_more_come_then_not_each_looks_through_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = 0

    def at_rest(_: Address) -> bool:
        nonlocal looked
        looked += 1
        return False

    monkeypatch.setattr(Address, "at_rest", property(at_rest))
    known = Addresses()
    for number in range(3 * MANY):
        known.under(str(number))

    assert looked < 6 * MANY
