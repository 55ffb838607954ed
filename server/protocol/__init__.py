"""The protocol: the messages between clients and server."""
