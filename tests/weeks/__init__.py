"""Play over weeks as it is promised: who is away is called once a turn, by every channel.

`demo` plays a rated duel of two persons who never exchanged a link (`make demo-weeks`), `player` is one of
them, `desk` is whoever notices are sent to, `tally` counts what was told against what was to be told. `load`
measures a `node` with many matches by turns, with which a database is `filled`, and which tells a desk that
is `apart` (`make bench-weeks`).
"""
