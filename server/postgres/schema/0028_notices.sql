-- A notice says until when.

-- Seat to when its time is out, in microseconds since the epoch, of the seats that are asked as of fact `seq`.
ALTER TABLE lobby.clock_due ADD COLUMN deadlines jsonb NOT NULL DEFAULT '{}';
GRANT UPDATE (deadlines) ON lobby.clock_due TO game_node;
