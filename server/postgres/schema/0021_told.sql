-- What was told to nobody: a holiday to matches that begin while it lasts, an invitation to whoever is invited.

-- The last holiday of a person. It is said at each of his matches by a command of its own, which is on the log; `told` has those
-- at which that is done, or was refused for good, as "MATCH SEAT".
CREATE TABLE people.holiday (
  person_id uuid        PRIMARY KEY REFERENCES people.person,
  command   uuid        NOT NULL,                                               -- of the request, from which those of seats follow
  since     timestamptz NOT NULL DEFAULT log.now(),
  until     timestamptz NOT NULL,
  told      text[]      NOT NULL DEFAULT '{}'
);
CREATE INDEX holiday_until ON people.holiday (until);
CREATE TRIGGER not_erased_person_id BEFORE INSERT ON people.holiday FOR EACH ROW
  EXECUTE FUNCTION people.refuse_erased('person_id');
GRANT SELECT, INSERT, DELETE, UPDATE (command, since, until, told) ON people.holiday TO game_node;

ALTER TABLE people.outbox ADD COLUMN tournament uuid;                           -- of a notice that is about none of its matches
