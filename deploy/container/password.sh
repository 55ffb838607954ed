#!/bin/bash
# Run once by Postgres' image, behind roles.sql: gives the server's login its password.
set -euo pipefail
psql -v ON_ERROR_STOP=1 --username postgres --dbname fleetfold -v password="$(cat /run/secrets/database_password)" <<'SQL'
ALTER ROLE fleetfold PASSWORD :'password';
SQL
