"""The steps by which the schema of a database came to be what `schema` says; Alembic runs those it lacks."""
