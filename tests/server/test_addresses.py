"""Addresses that are kept: how often those at rest are looked for, and what is remembered of them."""

import gc
from uuid import UUID, uuid4
from weakref import ref

import pytest

from server import addresses
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


def test_an_address_that_was_evicted_and_told_is_freed_without_a_search_for_garbage() -> None:
    known = Addresses(shared=True)
    one = known.under("one")
    one.calls += 1
    one.calls -= 1
    assert [one] == list(known.changed)
    known.changed.clear()
    held = ref(one)
    del one
    gc.disable()
    try:
        for number in range(MANY + 1):
            known.under(str(number))
        left = held()
    finally:
        gc.enable()

    assert "one" not in known.known
    assert None is left


def offering(known: Addresses, name: str) -> UUID:
    """Let an address offer a match, and be at rest again."""
    match = uuid4()
    known.under(name).offers.add(match)
    return match


def test_given_an_address_was_evicted_when_it_comes_back_then_its_offers_count_and_its_limits_are_full() -> (
    None
):
    known = Addresses()
    match, before = offering(known, "one"), known.under("one")
    for number in range(MANY + 1):
        known.under(str(number))

    assert "one" not in known.known
    assert {match} == known.under("one").offers
    assert before is not known.under("one")


def test_of_evicted_addresses_the_latest_are_remembered_and_no_more_than_so_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "OFFERERS", 2)
    known = Addresses()
    offered = {name: offering(known, name) for name in ("first", "second", "third")}
    for number in range(MANY + 1):
        known.under(str(number))

    assert set() == known.under("first").offers
    assert [{offered["second"]}, {offered["third"]}] == [
        known.under(name).offers for name in ("second", "third")
    ]
