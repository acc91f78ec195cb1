"""A second migration that only tests have: it adds a column and fills it, as later migrations will."""

from __future__ import annotations

import shutil
from pathlib import Path

from malecon.server.storage import database

_MIGRATION = '''"""A column that no version has."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("title", sa.String, nullable=False, server_default=""))
    op.execute("UPDATE tables SET title = 'a game of ' || game")
'''


def newer_migrations(folder: Path) -> Path:
    """Return a copy of the program's migrations with one more."""
    newer = folder / "newer program" / "migrations"
    shutil.copytree(database.MIGRATIONS, newer)
    (newer / "versions" / "0002_synthetic.py").write_text(_MIGRATION, "utf-8")
    return newer
