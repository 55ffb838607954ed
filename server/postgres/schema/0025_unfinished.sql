-- Seats that were taken and not given, as the node was killed in between, are looked for by when they were asked for
-- (server/lobby/unfinished.py).

CREATE INDEX joining_created ON lobby.joining (created_at, hash);
