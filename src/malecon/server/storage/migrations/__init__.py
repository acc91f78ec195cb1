"""The steps by which the schema of a database came to be what storage.py says; Alembic runs those it lacks."""
