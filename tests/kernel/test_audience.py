import pytest

from domain.kernel.audience import VIEWERS, Audience


def test_an_audience_sees_what_is_shown_to_any_part_of_it() -> None:
    seen = {reader: [shown for shown in Audience if reader.sees(shown)] for reader in Audience}

    for reader in set(Audience) - {Audience.UMPIRE}:
        assert [shown for shown in Audience if reader.value & shown.value] == seen[reader]
    assert all(Audience.UMPIRE not in seen[viewer] for viewer in VIEWERS)
    assert not Audience.SIDE_0.sees(Audience.SIDE_1)
    assert not Audience.ONLOOKERS.sees(Audience.SIDES)


def test_the_umpire_sees_everything_and_is_alone_in_seeing_what_is_his() -> None:
    assert all(Audience.UMPIRE.sees(shown) for shown in Audience)
    assert [Audience.UMPIRE] == [reader for reader in Audience if reader.sees(Audience.UMPIRE)]


def test_the_values_are_the_sums_that_stand_in_the_log() -> None:
    assert [*range(8)] == [audience.value for audience in Audience]
    assert [1, 2, 4] == [viewer.value for viewer in VIEWERS]
    assert VIEWERS == (Audience.of(0), Audience.of(1), Audience.of(None))
    assert (0, 1, None) == tuple(viewer.side for viewer in VIEWERS)
    assert {None} == {audience.side for audience in {*Audience} - {*VIEWERS}}


@pytest.mark.parametrize("side", [-1, 2, 3])
def test_there_is_no_third_side(side: int) -> None:
    with pytest.raises(ValueError, match=f"no side {side}"):
        Audience.of(side)
