"""What people and bots connect with. They know the messages of `server.wire`, not the rules."""
