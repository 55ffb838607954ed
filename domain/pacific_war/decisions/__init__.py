"""The decisions of Pacific War, by the part of the game that asks for them."""
