"""The facts of Pacific War, whom each is told, and the sentences that tell them."""
