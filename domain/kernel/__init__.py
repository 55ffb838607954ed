"""What all titles share: facts, frames, table, dice, undo, views, and deciding again."""
