"""Read models made from the log: standings, audit, history, views, records, verification."""
