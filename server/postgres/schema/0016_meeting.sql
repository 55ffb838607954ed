-- How persons meet: offers for persons only, or for ratings in a band; challenges; who keeps whom away; what is reported.

ALTER TABLE lobby.match ADD COLUMN persons boolean NOT NULL DEFAULT false;       -- its seats are for who is signed in
ALTER TABLE lobby.match ADD COLUMN least smallint;                               -- ratings that it is offered to
ALTER TABLE lobby.match ADD COLUMN most smallint;
ALTER TABLE lobby.match ADD COLUMN same_sides boolean NOT NULL DEFAULT false;    -- of a rematch: nobody changes sides

CREATE TABLE lobby.challenge (
  match_id    uuid        PRIMARY KEY REFERENCES lobby.match,
  challenger  uuid        NOT NULL REFERENCES people.person,
  challenged  uuid        NOT NULL REFERENCES people.person,
  word        text        NOT NULL DEFAULT '' CHECK (length(word) <= 200),
  made_at     timestamptz NOT NULL DEFAULT log.now(),
  answer      text        CHECK (answer IN ('accepted', 'declined', 'withdrawn')),
  reply       text        NOT NULL DEFAULT '' CHECK (length(reply) <= 200),
  answered_at timestamptz,
  CHECK (challenger <> challenged),
  CHECK ((answer IS NULL) = (answered_at IS NULL))
);
CREATE INDEX challenge_by ON lobby.challenge (challenger, made_at);
CREATE INDEX challenge_to ON lobby.challenge (challenged, made_at);

CREATE TABLE people.block (
  person_id uuid        NOT NULL REFERENCES people.person,
  blocked   uuid        NOT NULL REFERENCES people.person,
  made_at   timestamptz NOT NULL DEFAULT log.now(),
  PRIMARY KEY (person_id, blocked),
  CHECK (person_id <> blocked)
);
CREATE INDEX block_blocked ON people.block (blocked);

-- A line of chat that somebody found amiss, with its text, since the line may go.
CREATE TABLE people.report (
  id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  by       uuid        NOT NULL REFERENCES people.person,
  match_id uuid        NOT NULL REFERENCES lobby.match,
  line     bigint      NOT NULL,
  seat     smallint,
  about    uuid        REFERENCES people.person,                                 -- who sits there, if he is a person
  text     text        NOT NULL,
  word     text        NOT NULL DEFAULT '' CHECK (length(word) <= 500),
  made_at  timestamptz NOT NULL DEFAULT log.now(),
  UNIQUE (by, line)
);
CREATE INDEX report_about ON people.report (about);

-- Who is erased stays so: nothing of his comes back by what was under way at that moment, on whichever node. Each of these
-- waits for an erasing of the person that is under way, and is refused behind it. What an erased person leaves, such as who
-- sat where and tokens that are void, may be put back from a backup.

CREATE FUNCTION people.refuse_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  whose uuid := (to_jsonb(NEW) ->> TG_ARGV[0])::uuid;
BEGIN
  PERFORM FROM people.person WHERE id = whose AND erased_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this person was erased' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;

DO $$
DECLARE
  kept record;
BEGIN
  FOR kept IN
    SELECT * FROM (VALUES
      ('people.passkey', 'person_id', 'true'),
      ('people.code', 'person_id', 'true'),
      ('people.session', 'person_id', 'true'),
      ('people.token', 'person_id', 'true'),
      ('people.mail', 'person_id', 'true'),
      ('people.oidc', 'person_id', 'true'),
      ('people.channel', 'person_id', 'true'),
      ('people.block', 'person_id', 'true'),
      ('people.block', 'blocked', 'true'),
      ('people.report', 'by', 'true'),
      ('lobby.challenge', 'challenger', 'true'),
      ('lobby.challenge', 'challenged', 'true'),
      ('lobby.match', 'person_id', 'NEW.person_id IS NOT NULL'),
      ('lobby.token', 'person_id', 'NEW.person_id IS NOT NULL AND NEW.revoked_at IS NULL'),
      ('lobby.joining', 'person_id', $q$NEW.person_id IS NOT NULL AND NEW.name <> 'someone'$q$)
    ) AS tables (named, whose, condition)
  LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE INSERT ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION people.refuse_erased(%L)',
                   'not_erased_' || kept.whose, kept.named, kept.condition, kept.whose);
  END LOOP;
END $$;
CREATE TRIGGER not_erased BEFORE UPDATE OF person_id ON lobby.seat FOR EACH ROW
  WHEN (NEW.person_id IS NOT NULL) EXECUTE FUNCTION people.refuse_erased('person_id');
CREATE TRIGGER not_erased BEFORE UPDATE OF person_id ON lobby.match FOR EACH ROW
  WHEN (NEW.person_id IS NOT NULL) EXECUTE FUNCTION people.refuse_erased('person_id');
CREATE TRIGGER erased_for_ever BEFORE UPDATE ON people.person FOR EACH ROW
  WHEN (OLD.erased_at IS NOT NULL) EXECUTE FUNCTION log.refuse();

GRANT SELECT, INSERT ON lobby.challenge, people.block, people.report TO game_node;
GRANT UPDATE (answer, reply, answered_at) ON lobby.challenge TO game_node;
GRANT UPDATE (text) ON people.report TO game_node;
GRANT DELETE ON lobby.challenge, people.block, people.report TO game_node;
