-- Ways in beside passkeys: a link that is mailed.

-- An address is sealed with the key ring, in `box`, and found again by `mark`, a keyed hash of it: whoever reads the database alone
-- learns none, and cannot try some.
CREATE TABLE people.mail (
  person_id   uuid        PRIMARY KEY REFERENCES people.person,
  mark        bytea       NOT NULL UNIQUE CHECK (octet_length(mark) = 32),
  box         bytea       NOT NULL CHECK (octet_length(box) <= 512),
  verified_at timestamptz NOT NULL DEFAULT log.now()                            -- when a link that went there was opened
);

-- A link that was asked for. Kept for a day, for the limits of an address; what is in the box until it is used.
CREATE TABLE people.mailed (
  hash      bytea       PRIMARY KEY CHECK (octet_length(hash) = 32),
  id        uuid        NOT NULL,                                               -- what the box is sealed for
  mark      bytea       NOT NULL CHECK (octet_length(mark) = 32),
  box       bytea       CHECK (octet_length(box) <= 512),
  browser   bytea       NOT NULL CHECK (octet_length(browser) = 32),            -- hash of the cookie of who asked
  person_id uuid        REFERENCES people.person,                               -- whose address it is to be; null: to come in by it
  made_at   timestamptz NOT NULL DEFAULT log.now(),
  used_at   timestamptz
);
CREATE INDEX mailed_mark ON people.mailed (mark, made_at);
CREATE INDEX mailed_person ON people.mailed (person_id) WHERE person_id IS NOT NULL;
CREATE INDEX mailed_made ON people.mailed (made_at);

GRANT SELECT, INSERT, DELETE ON people.mail, people.mailed TO game_node;
GRANT UPDATE (mark, box, verified_at) ON people.mail TO game_node;
GRANT UPDATE (box, used_at) ON people.mailed TO game_node;
