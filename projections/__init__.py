"""What is made from the log to be read: standings, audit, history, views, records, verification."""
