"""The start of Alembic: on the caller's connection and in its transaction."""

from __future__ import annotations

from alembic import context

from malecon.server.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
