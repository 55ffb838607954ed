"""Play: matches in memory, the commands that change them, and decisions made by the server itself."""
