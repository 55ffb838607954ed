-- What a node looks for each second among the matches in its charge (server/lobby/charges.py): offers whose makers were
-- there lately, and matches whose clocks are kept. All others that have not ended are not looked at.

CREATE INDEX match_seen ON lobby.match (seen_at) WHERE ended_at IS NULL;
CREATE INDEX match_clocked ON lobby.match (match_id) WHERE clocked AND ended_at IS NULL;

-- A node without a signer shows the last note, too: it is there to be published.
GRANT SELECT ON log.checkpoint TO game_node;
