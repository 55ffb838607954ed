"""Commands that are passed on to the node that their match is at home at, and carried out there.

A question is one command, with the seat that sends it and the hash of its link's token, which the node that
asks has found out; the append checks the token, wherever it is. A command that was passed on, but not
answered or in a form of another version, is carried out here: by its id the log stores it once, whoever
else has tried. A node is no home to a match of which no seat is there: then the node that asks becomes it.
"""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, Literal

import structlog
from msgspec import MsgspecError, Struct, msgpack

from server.answering import Answered, answering
from server.fanout.broadcasts import Node
from server.fanout.hub import Hub
from server.fanout.letters import NoAnswer
from server.log.outcomes import DEADLINE
from server.play.commands import COMMANDS, Command, act_of
from server.play.failures import RefusedAtHome, refusal_for
from server.play.matches import BadToken, Matches, StoredCommand
from server.protocol import wire
from server.protocol.refusals import LATER, Refusal

logger = structlog.get_logger()

Outcome = Literal["answered", "elsewhere", "silent"]
"""What came of a command that was passed on: a receipt or a refusal; no home any more; no answer."""


class Question(Struct, frozen=True, array_like=True, gc=False):
    """A command, as one node asks another to carry it out."""

    seat: int
    token: bytes | None
    text: bytes
    """The message of the seat, as it would send it."""


class Answer(Struct, frozen=True, array_like=True):
    """A receipt, or a refusal; neither where the match is not at home."""

    stored: StoredCommand | None = None
    refusal: Refusal | None = None


_encode: Final = msgpack.Encoder().encode
_question: Final = msgpack.Decoder(Question).decode
_answer: Final = msgpack.Decoder(Answer).decode


class Passing:
    """Carries out commands of seats: at their match's home, or here."""

    def __init__(self, matches: Matches, hub: Hub, busy: Callable[[], AbstractContextManager[None]]) -> None:
        """Take the node's matches and hub, and a context in which it does not stop."""
        self._matches, self._hub, self._busy = matches, hub, busy
        self._closed = False
        self.passed: Counter[Outcome] = Counter()
        hub.answer = self.answer

    def close(self) -> None:
        """Be no home any more; what is being carried out is still answered."""
        self._closed = True

    async def command(self, message: Command, seat: int, token: bytes | None) -> StoredCommand:
        """Carry out a seat's command, as `Matches.command` does.

        Raises what that raises, RefusedAtHome, and RequestError (bad_decision).
        """
        arrived, home = time.monotonic(), self._hub.homes.of(message.match)
        if home is not None:
            stored = await self._at(home, message, seat, token)
            if stored is not None:
                return stored
        within = DEADLINE - (time.monotonic() - arrived)
        return await self._here(message, seat, token, within)

    async def _here(
        self, message: Command, seat: int, token: bytes | None, within: float = DEADLINE
    ) -> StoredCommand:
        act = act_of(message, seat, self._matches.now)
        return await self._matches.command(message.match, message.command, *act, token, within=within)

    async def _at(self, home: Node, message: Command, seat: int, token: bytes | None) -> StoredCommand | None:
        """Return the receipt of a match's home; None where it is not known to be carried out."""
        question = _encode(Question(seat, token, wire.encode(message)))
        try:
            answer = _answer(await self._hub.ask(home, question, message.match))
        except NoAnswer:
            self.passed["silent"] += 1
            self._hub.homes.silent(home)
            return None
        except MsgspecError:  # of another version: what it says is not known, and the log knows what was done
            answer = Answer()
        if answer.stored is None and (answer.refusal is None or answer.refusal.code in LATER):
            self.passed["elsewhere"] += 1
            self._hub.homes.left(message.match)
            return None
        self.passed["answered"] += 1
        if answer.refusal is None:
            return answer.stored
        raise BadToken if answer.refusal.code == "bad_token" else RefusedAtHome(answer.refusal)

    async def answer(self, asked: bytes) -> bytes:
        """Carry out a command that another node has passed on; return its answer."""
        try:
            question = _question(asked)
            message = wire.decode_incoming(question.text)
        except MsgspecError:  # of another version
            return _encode(Answer())
        if self._closed or not isinstance(message, COMMANDS) or not self._hub.seated(message.match):
            return _encode(Answer())
        with self._busy(), answering(Answered(message.match, message.command, question.seat)):
            try:
                return _encode(Answer(await self._here(message, question.seat, question.token)))
            except Exception as why:
                refusal = refusal_for(why)
                if refusal is None:
                    logger.exception("bug", message=type(message).__name__)
                return _encode(Answer(refusal=refusal))
