"""What pages and bots are shown of a match of Pacific War."""
