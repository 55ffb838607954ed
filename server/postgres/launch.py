"""Executes a command in its own place, under another account if needed, that ends when its starter ends.

Run as a script, by `server.postgres.embedded`, with the starter's process id, the account's user and group
ids and the command: `python -I -S launch.py 4711 101 104 /usr/lib/.../postgres -D ...`. A script of its own
and not `preexec_fn`, because a fork that runs Python in a process with threads may hang.

Linux sends SIGINT at the starter's end, however it ended; Postgres takes that as a fast shutdown. Other
systems have no such signal: there an engine whose server was killed runs on until the next start ends it.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with(starter: int, by: signal.Signals) -> None:
    """Ask the kernel for a signal when the starter ends; exit at once if it has ended already.

    Where the kernel knows no such request, nothing is done.
    """
    if sys.platform != "linux":
        return
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, by, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    if os.getppid() != starter:
        sys.exit("its starter has ended")


def main() -> None:
    """Change account, ask for the signal, which a change of account would clear, and execute the command."""
    starter, user, group = map(int, sys.argv[1:4])
    command = sys.argv[4:]
    if user != os.getuid():
        os.setgroups([])
        os.setgid(group)
        os.setuid(user)
    os.umask(0o077)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored by what a shell started in the background
    end_with(starter, signal.SIGINT)
    os.execv(command[0], command)  # noqa: S606  the command is ours, and a shell is what we do not want


if __name__ == "__main__":
    main()
