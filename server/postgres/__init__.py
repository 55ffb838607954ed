"""Postgres: schema, connection pools, and an embedded Postgres for operators who configure none."""
