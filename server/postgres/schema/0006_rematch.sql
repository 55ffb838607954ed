-- A rematch is for those who played the match before it; an offer that is taken back is private from then on.

ALTER TABLE lobby.match ADD COLUMN rematch_of uuid UNIQUE REFERENCES lobby.match;

GRANT UPDATE (private) ON lobby.match TO game_node;
