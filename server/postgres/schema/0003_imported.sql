-- Matches that were played elsewhere and brought in from a file when they had ended. Nobody has a link to them.

ALTER TABLE lobby.match ADD COLUMN imported boolean NOT NULL DEFAULT false;
