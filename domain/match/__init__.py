"""The match as a log: its notices, their fold, the chain, and what each audience is told of them."""
