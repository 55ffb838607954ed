-- Persons: who wants to be known again. Nothing here is part of the log, and all of it can be erased; a match, its hashes
-- and its replay never change for it. Nobody needs to be here in order to play: whoever has a seat's link plays.

CREATE SCHEMA people;

-- A bot that a person has registered is one, too: with an owner, and without passkeys. Who was erased keeps a row without
-- anything in it, so that what others have reached against him stands.
CREATE TABLE people.person (
  id         uuid        PRIMARY KEY,
  handle     text        UNIQUE CHECK (handle ~ '^[a-z0-9_]{3,20}$'),
  name       text        NOT NULL DEFAULT '' CHECK (length(name) <= 60),
  about      text        NOT NULL DEFAULT '' CHECK (length(about) <= 1000),
  owner      uuid        REFERENCES people.person,
  locale     text        NOT NULL DEFAULT '' CHECK (length(locale) <= 35),
  zone       text        NOT NULL DEFAULT 'UTC' CHECK (length(zone) <= 60),     -- a name of the tz database
  night      smallint    CHECK (night BETWEEN 0 AND 23),                        -- the hour there at which eight quiet ones begin
  created_at timestamptz NOT NULL DEFAULT log.now(),
  seen_at    timestamptz NOT NULL DEFAULT log.now(),
  muted_at   timestamptz,                                                       -- by an operator: writes nothing to others
  banned_at  timestamptz,                                                       -- by an operator: has no session any more
  erased_at  timestamptz,
  CHECK ((handle IS NULL) = (erased_at IS NOT NULL)),
  CHECK (owner <> id)
);
CREATE INDEX person_owner ON people.person (owner) WHERE owner IS NOT NULL;

CREATE TABLE people.passkey (
  credential bytea       PRIMARY KEY CHECK (octet_length(credential) BETWEEN 16 AND 1023),
  id         bigint      GENERATED ALWAYS AS IDENTITY UNIQUE,                   -- what the person's page calls it
  person_id  uuid        NOT NULL REFERENCES people.person,
  key        bytea       NOT NULL CHECK (octet_length(key) <= 4096),            -- public, as COSE has it
  uses       bigint      NOT NULL CHECK (uses >= 0),                            -- the authenticator's own count
  name       text        NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  transports text[]      NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT log.now(),
  used_at    timestamptz
);
CREATE INDEX passkey_person ON people.passkey (person_id);

-- What an authenticator has to sign, once and soon. Lost in a crash, it is asked for again.
CREATE UNLOGGED TABLE people.ceremony (
  hash      bytea       PRIMARY KEY CHECK (octet_length(hash) = 32),
  purpose   text        NOT NULL CHECK (purpose IN ('sign up', 'sign in', 'add')),
  person_id uuid,                                                               -- whose key it will be
  made_at   timestamptz NOT NULL DEFAULT log.now()
);
CREATE INDEX ceremony_made ON people.ceremony (made_at);

-- Codes for who has no passkey at hand, each for once. Of 80 random bits, so their hash is enough.
CREATE TABLE people.code (
  hash      bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  person_id uuid  NOT NULL REFERENCES people.person
);
CREATE INDEX code_person ON people.code (person_id);

CREATE TABLE people.session (
  hash       bytea       PRIMARY KEY CHECK (octet_length(hash) = 32),
  id         bigint      GENERATED ALWAYS AS IDENTITY UNIQUE,                   -- what the person's page calls it
  person_id  uuid        NOT NULL REFERENCES people.person,
  passkey    bigint      REFERENCES people.passkey (id) ON DELETE CASCADE,      -- by which it began
  browser    text        NOT NULL DEFAULT '' CHECK (length(browser) <= 60),
  created_at timestamptz NOT NULL DEFAULT log.now(),
  seen_at    timestamptz NOT NULL DEFAULT log.now()
);
CREATE INDEX session_person ON people.session (person_id);
CREATE INDEX session_passkey ON people.session (passkey);
CREATE INDEX session_seen ON people.session (seen_at);

-- Of a bot.
CREATE TABLE people.token (
  hash       bytea       PRIMARY KEY CHECK (octet_length(hash) = 32),
  id         bigint      GENERATED ALWAYS AS IDENTITY UNIQUE,
  person_id  uuid        NOT NULL REFERENCES people.person,
  name       text        NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  scopes     text[]      NOT NULL CHECK (scopes <@ '{play,read}' AND scopes <> '{}'),
  created_at timestamptz NOT NULL DEFAULT log.now(),
  used_at    timestamptz
);
CREATE INDEX token_person ON people.token (person_id);


-- The lobby knows whose a seat is. By a session it is opened with a token, as by a link: one that no link has, of random
-- bits that nobody keeps. So whatever makes a link void does the same to it, and an append checks it alike.

ALTER TABLE lobby.match   ADD COLUMN person_id uuid REFERENCES people.person;     -- who offered it
ALTER TABLE lobby.token   ADD COLUMN person_id uuid REFERENCES people.person;
ALTER TABLE lobby.seat    ADD COLUMN person_id uuid REFERENCES people.person;
ALTER TABLE lobby.joining ADD COLUMN person_id uuid REFERENCES people.person;
CREATE UNIQUE INDEX token_persons ON lobby.token (match_id, person_id, kind, seat)
  NULLS NOT DISTINCT WHERE person_id IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX token_person ON lobby.token (person_id) WHERE person_id IS NOT NULL;
CREATE INDEX seat_person ON lobby.seat (person_id) WHERE person_id IS NOT NULL;

CREATE INDEX joining_person ON lobby.joining (person_id) WHERE person_id IS NOT NULL;
CREATE INDEX match_person ON lobby.match (person_id) WHERE person_id IS NOT NULL;

GRANT USAGE ON SCHEMA people TO game_node, game_projector;
GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA people TO game_node;
GRANT DELETE ON people.passkey, people.ceremony, people.code, people.session, people.token TO game_node;
GRANT UPDATE (handle, name, about, locale, zone, night, seen_at, erased_at) ON people.person TO game_node;
GRANT UPDATE (uses, name, used_at) ON people.passkey TO game_node;
GRANT UPDATE (seen_at, passkey) ON people.session TO game_node;
GRANT UPDATE (used_at) ON people.token TO game_node;
GRANT UPDATE (name, person_id) ON lobby.seat TO game_node;
GRANT UPDATE (person_id, label) ON lobby.match TO game_node;
GRANT UPDATE (name) ON lobby.joining TO game_node;
GRANT DELETE ON lobby.chat TO game_node;

-- A node deletes no person, since results of others refer to one. Of a bot that was erased before it did anything nothing is
-- worth a row, and this alone removes it: rows to which anything refers stay.
CREATE FUNCTION people.forget_bot(bot uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  DELETE FROM people.person
   WHERE id = bot AND owner IS NOT NULL AND erased_at IS NOT NULL
     AND NOT EXISTS (SELECT FROM view.rating WHERE subject = bot::text);
EXCEPTION WHEN foreign_key_violation THEN
  NULL;
END $$;
REVOKE ALL ON FUNCTION people.forget_bot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION people.forget_bot TO game_node;
