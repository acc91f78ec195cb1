"""Where Alembic begins: on the connection, and in the transaction, of whoever called for migrations."""

from __future__ import annotations

from alembic import context

from malecon.server.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
