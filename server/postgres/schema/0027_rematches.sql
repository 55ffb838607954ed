-- A rematch calls those who are yet to take it, and may be declined.

-- Who does not want to play a rematch that is offered to him, and what he says with it.
CREATE TABLE people.declined (
  match_id  uuid        NOT NULL REFERENCES lobby.match,
  person_id uuid        NOT NULL REFERENCES people.person,
  word      text        NOT NULL DEFAULT '' CHECK (length(word) <= 200),
  at        timestamptz NOT NULL DEFAULT log.now(),
  PRIMARY KEY (match_id, person_id)
);
CREATE INDEX declined_at ON people.declined (at);
CREATE INDEX declined_person ON people.declined (person_id);
CREATE TRIGGER not_erased_person_id BEFORE INSERT ON people.declined FOR EACH ROW
  EXECUTE FUNCTION people.refuse_erased('person_id');
GRANT SELECT, INSERT, DELETE ON people.declined TO game_node;

-- By this a node finds each second which rematches were offered.
CREATE INDEX match_again ON lobby.match (created_at) WHERE rematch_of IS NOT NULL;
