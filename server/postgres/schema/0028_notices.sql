-- A notice says until when, and a push ends with the session of its browser.

-- Seat to when its time is out, in microseconds since the epoch, of the seats that are asked as of fact `noted`: an older node that
-- runs beside notes `seq` and `due` alone. Its notes have no times, so the table is emptied.
DELETE FROM lobby.clock_due;
ALTER TABLE lobby.clock_due ADD COLUMN noted integer NOT NULL DEFAULT 0, ADD COLUMN deadlines jsonb NOT NULL DEFAULT '{}';
GRANT UPDATE (noted, deadlines) ON lobby.clock_due TO game_node;

-- By which session a browser is pushed to: with that it ends, wherever and however it is ended. One from before has none, and
-- has one as soon as its page is opened.
ALTER TABLE people.channel ADD COLUMN session bigint REFERENCES people.session (id) ON DELETE CASCADE
  CHECK (session IS NULL OR kind = 'push');
CREATE INDEX channel_session ON people.channel (session) WHERE session IS NOT NULL;
GRANT UPDATE (session, mark) ON people.channel TO game_node;

-- When a channel was turned on again: what waits is told by it at once, as by a new one.
ALTER TABLE people.channel ADD COLUMN turned_on timestamptz;
GRANT UPDATE (turned_on) ON people.channel TO game_node;
