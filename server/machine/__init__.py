"""Several server processes of one machine on one port, and the process that starts and keeps them."""
