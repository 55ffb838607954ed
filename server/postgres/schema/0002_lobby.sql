-- Matches offered, seats taken, the secret links to both, and talk. None of it is part of the log: it may
-- be changed and erased. Names of people are here and nowhere else.

CREATE SCHEMA lobby;

CREATE TABLE lobby.match (
  match_id   uuid        PRIMARY KEY,
  title      text        NOT NULL,
  scenario   text        NOT NULL,
  label      text        NOT NULL DEFAULT '',
  pace       text        NOT NULL,
  private    boolean     NOT NULL,
  clocked    boolean     NOT NULL DEFAULT false,      -- time is kept: a node looks after it from its start on
  command    bytea       NOT NULL UNIQUE CHECK (octet_length(command) = 32),  -- SHA-256 of what created it
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at   timestamptz
);
CREATE INDEX match_open ON lobby.match (created_at) WHERE NOT private;
CREATE INDEX match_going ON lobby.match (match_id) WHERE ended_at IS NULL;

-- A token opens one door of one match. Only its hash is kept: SHA-256 of the 160 random bits.
CREATE TABLE lobby.token (
  hash        bytea       PRIMARY KEY CHECK (octet_length(hash) = 32),
  match_id    uuid        NOT NULL REFERENCES lobby.match,
  seat        smallint    CHECK (seat BETWEEN 0 AND 6),
  kind        text        NOT NULL CHECK (kind IN ('creator', 'seat', 'onlooker')),
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  revoked_at  timestamptz,
  replaced_by bytea       REFERENCES lobby.token (hash),
  CHECK ((kind = 'seat') = (seat IS NOT NULL))
);
CREATE INDEX token_match ON lobby.token (match_id);

CREATE TABLE lobby.seat (
  match_id uuid     NOT NULL REFERENCES lobby.match,
  seat     smallint NOT NULL CHECK (seat BETWEEN 0 AND 6),
  name     text     NOT NULL,
  kind     text     NOT NULL CHECK (kind IN ('person', 'bot')),
  strength text     NOT NULL DEFAULT '',              -- of a bot that the server itself seats
  PRIMARY KEY (match_id, seat)
);

CREATE TABLE lobby.chat (
  id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  match_id uuid        NOT NULL REFERENCES lobby.match,
  room     text        NOT NULL CHECK (room IN ('table', 'onlookers')),
  seat     smallint    CHECK (seat BETWEEN 0 AND 6),              -- none: an onlooker
  at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  text     text        NOT NULL CHECK (length(text) BETWEEN 1 AND 2000)
);
CREATE INDEX chat_match ON lobby.chat (match_id, room, id);

GRANT USAGE ON SCHEMA lobby TO game_node;
GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA lobby TO game_node;
