"""The port: how it is opened, what a connection may come with, and how it is left.

Of several ports the first that is free is taken; processes of one machine share one. Deliberately absent: who
becomes a websocket (`server.socket.handshake`), and how fast he is read (`server.socket.paced`).
"""

import errno
from functools import partial
from typing import cast

from websockets.asyncio.server import Server, ServerConnection, serve

from server.socket.gateway import Gateway
from server.socket.handshake import Node, handshake
from server.socket.paced import Paced
from server.socket.rota import Rota

MESSAGE, QUEUE, UNSENT = 48 << 10, 4, 64 << 10
"""Limits of a connection: bytes of a message, queued messages, unsent bytes."""

BACKLOG = 1024
"""The listen backlog: connections that the kernel queues while the event loop is busy."""

PING, PONG = 20.0, 20.0
"""Seconds between pings of a connection, and within which each has to be answered."""


async def listen(node: Node, gateway: Gateway, *, shared: bool) -> tuple[Server, int]:
    """Open the first port that is free; return its server, which has begun, and its number.

    `shared`: with other processes of this machine. Raises OSError where none can be opened.
    """

    async def answer(connection: ServerConnection) -> None:
        assert isinstance(connection, Paced)
        await gateway.serve(connection)

    ports = node.settings.ports
    for port in ports:
        try:
            server = await serve(
                answer,
                node.settings.host,
                port,
                reuse_port=shared,
                create_connection=cast("type[ServerConnection]", partial(Paced, node.addresses, Rota())),
                process_request=partial(handshake, node),
                compression=None,
                max_size=MESSAGE,
                max_queue=QUEUE,
                write_limit=UNSENT,
                server_header=None,
                backlog=BACKLOG,
                open_timeout=None,  # but see `Paced.handshake`
                ping_interval=PING,
                ping_timeout=PONG,
                close_timeout=5,
            )
        except OSError as why:
            if why.errno != errno.EADDRINUSE or port == ports[-1]:
                raise
        else:
            return server, next(iter(server.sockets)).getsockname()[1]
    raise AssertionError  # the last port was raised above


def accept_no_more(server: Server) -> None:
    """Leave who comes now to the kernel; who was accepted takes his first step yet.

    asyncio would drop those unclosed who take it after the end of its server, which `websockets` brings
    about in a task of its own: that comes behind those of all who were accepted by now.
    """
    for listening in server.sockets:
        server.get_loop().remove_reader(listening.fileno())


def reached_by(host: str) -> str:
    """Return the host to write in a URL for an address that the server listens on."""
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 compared, not bound
    host = everywhere.get(host, host)
    return f"[{host}]" if ":" in host else host
