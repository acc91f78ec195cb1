"""The migrations, which Alembic runs on a database of an older version. Until version 1.0 there is only the first."""
