-- Ways in beside passkeys: a link that is mailed, and a provider that the operator has named.

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


-- What the operator's provider of identities knows somebody by.
CREATE TABLE people.oidc (
  issuer     text        NOT NULL CHECK (length(issuer) <= 255),
  subject    text        NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  person_id  uuid        NOT NULL UNIQUE REFERENCES people.person,
  created_at timestamptz NOT NULL DEFAULT log.now(),
  used_at    timestamptz,
  PRIMARY KEY (issuer, subject)
);

-- Who has left for the provider and may come back, for ten minutes. Lost in a crash, he leaves again.
CREATE UNLOGGED TABLE people.leaving (
  hash      bytea       PRIMARY KEY CHECK (octet_length(hash) = 32),            -- of the state
  browser   bytea       NOT NULL CHECK (octet_length(browser) = 32),
  person_id uuid,                                                               -- who is to be known by it; null: to come in
  back      boolean     NOT NULL DEFAULT false,
  subject   text,                                                               -- of who is new, until he has a handle
  made_at   timestamptz NOT NULL DEFAULT log.now()
);
CREATE INDEX leaving_made ON people.leaving (made_at);

GRANT SELECT, INSERT, DELETE ON people.oidc, people.leaving TO game_node;
GRANT UPDATE (used_at) ON people.oidc TO game_node;
GRANT UPDATE (back, subject) ON people.leaving TO game_node;
