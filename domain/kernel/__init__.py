"""The rules engine shared by all titles: facts and their audiences, procedures, the table, dice."""
