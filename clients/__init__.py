"""What people and bots connect with. They know the messages of `server.protocol.wire`, not the rules."""
