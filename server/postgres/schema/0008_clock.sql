-- One clock for all nodes, which is the database's. Whatever asks the time in SQL asks log.now(); nodes play by it too
-- (server/play/clock.py), so that what their own clocks say gives nobody time and takes none.
--
-- A test or a demo may shift it. The owner alone writes here. The mark can be set only before the first fact: no
-- database in which people have played becomes one of those. Without it the shift does not count, and a server
-- refuses to start until it is taken away.

CREATE TABLE log.clock (
  one   boolean  PRIMARY KEY DEFAULT true CHECK (one),
  trial boolean  NOT NULL DEFAULT false,      -- this database was made by a test or a demo
  shift interval NOT NULL DEFAULT '0'         -- how far its time is ahead of the machine's
);
INSERT INTO log.clock DEFAULT VALUES;

CREATE FUNCTION log.before_play() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM log.fact) THEN
    RAISE EXCEPTION 'a database with facts in it was not made by a test or a demo' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER made_for_trial BEFORE UPDATE ON log.clock
  FOR EACH ROW WHEN (NEW.trial AND NOT OLD.trial) EXECUTE FUNCTION log.before_play();

-- In PL/pgSQL, which keeps its plan for the session: before version 18 a function in SQL is planned at every call.
CREATE FUNCTION log.now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN clock_timestamp() + coalesce((SELECT shift FROM log.clock WHERE trial), '0');
END $$;

GRANT SELECT ON log.clock TO game_node, game_projector, game_auditor;

ALTER TABLE log.checkpoint ALTER COLUMN at         SET DEFAULT log.now();
ALTER TABLE log.audit      ALTER COLUMN at         SET DEFAULT log.now();
ALTER TABLE lobby.match    ALTER COLUMN created_at SET DEFAULT log.now();
ALTER TABLE lobby.match    ALTER COLUMN seen_at    SET DEFAULT log.now();
ALTER TABLE lobby.token    ALTER COLUMN created_at SET DEFAULT log.now();
ALTER TABLE lobby.joining  ALTER COLUMN created_at SET DEFAULT log.now();
ALTER TABLE lobby.chat     ALTER COLUMN at         SET DEFAULT log.now();
