"""Postgres: schema, pools and connections, and a Postgres of our own for who names none."""
