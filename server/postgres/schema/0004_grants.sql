-- A node changes in the lobby what it has to and nothing else: that a match has ended, and that a token is void.
-- What a token opens is settled when it is made, and one that is void stays so.

REVOKE UPDATE ON ALL TABLES IN SCHEMA lobby FROM game_node;
GRANT UPDATE (ended_at) ON lobby.match TO game_node;
GRANT UPDATE (revoked_at, replaced_by) ON lobby.token TO game_node;

CREATE TRIGGER void_for_ever BEFORE UPDATE ON lobby.token
  FOR EACH ROW WHEN (OLD.revoked_at IS NOT NULL) EXECUTE FUNCTION log.refuse();
