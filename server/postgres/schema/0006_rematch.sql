-- A rematch is for those who played the match before it; an offer can be taken back.

ALTER TABLE lobby.match ADD COLUMN rematch_of uuid UNIQUE REFERENCES lobby.match;
ALTER TABLE lobby.match ADD COLUMN withdrawn boolean NOT NULL DEFAULT false;     -- its seats are taken by their links only

GRANT UPDATE (withdrawn) ON lobby.match TO game_node;
