-- Rated matches, and what a projection of them reads beside the log: who sat down, by which command, and whose bot it is.
-- All of it is settled when it is written, so that ratings that are built anew are the same.

ALTER TABLE lobby.match ADD COLUMN rated boolean NOT NULL DEFAULT false;     -- its result moves the ratings of who plays

GRANT USAGE ON SCHEMA lobby TO game_projector;
GRANT SELECT (match_id, rated) ON lobby.match TO game_projector;
GRANT SELECT (match_id, seat, strength) ON lobby.seat TO game_projector;
GRANT SELECT (match_id, command_id, seat, person_id) ON lobby.joining TO game_projector;
GRANT SELECT (id, owner) ON people.person TO game_projector;
