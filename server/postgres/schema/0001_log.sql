-- The log, the schema of views, and the three roles. Applied once, by server/database.py, in one transaction.
-- Rows here are inserted and read. They are never updated or deleted, by three hands: the grants at the
-- end, triggers against slips of the owner, and the hash chain against the administrator.

CREATE SCHEMA log;
CREATE SCHEMA view;

CREATE TABLE log.fact (
  match_id   uuid        NOT NULL,            -- version 7, minted by us: the high bits are its birth
  command_id uuid        NOT NULL,            -- minted by the client; ours are uuid5(match, reason, seq)
  xid        xid8        NOT NULL DEFAULT pg_current_xact_id(),
  at         timestamptz NOT NULL,            -- never falls within a match
  seq        integer     NOT NULL CHECK (seq > 0),
  cmd_ix     smallint    NOT NULL CHECK (cmd_ix >= 0),                -- 0 for the first fact of a command
  ver        smallint    NOT NULL CHECK (ver > 0),                    -- of the fact's type
  audience   smallint    NOT NULL CHECK (audience BETWEEN 0 AND 7),   -- 1 side 0, 2 side 1, 4 onlookers
  final      boolean     NOT NULL,            -- nothing may follow
  type       text        NOT NULL CHECK (length(type) BETWEEN 1 AND 64),
  hash       bytea       NOT NULL CHECK (octet_length(hash) = 32),
  body       bytea       NOT NULL CHECK (octet_length(body) <= 65536),   -- JSON, deterministic order
  PRIMARY KEY (match_id, seq)
) PARTITION BY RANGE (match_id);

CREATE TABLE log.fact_p0 PARTITION OF log.fact DEFAULT;
CREATE UNIQUE INDEX fact_command ON log.fact (match_id, command_id) WHERE cmd_ix = 0;
CREATE INDEX fact_feed ON log.fact (xid);

CREATE TABLE log.secret (
  match_id uuid  PRIMARY KEY,
  box      bytea NOT NULL                     -- the match key, sealed
);

CREATE TABLE log.leaf (
  ix       bigint  PRIMARY KEY CHECK (ix >= 0),
  match_id uuid    NOT NULL UNIQUE,
  last_seq integer NOT NULL,
  head     bytea   NOT NULL CHECK (octet_length(head) = 32)
);

CREATE TABLE log.checkpoint (
  size bigint      PRIMARY KEY,
  root bytea       NOT NULL,
  note text        NOT NULL,
  at   timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE log.audit (
  id      bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor   text        NOT NULL,
  action  text        NOT NULL,
  subject text        NOT NULL,
  detail  jsonb       NOT NULL DEFAULT '{}'
);

CREATE TABLE view.cursor (
  name     text,
  gen      integer,
  xid      xid8    NOT NULL DEFAULT '0',
  match_id uuid    NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  seq      integer NOT NULL DEFAULT 0,
  live     boolean NOT NULL DEFAULT false,
  PRIMARY KEY (name, gen)
);
CREATE UNIQUE INDEX one_live ON view.cursor (name) WHERE live;


-- Append-only, for the owner too.

CREATE FUNCTION log.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'append-only: % on %', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

-- Partitions inherit row triggers.
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.fact       FOR EACH ROW EXECUTE FUNCTION log.refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.secret     FOR EACH ROW EXECUTE FUNCTION log.refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.leaf       FOR EACH ROW EXECUTE FUNCTION log.refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.checkpoint FOR EACH ROW EXECUTE FUNCTION log.refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log.audit      FOR EACH ROW EXECUTE FUNCTION log.refuse();

-- They do not inherit statement triggers: every new partition needs its own.
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON log.fact       FOR EACH STATEMENT EXECUTE FUNCTION log.refuse();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON log.fact_p0    FOR EACH STATEMENT EXECUTE FUNCTION log.refuse();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON log.secret     FOR EACH STATEMENT EXECUTE FUNCTION log.refuse();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON log.leaf       FOR EACH STATEMENT EXECUTE FUNCTION log.refuse();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON log.checkpoint FOR EACH STATEMENT EXECUTE FUNCTION log.refuse();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON log.audit      FOR EACH STATEMENT EXECUTE FUNCTION log.refuse();


-- Roles belong to the whole cluster: another database may have made them, or be making them now.
-- Whoever applies this must be able to act as each of them; a superuser is, others are made members.

DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['game_node', 'game_projector', 'game_auditor'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL;
      END;
    END IF;
    BEGIN
      EXECUTE format('SET LOCAL ROLE %I', wanted);
      RESET ROLE;
    EXCEPTION WHEN insufficient_privilege THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', wanted);
    END;
  END LOOP;
END $$;

-- Nobody but the default writes xid: the grant names the columns.
GRANT USAGE ON SCHEMA log, view TO game_node, game_projector, game_auditor;
GRANT SELECT ON log.fact, log.secret TO game_node;
GRANT INSERT (match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body) ON log.fact TO game_node;
GRANT INSERT ON log.secret, log.audit TO game_node;
GRANT SELECT ON log.fact TO game_projector;
GRANT SELECT, INSERT ON log.leaf, log.checkpoint TO game_projector;
GRANT CREATE ON SCHEMA view TO game_projector;
GRANT SELECT, INSERT, UPDATE, DELETE ON view.cursor TO game_projector;
GRANT SELECT ON log.fact, log.leaf, log.checkpoint, log.audit TO game_auditor;   -- never log.secret

-- What projections make, nodes show and auditors read.
GRANT SELECT ON view.cursor TO game_node, game_auditor;
ALTER DEFAULT PRIVILEGES FOR ROLE game_projector IN SCHEMA view GRANT SELECT ON TABLES TO game_node, game_auditor;
