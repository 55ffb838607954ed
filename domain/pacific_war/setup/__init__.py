"""How a scenario begins: a battle, a campaign, the openings of a war (P1)."""
