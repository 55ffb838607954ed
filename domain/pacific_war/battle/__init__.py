"""The battle cycle: movement, search, missions, combat, ground, deactivation (P5.2, P23 to P32)."""
