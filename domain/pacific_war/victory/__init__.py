"""Who has won: battles, campaigns and the war (P33)."""
