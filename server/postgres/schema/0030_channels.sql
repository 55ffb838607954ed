-- Each look for what is due asks whose channel was added or turned on lately, and read all turns to find it.
CREATE INDEX channel_turned_on ON people.channel (greatest(made_at, turned_on));
