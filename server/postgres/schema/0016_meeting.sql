-- How persons meet: offers for persons only, or for ratings in a band; challenges; who keeps whom away; what is reported.

ALTER TABLE lobby.match ADD COLUMN persons boolean NOT NULL DEFAULT false;       -- its seats are for who is signed in
ALTER TABLE lobby.match ADD COLUMN least smallint;                               -- ratings that it is offered to
ALTER TABLE lobby.match ADD COLUMN most smallint;
ALTER TABLE lobby.match ADD COLUMN same_sides boolean NOT NULL DEFAULT false;    -- of a rematch: nobody changes sides

CREATE TABLE lobby.challenge (
  match_id    uuid        PRIMARY KEY REFERENCES lobby.match,
  challenger  uuid        NOT NULL REFERENCES people.person,
  challenged  uuid        NOT NULL REFERENCES people.person,
  word        text        NOT NULL DEFAULT '' CHECK (length(word) <= 200),
  made_at     timestamptz NOT NULL DEFAULT log.now(),
  answer      text        CHECK (answer IN ('accepted', 'declined', 'withdrawn')),
  reply       text        NOT NULL DEFAULT '' CHECK (length(reply) <= 200),
  answered_at timestamptz,
  CHECK (challenger <> challenged),
  CHECK ((answer IS NULL) = (answered_at IS NULL))
);
CREATE INDEX challenge_by ON lobby.challenge (challenger, made_at);
CREATE INDEX challenge_to ON lobby.challenge (challenged, made_at);

CREATE TABLE people.block (
  person_id uuid        NOT NULL REFERENCES people.person,
  blocked   uuid        NOT NULL REFERENCES people.person,
  made_at   timestamptz NOT NULL DEFAULT log.now(),
  PRIMARY KEY (person_id, blocked),
  CHECK (person_id <> blocked)
);
CREATE INDEX block_blocked ON people.block (blocked);

-- A line of chat that somebody found amiss, with its text, since the line may go.
CREATE TABLE people.report (
  id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  by       uuid        NOT NULL REFERENCES people.person,
  match_id uuid        NOT NULL REFERENCES lobby.match,
  line     bigint      NOT NULL,
  seat     smallint,
  about    uuid        REFERENCES people.person,                                 -- who sits there, if he is a person
  text     text        NOT NULL,
  word     text        NOT NULL DEFAULT '' CHECK (length(word) <= 500),
  made_at  timestamptz NOT NULL DEFAULT log.now(),
  UNIQUE (by, line)
);
CREATE INDEX report_about ON people.report (about);

GRANT SELECT, INSERT ON lobby.challenge, people.block, people.report TO game_node;
GRANT UPDATE (answer, reply, answered_at) ON lobby.challenge TO game_node;
GRANT UPDATE (text) ON people.report TO game_node;
GRANT DELETE ON lobby.challenge, people.block, people.report TO game_node;
