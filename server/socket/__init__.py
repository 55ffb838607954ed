"""The socket: connections, how fast they are read, and what each may ask."""
