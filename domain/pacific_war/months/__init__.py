"""The months: the strategic segment, phase by phase (P5.1, P7, P10, P12 to P17, P25)."""
