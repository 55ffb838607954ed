"""Command Points and the Command Links over which they are spent (P10, P11)."""
