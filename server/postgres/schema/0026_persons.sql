-- Who keeps whom away, looked up by one function; and nothing that is left of who was erased.

-- Whether a person or bot keeps another away. For a bot its owner's word holds; who is kept away is so with all bots of his, and a
-- bot that is kept away itself is so alone. Of a guest, null, nobody knows.
CREATE FUNCTION people.keeps_away(one uuid, other uuid) RETURNS boolean LANGUAGE sql STABLE
RETURN EXISTS (
  SELECT FROM people.person k
    JOIN people.block b ON b.person_id = coalesce(k.owner, k.id)
    JOIN people.person o ON b.blocked IN (o.id, o.owner)
   WHERE k.id = one AND o.id = other);
