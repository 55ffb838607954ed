"""Questions that one node asks another over the bus, and the answers: each goes to one node alone.

A letter goes into the channel of the node it is for, sealed as all messages are: 1 byte kind · 8 bytes number
of the question · the text. Who asked is named by the seal. Letters may be lost, and so may answers: who asks
has a deadline, and what is asked must be such that it does no harm to have been done unheard.

Deliberately absent: what is asked (`server.play.passing`), how letters travel (the buses).
"""

import asyncio
import itertools
import struct
from collections.abc import Awaitable, Callable
from typing import Final

from server.fanout import channels
from server.fanout.broadcasts import BackgroundTasks, Node, end
from server.fanout.messages import NotOurs, Seals, sender

QUESTION, ANSWER = b"?", b"!"

_HEAD: Final = struct.Struct("!cQ")


class NoAnswer(Exception):
    """The other node is not there, or has not answered in time: it may have done what was asked, or not."""


class Letters:
    """The letters of one node: what it has asked and not been answered yet, and what it answers."""

    def __init__(self, seals: Seals, post: Callable[[bytes, bytes], None], within: float) -> None:
        """Take what sends bytes into a channel, and the seconds for which an answer is waited for."""
        self.channel = channels.letters(seals.node)
        """Where letters to this node arrive."""
        self._seals, self._post, self._within = seals, post, within
        self._asked: dict[int, tuple[Node, asyncio.Future[bytes]]] = {}
        self._numbers = itertools.count()
        self._answering = BackgroundTasks()

    async def ask(self, node: Node, question: bytes) -> bytes:
        """Return a node's answer. Raises NoAnswer."""
        number = next(self._numbers)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._asked[number] = node, answer
        self._send(node, QUESTION, number, question)
        try:
            async with asyncio.timeout(self._within):
                return await answer
        except TimeoutError:
            raise NoAnswer from None
        finally:
            del self._asked[number]

    def lost(self, name: bytes | None = None) -> None:
        """Learn that letters into a channel reached nobody, or (None) that none went out: wait no longer."""
        for node, answer in self._asked.values():
            if not answer.done() and name in {None, channels.letters(node)}:
                answer.set_exception(NoAnswer())

    def arrived(self, message: bytes, answer: Callable[[bytes], Awaitable[bytes]]) -> None:
        """Take in a letter: have a question answered, give an answer to who waits for it. Raises NotOurs."""
        letter, node = self._seals.unseal(self.channel, message), sender(message)
        if len(letter) < _HEAD.size:
            raise NotOurs
        kind, number = _HEAD.unpack_from(letter)
        text = letter[_HEAD.size :]
        if kind == QUESTION:
            self._answering.begin(self._reply(node, number, answer(text)))
        elif kind == ANSWER:
            asked, waiting = self._asked.get(number, (node, None))
            if waiting is not None and not waiting.done() and asked == node:
                waiting.set_result(text)

    async def _reply(self, node: Node, number: int, answer: Awaitable[bytes]) -> None:
        self._send(node, ANSWER, number, await answer)

    def _send(self, node: Node, kind: bytes, number: int, text: bytes) -> None:
        name = channels.letters(node)
        self._post(name, self._seals.seal(name, (_HEAD.pack(kind, number), text)))

    async def stop(self) -> None:
        """Answer no more, and wait for no answer."""
        self.lost()
        await end(self._answering.tasks)
