"""Fleetfold beside others, on one machine in one run: `make bench-peers`.

    installed    the others, from their registries into a cache; nothing of theirs is in this repository
    processes    servers with a core of their own, and the processor's time that they take
    fanout       one text to many sockets: `fanout.c`, `stands`, `fanout.mjs` and `asgi` are the servers
    round_trip   many matches at once: `tables` plays them, on `boardgame.mjs`, `colyseus.mjs` and `node`
    appends      rows stored in a second, beside `recorder` and pgbench
    growth       what becomes of Fleetfold when there is more of everything
    readers      clients that do nothing but read
    figures      what is measured, as lines of a file
    document     tables and drawings of them: docs/benchmarks.md

Every figure is there to be looked at: nothing passes or fails.
"""
