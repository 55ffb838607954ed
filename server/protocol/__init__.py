"""The protocol: the messages between clients and server, and what clients read over HTTP."""
