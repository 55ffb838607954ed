"""The port that several processes of a machine share.

Each binds it by itself with SO_REUSEPORT, and Linux deals connections out among those that listen by a hash
of their addresses: evenly, and to none that is not there. With one socket handed down to all, which was tried
too, whoever is idle and comes first takes most: of 400 connections made at once four processes had 203, 122,
49 and 26, here 100, 100, 94 and 106; and who has come stays for hours.

Other systems do not deal them out: there one process serves unless more are asked for.

Any other program of the same user that sets SO_REUSEPORT may share the port, too, and who is dealt to it is
lost to us. One that listens is seen before we hold the port; between that and our listening nothing keeps one
off, since what would (a hold without SO_REUSEPORT) keeps ours off as well, or fails for a minute after a
restart. So one looks again when all listen. Who comes later is at fault himself: the port answers already.
"""

import contextlib
import errno
import socket
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

LISTENS: Final = "0A"
"""The state of a socket that listens, as Linux writes it."""


@contextlib.contextmanager
def reserved(host: str, ports: Iterable[int]) -> Iterator[int]:
    """Hold the first of these ports that is free, for processes of ours to share; yield its number.

    Raises OSError if none is. Nothing is accepted on what is held, since it does not listen.
    """
    tried = list(ports)
    for port in tried:
        with contextlib.ExitStack() as held:
            try:
                with contextlib.ExitStack() as probe:
                    number = _bind(probe, host, port, shared=False)  # it fails beside any that listens
                _claim(held, host, number)
                _bind(held, host, number, shared=True)
            except OSError as why:
                if why.errno != errno.EADDRINUSE or port == tried[-1]:
                    raise
                continue
            yield number
            return


def shared_with_others(pids: Iterable[int]) -> bool:
    """Whether anybody but these processes listens where they do; never where the system does not tell."""
    ours = {inode for pid in pids for inode in _sockets(pid)}
    listening = list(_listening())
    places = {place for place, inode in listening if inode in ours}
    return any(place in places and inode not in ours for place, inode in listening)


def _listening() -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the kind and address, and the inode, of each socket that listens in our network namespace."""
    for kind in ("tcp", "tcp6"):
        with contextlib.suppress(OSError), Path("/proc/net", kind).open() as lines:
            for _, address, _, state, *rest in map(str.split, lines):
                if state == LISTENS:
                    yield (kind, address), rest[5]


def _sockets(pid: int) -> Iterator[str]:
    """Yield the inodes of the sockets of a process."""
    with contextlib.suppress(OSError):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                kind, _, inode = str(file.readlink()).partition(":")
                if kind == "socket":
                    yield inode.strip("[]")


def _claim(stack: contextlib.ExitStack, host: str, port: int) -> None:
    """Keep others who start at the same moment from sharing the port, which they find free until we listen.

    By an abstract socket: its name is known where the port is, and gone with the process that holds it.
    """
    if sys.platform == "linux":
        made = stack.enter_context(socket.socket(socket.AF_UNIX))
        made.bind(f"\0fleetfold {host} {port}")


def _bind(stack: contextlib.ExitStack, host: str, port: int, *, shared: bool) -> int:
    """Bind a port at all addresses of the host until the stack is closed; return its number."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    for family, kind, protocol, _, address in dict.fromkeys(found):
        made = stack.enter_context(socket.socket(family, kind, protocol))
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((address[0], port, *address[2:]))
        port = made.getsockname()[1]  # where any would do, one for all addresses
    return port
