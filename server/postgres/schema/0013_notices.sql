-- How persons want to be told, and what is yet to be told to them.

-- Mail addresses, push keys and webhooks' secrets are in `box`, sealed with the key ring, and nowhere else. `mark` is a keyed
-- hash of where it leads: so that the same browser is there once, and with whoever signed in there last.
CREATE TABLE people.channel (
  id           uuid        PRIMARY KEY,
  person_id    uuid        NOT NULL REFERENCES people.person,
  kind         text        NOT NULL CHECK (kind IN ('mail', 'push', 'webhook')),
  name         text        NOT NULL CHECK (length(name) <= 60),                 -- what the person's page calls it
  box          bytea       NOT NULL CHECK (octet_length(box) <= 8192),
  mark         bytea       NOT NULL CHECK (octet_length(mark) = 32),
  state        text        NOT NULL DEFAULT 'on' CHECK (state IN ('on', 'off', 'gone')),
  away         boolean     NOT NULL DEFAULT true,                               -- only while he is not at the match
  quiet        boolean     NOT NULL DEFAULT true,                               -- not in his night
  digest       boolean     NOT NULL DEFAULT false,                              -- once an hour, all of it
  unsubscribe  bytea       NOT NULL UNIQUE CHECK (octet_length(unsubscribe) = 32),    -- SHA-256 of the token in each mail
  made_at      timestamptz NOT NULL DEFAULT log.now(),
  leased_until timestamptz NOT NULL DEFAULT '-infinity',                        -- some worker tells by it, by the machine's clock
  UNIQUE (person_id, mark)
);
CREATE INDEX channel_push ON people.channel (mark) WHERE kind = 'push';

-- A notice is there once for each channel, however many look for what is due. `turn` is the seq of the fact that it is about.
CREATE TABLE people.outbox (
  id        uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
  channel   uuid        NOT NULL REFERENCES people.channel ON DELETE CASCADE,
  person_id uuid        NOT NULL REFERENCES people.person,
  match_id  uuid,
  seat      smallint    CHECK (seat BETWEEN 0 AND 6),
  kind      text        NOT NULL
            CHECK (kind IN ('turn', 'begun', 'offer', 'joined', 'low', 'holiday', 'ended', 'wrote', 'test')),
  turn      bigint      NOT NULL,
  made_at   timestamptz NOT NULL DEFAULT log.now(),
  due       timestamptz NOT NULL,
  tries     smallint    NOT NULL DEFAULT 0,
  tried_at  timestamptz,                                                        -- first
  sent_at   timestamptz,
  outcome   text        CHECK (outcome IN ('sent', 'stale', 'seen', 'off', 'gone', 'given up')),     -- null: yet to be told
  fault     text        CHECK (length(fault) <= 60),                            -- of the last try, in words of ours
  UNIQUE (match_id, seat, turn, kind, channel)
);
CREATE INDEX outbox_due ON people.outbox (due) WHERE outcome IS NULL;
CREATE INDEX outbox_waiting ON people.outbox (channel, due) WHERE outcome IS NULL;
CREATE INDEX outbox_channel ON people.outbox (channel, made_at);
CREATE INDEX outbox_made ON people.outbox (made_at);
CREATE INDEX outbox_person ON people.outbox (person_id);

-- Up to which fact the log was gone through for what persons are told of, and to which line of chat: from here on, since nobody
-- was told before.
CREATE TABLE people.heard (
  one      boolean PRIMARY KEY DEFAULT true CHECK (one),
  xid      xid8    NOT NULL DEFAULT pg_snapshot_xmin(pg_current_snapshot()),
  match_id uuid    NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  seq      integer NOT NULL DEFAULT 0,
  chat     bigint  NOT NULL DEFAULT 0
);
INSERT INTO people.heard (chat) SELECT coalesce(max(id), 0) FROM lobby.chat;

GRANT SELECT, INSERT, DELETE ON people.channel, people.outbox TO game_node;
GRANT UPDATE (box, unsubscribe, state, away, quiet, digest, leased_until) ON people.channel TO game_node;
GRANT UPDATE (due, tries, tried_at, sent_at, outcome, fault) ON people.outbox TO game_node;
GRANT SELECT, UPDATE (xid, match_id, seq, chat) ON people.heard TO game_node;
