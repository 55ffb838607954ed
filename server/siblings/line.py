"""A server process's end of its line to the process that started it, and through that to its siblings.

The line is there as long as the other end lives: when it is lost, this process has to end. Deliberately
absent: what is said over it (`server.fanout.sibling_bus`, `server.sharing`, `server.http.together`).
"""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from typing import Final, cast

import structlog

from server.nobody import nobody
from server.siblings.frames import Frames, Kind, frame
from server.siblings.gathered import Gathered

log = structlog.get_logger()

BEAT: Final = 1.0
"""Seconds between two signs of life."""

UP: Final = 3 * BEAT
"""Seconds for which the line counts as up after something was heard."""

ANSWER: Final = 2.0
"""Seconds within which siblings have to answer."""

UNSENT: Final = 4 << 20
"""Bytes that wait to be written, above which the line counts as congested."""

NUMBER: Final = struct.Struct("!H")
_QUESTION: Final = struct.Struct("!HI")

QUESTIONS: Final = 1 << 32
"""Numbers that questions have in turn: of a busy process they are used up within weeks."""

Hear = Callable[[int, bytes], None]
"""Called with the number of a sibling and what it told."""

Answer = Callable[[], Awaitable[bytes]]


class Line(asyncio.Protocol):
    """The line of one process. Saying something never blocks and never raises.

    A receiver that raises keeps neither others nor what comes next from being heard.
    """

    def __init__(self) -> None:
        self.number, self.count = 0, 1
        """Which process this is, from 0 on, and of how many."""
        self.ends = 0
        """How many of this number have ended before."""
        self.siblings: set[int] = set()
        """The numbers of the others that serve now."""
        self.lost = asyncio.Event()
        self.congested = False
        self._transport: asyncio.Transport | None = None
        self._said = Gathered(self._write)
        self._frames = Frames()
        self._heard = float("-inf")
        self._clock = asyncio.get_running_loop().time
        self._begun: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._beats: list[asyncio.Future[None]] = []
        self._questions: dict[int, tuple[dict[int, bytes], set[int], asyncio.Event]] = {}
        self._asked = 0
        self._answers: dict[bytes, Answer] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self._told: dict[int, Hear] = {}
        self._came: list[Callable[[int], None]] = []
        self._gone: list[Callable[[int], None]] = []
        self._clear: list[Callable[[], None]] = []
        self.published: Callable[[bytes], None] = nobody
        """Called with who publishes, the channel and the message."""
        self.requested: Callable[[bytes], Awaitable[bytes]] = _unrequested
        """Answers what a sibling requests of this one."""
        self.watched: Callable[[bytes], None] = nobody
        """Called with a channel when it is subscribed."""

    # the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=UNSENT)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 it makes no difference
        """Take note that the process that started this one is gone."""
        self._heard = float("-inf")
        self.lost.set()
        if not self._begun.done():
            self._begun.set_exception(ConnectionError("the process that started this one is gone"))
            self._begun.exception()  # looked at: not everybody waits for it

    def pause_writing(self) -> None:
        """Take note that the other end does not keep up."""
        self.congested = True

    def resume_writing(self) -> None:
        """Tell whoever waits for it that there is room again."""
        self.congested = False
        for call in self._clear:
            _guarded(call)

    def data_received(self, data: bytes) -> None:
        """Take in what is complete."""
        self._heard = self._clock()
        for kind, rest in self._frames.taken(data):
            _guarded(self._take, kind, rest)

    def _take(self, kind: int, rest: bytes) -> None:
        match kind:
            case Kind.PUBLISH:
                self.published(rest)
            case Kind.TELL:
                self._told.get(rest[2], nobody)(NUMBER.unpack_from(rest)[0], rest[3:])
            case Kind.WATCH:
                self.watched(rest)
            case Kind.BEAT:
                self._beats.pop(0).set_result(None)
            case Kind.START:
                self._begun.set_result(rest)
            case Kind.CAME | Kind.GONE:
                self._comes_or_goes(kind, NUMBER.unpack(rest)[0])
            case _:
                self._asked_or_answered(kind, rest)

    def _comes_or_goes(self, kind: int, number: int) -> None:
        if kind == Kind.CAME:
            if number in self.siblings:  # another in its place: what the one before has told is past
                self._comes_or_goes(Kind.GONE, number)
            self.siblings.add(number)
        else:
            self.siblings.discard(number)
            for question in list(self._questions):
                self._answered(question, number, None)
        for call in self._came if kind == Kind.CAME else self._gone:
            _guarded(call, number)

    def _asked_or_answered(self, kind: int, rest: bytes) -> None:
        if kind != Kind.ANSWER:
            task = asyncio.create_task(self._answer(kind, rest))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        else:
            number, question = _QUESTION.unpack_from(rest)
            self._answered(question, number, rest[_QUESTION.size :])

    def say(self, kind: Kind, *parts: bytes) -> None:
        """Send a frame, in one write with what else is said in this round of the event loop."""
        self._said.put(frame(kind, *parts))

    def _write(self, frames: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(frames)

    def close(self) -> None:
        """Close the line when all is sent."""
        self._said.flush()
        if self._transport is not None:
            self._transport.close()

    # how it is

    @property
    def up(self) -> bool:
        """Whether something was heard within the last UP seconds."""
        return self._clock() - self._heard < UP

    async def begun(self) -> bytes:
        """Wait for what this process has to know at first. Raises ConnectionError if the line is lost."""
        return await self._begun

    async def run(self) -> None:
        """Show signs of life until cancelled."""
        while True:
            self._beats.append(asyncio.get_running_loop().create_future())
            self.say(Kind.BEAT)
            await asyncio.sleep(BEAT)

    async def round_trip(self) -> None:
        """Wait until all that was said so far was passed on.

        Raises TimeoutError after ANSWER seconds, and at once if the line is lost.
        """
        if self.lost.is_set():
            raise TimeoutError
        back: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._beats.append(back)
        self.say(Kind.BEAT)
        async with asyncio.timeout(ANSWER):
            await asyncio.shield(back)

    # siblings

    def when_came(self, call: Callable[[int], None]) -> None:
        """Call `call` with the number of each sibling that comes."""
        self._came.append(call)

    def when_gone(self, call: Callable[[int], None]) -> None:
        """Call `call` with the number of each sibling that is gone."""
        self._gone.append(call)

    def when_clear(self, call: Callable[[], None]) -> None:
        """Call `call` when the line is congested no more."""
        self._clear.append(call)

    def hear(self, topic: int, call: Hear) -> None:
        """Call `call` with what siblings tell on a topic, a number up to 255."""
        self._told[topic] = call

    def tell(self, topic: int, text: bytes) -> None:
        """Tell all siblings."""
        self.say(Kind.TELL, bytes([topic]), text)

    def answer_with(self, question: bytes, answer: Answer) -> None:
        """Answer a question of siblings with what a function returns."""
        self._answers[question] = answer

    async def ask(self, question: bytes) -> dict[int, bytes]:
        """Ask all siblings; return by number the answers that came within ANSWER seconds."""
        return await self._ask(Kind.ASK, set(self.siblings), b"", question, ANSWER)

    async def request(self, number: int, question: bytes, within: float) -> bytes:
        """Return the answer of one sibling, within so many seconds; nothing if there is none."""
        to = {number} & self.siblings
        return (await self._ask(Kind.REQUEST, to, NUMBER.pack(number), question, within)).get(number, b"")

    async def _ask(
        self, kind: Kind, waiting: set[int], to: bytes, question: bytes, within: float
    ) -> dict[int, bytes]:
        answers: dict[int, bytes] = {}
        if not waiting:
            return answers
        self._asked = (self._asked + 1) % QUESTIONS
        number, done = self._asked, asyncio.Event()
        self._questions[number] = answers, waiting, done
        self.say(kind, to, number.to_bytes(4, "big"), question)
        try:
            async with asyncio.timeout(within):
                await done.wait()
        except TimeoutError:
            log.warning("siblings.silent", processes=sorted(waiting))
        finally:
            del self._questions[number]
        return answers

    def _answered(self, question: int, number: int, answer: bytes | None) -> None:
        """Take an answer, or that there will be none."""
        asked = self._questions.get(question)
        if asked is None:
            return
        answers, waiting, done = asked
        if answer is not None:
            answers[number] = answer
        waiting.discard(number)
        if not waiting:
            done.set()

    async def _answer(self, kind: int, asked: bytes) -> None:
        question = asked[_QUESTION.size :]
        known = self._answers.get(question)
        if kind == Kind.REQUEST:
            self.say(Kind.ANSWER, asked[: _QUESTION.size], await self.requested(question))
        elif known is not None:
            self.say(Kind.ANSWER, asked[: _QUESTION.size], await known())


def _guarded(call: Callable[..., None], *said: object) -> None:
    """Call a receiver. Whatever it raises is told as the loop tells it, and what comes next is read."""
    try:
        call(*said)
    except Exception as why:
        context = {"message": "what a sibling said was not taken in", "exception": why}
        asyncio.get_running_loop().call_exception_handler(context)


async def _unrequested(_: bytes) -> bytes:
    """Nobody knows."""
    return b""


async def connected(end: socket.socket) -> Line:
    """Return the line over one end of a pair of sockets."""
    end.setblocking(False)
    _, line = await asyncio.get_running_loop().create_unix_connection(Line, sock=end)
    return line
