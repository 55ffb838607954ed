"""The printed pieces and tables, the map, and the table as it stands (P1 to P3, P6)."""
