"""The lobby: matches offered, seats and their links, names, talk, and the bots of the house."""
