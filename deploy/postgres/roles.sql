-- Once, as a superuser, in the database `fleetfold`: the roles of the server, and its login. The server makes its
-- schema itself at its first start. It may not make roles, since nothing else that it does would need that right.
--
-- `fleetfold` owns the database and is no superuser. It acts as one of the three roles in all that it does but for the
-- schema: a node inserts into the log and reads it, a projector makes views of it, an auditor reads.

CREATE ROLE game_node NOLOGIN;
CREATE ROLE game_projector NOLOGIN;
CREATE ROLE game_auditor NOLOGIN;

CREATE ROLE fleetfold LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION;
GRANT game_node, game_projector, game_auditor TO fleetfold;
ALTER DATABASE fleetfold OWNER TO fleetfold;

-- Nobody else has business here.
REVOKE ALL ON DATABASE fleetfold FROM PUBLIC;
REVOKE ALL ON SCHEMA public FROM PUBLIC;

-- Its password: \password fleetfold
