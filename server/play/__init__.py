"""Play: a match in memory, what commands do to it, and who decides for those who cannot."""
