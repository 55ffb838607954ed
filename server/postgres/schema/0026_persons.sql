-- Who keeps whom away, looked up by one function; and nothing that is left of who was erased.

-- Whether a person or bot keeps another away. For a bot its owner's word holds; who is kept away is so with all bots of his, and a
-- bot that is kept away itself is so alone. Of a guest, null, nobody knows.
CREATE FUNCTION people.keeps_away(one uuid, other uuid) RETURNS boolean LANGUAGE sql STABLE
RETURN EXISTS (
  SELECT FROM people.person k
    JOIN people.block b ON b.person_id = coalesce(k.owner, k.id)
    JOIN people.person o ON b.blocked IN (o.id, o.owner)
   WHERE k.id = one AND o.id = other);


-- Of who was erased a row stays, to which results of others refer. It says when, and nothing else.
CREATE FUNCTION people.leave_nothing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := NEW.erased_at;
  NEW.seen_at := NEW.erased_at;
  NEW.muted_at := NULL;
  NEW.banned_at := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER leave_nothing BEFORE UPDATE ON people.person FOR EACH ROW
  WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) EXECUTE FUNCTION people.leave_nothing();

ALTER TABLE people.person DISABLE TRIGGER erased_for_ever;
UPDATE people.person SET created_at = erased_at, seen_at = erased_at, muted_at = NULL, banned_at = NULL
 WHERE erased_at IS NOT NULL;
ALTER TABLE people.person ENABLE TRIGGER erased_for_ever;
