"""What the server processes of one machine tell each other, through the process that started them."""
