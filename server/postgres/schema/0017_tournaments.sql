-- Tournaments: who has entered, who meets whom, and what a director has ruled. What a match came to stands on the log alone, so
-- that a table of places is worked out from these and from it.

CREATE TABLE people.tournament (
  id         uuid        PRIMARY KEY,
  command    uuid        NOT NULL,                                              -- by which it was made: sent again, the same
  director   uuid        NOT NULL REFERENCES people.person,
  name       text        NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  about      text        NOT NULL DEFAULT '' CHECK (length(about) <= 1000),
  title      text        NOT NULL,
  scenario   text        NOT NULL,
  options    jsonb       NOT NULL,
  clock      jsonb,
  by_turns   boolean     NOT NULL,
  kind       text        NOT NULL CHECK (kind IN ('round robin', 'swiss', 'knock-out')),
  rounds     smallint    NOT NULL CHECK (rounds >= 0),                          -- of a Swiss as it was asked for, 0: by the entrants
  rated      boolean     NOT NULL,
  open       boolean     NOT NULL,                                              -- anybody may enter, else who is invited
  bots       boolean     NOT NULL,
  by_itself  boolean     NOT NULL,                                              -- a round begins once the one before is over
  most       smallint    NOT NULL CHECK (most >= 2),
  state      text        NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'under way', 'over', 'called off')),
  made_at    timestamptz NOT NULL DEFAULT log.now(),
  started_at timestamptz,
  ended_at   timestamptz,
  UNIQUE (director, command)
);
CREATE INDEX tournament_going ON people.tournament (state, id) WHERE state IN ('open', 'under way');
CREATE INDEX tournament_made ON people.tournament (made_at);

-- A place in a tournament. Somebody else may take it over: `person_id` is who has it now.
CREATE TABLE people.entrant (
  tournament   uuid        NOT NULL REFERENCES people.tournament,
  number       smallint    NOT NULL CHECK (number > 0),
  person_id    uuid        NOT NULL REFERENCES people.person,
  entered_at   timestamptz NOT NULL DEFAULT log.now(),
  seed         smallint,                                                        -- 1 is the strongest; from the start on
  late         smallint    NOT NULL DEFAULT 0,                                  -- the first round of who entered later, else 0
  withdrawn_at timestamptz,
  place        smallint,                                                        -- at the end
  PRIMARY KEY (tournament, number),
  UNIQUE (tournament, person_id)
);
CREATE INDEX entrant_person ON people.entrant (person_id);

-- Who had a place before, up to and with which round.
CREATE TABLE people.entrant_before (
  tournament uuid     NOT NULL,
  number     smallint NOT NULL,
  until      smallint NOT NULL,
  person_id  uuid     NOT NULL REFERENCES people.person,
  id         bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  FOREIGN KEY (tournament, number) REFERENCES people.entrant
);
CREATE INDEX entrant_before_place ON people.entrant_before (tournament, number);
CREATE INDEX entrant_before_person ON people.entrant_before (person_id);

CREATE TABLE people.invitation (
  tournament uuid        NOT NULL REFERENCES people.tournament,
  person_id  uuid        NOT NULL REFERENCES people.person,
  place      smallint,                                                          -- the number of whose place it is; null: a new one
  made_at    timestamptz NOT NULL DEFAULT log.now(),
  PRIMARY KEY (tournament, person_id)
);
CREATE INDEX invitation_person ON people.invitation (person_id);

CREATE TABLE people.round (
  tournament uuid        NOT NULL REFERENCES people.tournament,
  number     smallint    NOT NULL CHECK (number > 0),
  paired_at  timestamptz NOT NULL DEFAULT log.now(),
  over_at    timestamptz,
  PRIMARY KEY (tournament, number)
);

-- `first` has side 0; without a `second` it is a bye. Without `how` it is played, and its result stands on the log. `attempt` counts
-- its matches: each is made by a command that follows from it, so that one which broke off is completed and never doubled.
CREATE TABLE people.pairing (
  tournament    uuid             NOT NULL,
  number        smallint         NOT NULL CHECK (number > 0),
  round         smallint         NOT NULL,
  first         smallint         NOT NULL,
  second        smallint,
  attempt       smallint         NOT NULL DEFAULT 1,
  match_id      uuid             UNIQUE REFERENCES lobby.match,
  how           text             CHECK (how IN ('adjudicated', 'forfeit', 'withdrawn', 'bye')),
  points        double precision CHECK (points BETWEEN 0 AND 1),
  second_points double precision CHECK (second_points BETWEEN 0 AND 1),
  PRIMARY KEY (tournament, number),
  FOREIGN KEY (tournament, round) REFERENCES people.round,
  FOREIGN KEY (tournament, first) REFERENCES people.entrant,
  FOREIGN KEY (tournament, second) REFERENCES people.entrant,
  CHECK (first <> second),
  CHECK ((how IS NULL) = (points IS NULL))
);
CREATE INDEX pairing_unmade ON people.pairing (tournament, number) WHERE match_id IS NULL AND how IS NULL;

-- What was done, and why. It is shown to all, and is noted in the audit log without the words, which can be erased.
CREATE TABLE people.ruling (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tournament uuid        NOT NULL REFERENCES people.tournament,
  at         timestamptz NOT NULL DEFAULT log.now(),
  by         uuid        REFERENCES people.person,                              -- null: the server by itself
  what       text        NOT NULL CHECK (length(what) <= 40),
  entrant    smallint,
  pairing    smallint,
  reason     text        NOT NULL DEFAULT '' CHECK (length(reason) <= 500)
);
CREATE INDEX ruling_of ON people.ruling (tournament, id);

CREATE TRIGGER not_erased_director BEFORE INSERT ON people.tournament FOR EACH ROW
  WHEN (NEW.state IN ('open', 'under way')) EXECUTE FUNCTION people.refuse_erased('director');
CREATE TRIGGER not_erased_person_id BEFORE INSERT ON people.invitation FOR EACH ROW
  EXECUTE FUNCTION people.refuse_erased('person_id');

GRANT SELECT, INSERT ON people.tournament, people.entrant, people.entrant_before, people.invitation, people.round,
                        people.pairing, people.ruling TO game_node;
GRANT UPDATE (name, about, state, rounds, started_at, ended_at) ON people.tournament TO game_node;
GRANT UPDATE (person_id, seed, withdrawn_at, place) ON people.entrant TO game_node;
GRANT UPDATE (over_at) ON people.round TO game_node;
GRANT UPDATE (match_id, attempt, how, points, second_points) ON people.pairing TO game_node;
GRANT UPDATE (reason) ON people.ruling TO game_node;
GRANT DELETE ON people.entrant, people.invitation TO game_node;

-- A round that begins is told of, too. Which kinds there are stands in `server/notices/words.py`.
ALTER TABLE people.outbox DROP CONSTRAINT outbox_kind_check;
ALTER TABLE people.outbox ADD CONSTRAINT outbox_kind_check CHECK (kind ~ '^[a-z]{1,20}$') NOT VALID;
