-- How persons meet, further on: notices of challenges, reports that are dealt with, who lets the lobby show that he is here.

-- Which kinds there are, `server/notices/words.py` says alone: a list here would have to be made anew for each.
-- What is there keeps to the old list, so it is not gone through again.
ALTER TABLE people.outbox DROP CONSTRAINT outbox_kind_check;
ALTER TABLE people.outbox ADD CONSTRAINT outbox_kind_check CHECK (kind ~ '^[a-z]{1,20}$') NOT VALID;

-- By these a node finds each second what has come of challenges.
CREATE INDEX challenge_made ON lobby.challenge (made_at);
CREATE INDEX challenge_answered ON lobby.challenge (answered_at) WHERE answered_at IS NOT NULL;

ALTER TABLE people.report ADD COLUMN done_at timestamptz;                         -- by an operator, who alone notes it
CREATE INDEX report_open ON people.report (id) WHERE done_at IS NULL;

ALTER TABLE people.person ADD COLUMN shown boolean NOT NULL DEFAULT false;        -- by name, while he is in the lobby
GRANT UPDATE (shown) ON people.person TO game_node;

-- Who is connected to which process, as it said last; a row that is older says nothing any more. Lost in a crash, it is said
-- again. Of guests their number alone.
CREATE UNLOGGED TABLE people.here (
  process uuid        PRIMARY KEY,
  at      timestamptz NOT NULL,
  persons uuid[]      NOT NULL,
  guests  integer     NOT NULL CHECK (guests >= 0)
);
GRANT SELECT, INSERT, DELETE, UPDATE (at, persons, guests) ON people.here TO game_node;
