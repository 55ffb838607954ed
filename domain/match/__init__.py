"""The match as a log: its notices, the fold, the hash chain, and what each audience is sent."""
