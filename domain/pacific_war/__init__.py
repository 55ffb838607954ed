"""Pacific War."""
