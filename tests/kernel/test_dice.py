"""Dice: fair and checkable, or as written."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import count, islice

import pytest

from domain.kernel.dice import UNSEEN, Fair, OutOfDice, Scripted, seeded

KEY = bytes(range(32))
NONCES = (b"\x01" * 16, b"\x02" * 16)


def stream(key: bytes, nonces: bytes, index: int) -> Iterator[int]:
    """The bytes of a roll, computed from RFC 2104 with a bare SHA-256: nothing of the code under test."""
    padded = key.ljust(64, b"\x00")
    inner, outer = bytes(b ^ 0x36 for b in padded), bytes(b ^ 0x5C for b in padded)
    for block in count():
        message = nonces + index.to_bytes(8, "big") + block.to_bytes(4, "big")
        yield from sha256(outer + sha256(inner + message).digest()).digest()


def test_faces_are_those_of_the_documented_stream_and_252_and_above_are_passed_over() -> None:
    nonces = b"".join(NONCES)
    passed_over = 0
    for index in range(50):
        numbers = list(islice(stream(KEY, nonces, index), 60))
        passed_over += sum(number >= 252 for number in numbers)
        expected = tuple(number % 6 + 1 for number in numbers if number < 252)[:40]

        assert expected == Fair(KEY, NONCES).roll(index, 40, 6)
    assert passed_over > 30


def test_unseen_rolls_have_the_upper_half_of_the_indexes() -> None:
    numbers = stream(KEY, b"".join(NONCES), 2**63 + 1)
    expected = tuple(number % 6 + 1 for number in islice(numbers, 60) if number < 252)[:40]

    assert UNSEEN == 2**63
    assert expected == Fair(KEY, NONCES).roll(UNSEEN + 1, 40, 6)
    assert (3, 3, 4) == Fair(KEY, NONCES).roll(UNSEEN, 3, 6)  # as the page's test has them


def test_a_crafted_roll_begins_with_a_number_that_is_passed_over() -> None:
    index = next(i for i in count() if next(stream(KEY, b"", i)) >= 252)
    first, second = islice(stream(KEY, b"", index), 2)
    assert first >= 252 > second

    assert (second % 6 + 1,) == Fair(KEY).roll(index, 1, 6)


def test_more_sides_than_a_byte_can_count_take_two() -> None:
    pairs = list(islice(stream(KEY, b"", 9), 200))
    numbers = [high * 256 + low for high, low in zip(pairs[::2], pairs[1::2], strict=True)]
    expected = tuple(number % 1000 + 1 for number in numbers if number < 65_000)[:90]

    assert expected == Fair(KEY).roll(9, 90, 1000)


@pytest.mark.parametrize(("sides", "width"), [(1, 1), (2, 1), (256, 1), (257, 2), (65_536, 2), (65_537, 3)])
def test_a_face_takes_the_bytes_needed_to_count_to_it(sides: int, width: int) -> None:
    numbers = list(islice(stream(KEY, b"", 0), 32 * width))
    first = (int.from_bytes(bytes(numbers[n : n + width]), "big") for n in range(0, len(numbers), width))
    expected = next(number % sides + 1 for number in first if number < 256**width // sides * sides)

    assert (expected,) == Fair(KEY).roll(0, 1, sides)


def test_a_roll_is_a_function_of_its_index_whatever_was_rolled_before() -> None:
    one, other = Fair(KEY, NONCES), Fair(KEY, NONCES)
    forth = {index: one.roll(index, 3, 6) for index in range(20)}
    back = {index: other.roll(index, 3, 6) for index in reversed(range(20))}

    assert forth == back
    assert forth[7] == one.roll(7, 3, 6)


def test_fewer_dice_are_the_beginning_of_more() -> None:
    assert Fair(KEY).roll(4, 10, 6)[:3] == Fair(KEY).roll(4, 3, 6)
    assert () == Fair(KEY).roll(4, 0, 6)


def test_key_nonces_and_index_all_count() -> None:
    rolls = {
        Fair(KEY, NONCES).roll(0, 20, 6),
        Fair(KEY[::-1], NONCES).roll(0, 20, 6),
        Fair(KEY, NONCES[::-1]).roll(0, 20, 6),
        Fair(KEY, NONCES).roll(1, 20, 6),
    }

    assert 4 == len(rolls)


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20, 56, 64, 100, 1000])
def test_every_face_is_equally_likely(sides: int) -> None:
    """Chi-square with a fixed key: the same figure every time, at most five deviations above its mean."""
    each = 200
    faces = Fair(KEY).roll(0, each * sides, sides)
    seen = [0] * (sides + 1)
    for face in faces:
        seen[face] += 1
    chi_square = sum((number - each) ** 2 / each for number in seen[1:])
    freedom = sides - 1

    assert 0 == seen[0]
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5


def test_the_bound_would_find_a_bias() -> None:
    """The same figure for bytes modulo 100 without passing any over."""
    each, sides = 200, 100
    seen = [0] * sides
    for number in islice(stream(KEY, b"", 0), each * sides):
        seen[number % sides] += 1
    chi_square = sum((number - each) ** 2 / each for number in seen)

    assert chi_square > 8 * sides


def test_the_same_seed_gives_the_same_dice() -> None:
    assert seeded(7).roll(0, 9, 6) == seeded(7).roll(0, 9, 6)
    assert seeded(7).roll(0, 9, 6) != seeded(8).roll(0, 9, 6)
    assert Fair(sha256(b"seed 7").digest()).roll(3, 9, 6) == seeded(7).roll(3, 9, 6)


def test_scripted_dice_fall_as_written() -> None:
    dice = Scripted([[1, 6], [3]])
    assert 2 == dice.left

    assert (1, 6) == dice.roll(0, 2, 6)
    assert (3,) == dice.roll(1, 1, 10)
    assert 0 == dice.left


@pytest.mark.parametrize(
    ("rolls", "says"),
    [
        ([], r"roll 5: 2d6 asked for, and the script is at its end"),
        ([[1]], r"roll 5: 2d6 asked for, and the script says \(1,\)"),
        ([[1, 7]], r"roll 5: 2d6 asked for, and the script says \(1, 7\)"),
        ([[0, 1]], r"roll 5: 2d6 asked for, and the script says \(0, 1\)"),
    ],
)
def test_a_roll_that_is_not_in_the_script(rolls: list[list[int]], says: str) -> None:
    with pytest.raises(OutOfDice, match=f"^{says}$"):
        Scripted(rolls).roll(5, 2, 6)
