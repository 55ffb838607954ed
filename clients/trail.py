"""Checks the hash chain of a match as it grows, and that it agrees with the receipts.

Clients know the messages of `server.protocol.wire` and no rules. Of `domain` only the chain is imported: its
functions are pure and part of the protocol (PROTOCOL.md describes them). Facts before the first view are not
checked here but by `fleetfold verify`, from the whole log.
"""

from typing import Final
from uuid import UUID

from domain.match.chain import ZERO, commitment, link
from server.protocol import wire

REMEMBERED: Final = 4096
"""Latest hashes kept to compare receipts with."""


class Broken(Exception):
    """The server shows another log than before: `seq` is the first fact whose hash does not fit."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"fact {seq} {why}")
        self.seq = seq


class Trail:
    """The chain of a match as far as it was checked, and the receipts that it must agree with."""

    def __init__(self, match: UUID) -> None:
        self.match = match
        self.seq = 0
        self.h = ZERO
        self.receipts: dict[int, bytes] = {}
        self._known: dict[int, bytes] = {0: ZERO}

    def begin(self, seq: int, h: str) -> None:
        """Continue from a view at fact `seq`; raises Broken if that fact was known with another hash."""
        self._mark(seq, bytes.fromhex(h))

    def follow(self, frame: wire.Frame) -> None:
        """Append the facts of the next frame; raises Broken, and then nothing has been added."""
        commitments = {seq: bytes.fromhex(c) for seq, c in frame.sealed}
        commitments |= {
            told.seq: commitment(
                bytes.fromhex(told.salt), told.type, told.ver, told.audience, told.command, told.at,
                told.body.encode(),
            )
            for told in frame.facts
        }  # fmt: skip
        h, links = self.h, []
        for seq in range(frame.after + 1, frame.upto + 1):
            if seq not in commitments:
                raise Broken(seq, "is missing from the frame that covers it")
            h = link(self.match, seq, h, commitments[seq])
            links.append((seq, h))
        if h.hex() != frame.h:
            raise Broken(frame.upto, f"does not link to fact {frame.after}, or one between them does not")
        for seq, known in links:
            self._mark(seq, known)

    def pledge(self, receipt: wire.Receipt) -> None:
        """Remember a receipt; raises Broken if it contradicts the chain."""
        h = bytes.fromhex(receipt.h)
        self._agree(receipt.seq, h)
        self.receipts[receipt.seq] = h

    def _mark(self, seq: int, h: bytes) -> None:
        self._agree(seq, h)
        self.seq, self.h = seq, h
        self._known[seq] = h
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]

    def _agree(self, seq: int, h: bytes) -> None:
        for known in (self._known.get(seq), self.receipts.get(seq)):
            if known is not None and known != h:
                raise Broken(seq, "has another hash than it had")
