"""The islets and the cards, and where each kind of card may be played."""

ISLETS = {"islet:1": "West Islet", "islet:2": "Middle Islet", "islet:3": "East Islet"}

SMOKE, SHELLS, SQUALL, LETTERS = "smoke", "shells", "squall", "letters"

CARDS = {f"card:{n:02}": (SMOKE, SHELLS, SQUALL, LETTERS)[n % 4] for n in range(1, 17)}
"""Card to its kind; four of each."""

WINDOWS = {"fire": (SMOKE, SHELLS), "landing": (SQUALL,)}
"""What is reacted to, and the kinds of card that answer it. Letters from home answer nothing."""

HIT = 2
"""A die hits at this or less, before modifiers (5.2)."""

ROUNDS = 2
"""A battle has at most so many rounds (5.5)."""
