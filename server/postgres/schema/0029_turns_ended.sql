-- Punctuality keeps with which facts the last turns of a seat ended, so that an undo takes back what the turn counted
-- that goes on. It is worked out anew, in place: who is looked up meanwhile has what is there by then. The tables are emptied
-- first, so the column needs no default and has none: a node of the version before, which knows nothing of it, is refused what it
-- writes, stops with this projection, and leaves the cursor to those that write it whole.

UPDATE view.cursor SET xid = DEFAULT, match_id = DEFAULT, seq = DEFAULT WHERE name = 'punctuality';

DO $$
DECLARE
  one text;
BEGIN
  FOR one IN SELECT format('view.%I', tablename) FROM pg_tables
              WHERE schemaname = 'view' AND tablename ~ '^punctuality_[0-9]+$' LOOP
    EXECUTE format('TRUNCATE %s', one);
    EXECUTE format('ALTER TABLE %s ADD COLUMN IF NOT EXISTS ended bytea NOT NULL', one);
  END LOOP;
END $$;
