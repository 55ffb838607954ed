from hypothesis import given
from hypothesis import strategies as st

from server.fanout.ring import HEAVIEST, Piece, Ring


def filled(upto: int, start: int = 0, most: int = 256) -> Ring:
    ring = Ring(start, most)
    for seq in range(start, upto):
        ring.append(Piece(seq, seq + 1, b"%d" % seq))
    return ring


def test_an_empty_ring_has_nothing_to_give_at_its_place() -> None:
    ring = Ring(7)

    assert (7, 7, None) == (ring.upto, ring.oldest, ring.following(7))


def test_what_follows_a_place_is_the_piece_that_begins_there() -> None:
    ring = filled(5)

    assert Piece(3, 4, b"3") == ring.following(3)
    assert None is ring.following(5)


def test_the_ring_keeps_the_last_256() -> None:
    ring = filled(1000)

    assert (256, 744, 1000) == (len(ring), ring.oldest, ring.upto)
    assert None is ring.following(743)


def test_heavy_pieces_push_out_the_oldest_but_never_the_last() -> None:
    ring = Ring(0)
    for seq in range(4):
        ring.append(Piece(seq, seq + 1, bytes(HEAVIEST)))

    assert (1, 3) == (len(ring), ring.oldest)


def test_a_ring_that_starts_anew_has_forgotten() -> None:
    ring = filled(10)

    ring.restart(99)

    assert (0, 99, 99) == (len(ring), ring.oldest, ring.upto)


@given(st.lists(st.integers(1, 9), max_size=60), st.integers(1, 20), st.integers(0, 300))
def test_from_any_place_it_still_has_the_ring_leads_to_its_end(
    steps: list[int], most: int, place: int
) -> None:
    ring = Ring(0, most)
    for step in steps:
        ring.append(Piece(ring.upto, ring.upto + step, b""))

    assert len(ring) <= most
    held = ring.following(place)
    while piece := ring.following(place):
        place = piece.upto
    assert held is None or ring.upto == place
    walked = ring.oldest
    for _ in range(len(ring)):
        piece = ring.following(walked)
        assert piece is not None
        walked = piece.upto
    assert ring.upto == walked
