-- Seats that are joined from the lobby, offers whose makers are away, and what an operator hides.

ALTER TABLE lobby.match ADD COLUMN by_turns boolean NOT NULL DEFAULT false;      -- played over days
ALTER TABLE lobby.match ADD COLUMN seen_at timestamptz NOT NULL DEFAULT clock_timestamp();   -- of who offered it
ALTER TABLE lobby.match ADD COLUMN hidden boolean NOT NULL DEFAULT false;        -- its label is shown to nobody
ALTER TABLE lobby.seat ADD COLUMN hidden boolean NOT NULL DEFAULT false;         -- nor its player's name
UPDATE lobby.match SET by_turns = pace NOT ILIKE 'live%', seen_at = created_at;

-- The list of what has ended, the latest first.
CREATE INDEX match_ended ON lobby.match (ended_at) WHERE ended_at IS NOT NULL AND NOT private;

-- Who asks for a free seat writes here, before anything is on the log, by which command he does and what token is
-- to be his. The command that is on the log then tells whose seat it is, whatever breaks off in between. One token
-- a command: the id of a command can be read on the log, and nobody else may have the seat by it.
CREATE TABLE lobby.joining (
  hash       bytea       PRIMARY KEY CHECK (octet_length(hash) = 32),
  match_id   uuid        NOT NULL REFERENCES lobby.match,
  command_id uuid        NOT NULL,
  seat       smallint    NOT NULL CHECK (seat BETWEEN 0 AND 6),
  name       text        NOT NULL,
  kind       text        NOT NULL CHECK (kind IN ('person', 'bot')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (match_id, command_id)
);

GRANT SELECT, INSERT ON lobby.joining TO game_node;
GRANT UPDATE (seen_at, hidden) ON lobby.match TO game_node;
GRANT UPDATE (hidden) ON lobby.seat TO game_node;
