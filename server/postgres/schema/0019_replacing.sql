-- Who sat on a seat before it changed hands, and up to when; who sits there now is in lobby.seat.

CREATE TABLE lobby.predecessor (
  match_id  uuid        NOT NULL,
  seat      smallint    NOT NULL,
  until     timestamptz NOT NULL,                     -- when the other's command was stored
  name      text        NOT NULL,
  hidden    boolean     NOT NULL,                     -- the name is shown to nobody
  person_id uuid        REFERENCES people.person,
  PRIMARY KEY (match_id, seat, until),
  FOREIGN KEY (match_id, seat) REFERENCES lobby.seat
);
CREATE INDEX predecessor_person ON lobby.predecessor (person_id) WHERE person_id IS NOT NULL;

GRANT SELECT, INSERT ON lobby.predecessor TO game_node;
GRANT UPDATE (name) ON lobby.predecessor TO game_node;
GRANT UPDATE (kind) ON lobby.seat TO game_node;
