"""The websocket side: connections, their rate limits, and the answers to messages."""
