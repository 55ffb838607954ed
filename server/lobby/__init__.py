"""The lobby: offered matches, seats and their links, names, chat, and the server's own bots."""
