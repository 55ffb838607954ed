"""Clients for people and bots. They know the messages of `server.protocol.wire`, not the rules."""
