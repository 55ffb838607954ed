"""The rules engine, which all titles share: facts and who may see them, procedures, the table, dice."""
