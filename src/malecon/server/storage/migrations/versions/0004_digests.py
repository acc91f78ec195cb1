"""A running digest of each table's log, and indexes for a database with very many tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("tables", sa.Column("digest", sa.String))
    op.create_index("ix_tables_owner_changed", "tables", ["owner", "changed"])
    op.create_index("ix_tables_settled_over", "tables", ["settled", "over"])
    op.drop_index("ix_tables_owner", "tables")
    op.drop_index("ix_tables_settled", "tables")
