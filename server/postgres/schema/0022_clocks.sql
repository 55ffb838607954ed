-- When the clock of a match has to be looked at next, as of its fact `seq`: null, not before the match moves. A convenience:
-- what is not here, or of an earlier fact, is computed anew from the match. Whoever changes the law of clocks empties it.

CREATE TABLE lobby.clock_due (
  match_id uuid        PRIMARY KEY REFERENCES lobby.match,
  seq      integer     NOT NULL,
  due      timestamptz
);

GRANT SELECT, INSERT, DELETE ON lobby.clock_due TO game_node;
GRANT UPDATE (seq, due) ON lobby.clock_due TO game_node;
