"""What happened to the seats of a table, whose time was up, and the game that the same people play next."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("tables", sa.Column("notes", sa.JSON, nullable=False, server_default="[]"))
    op.add_column("tables", sa.Column("rematch", sa.String))
    op.add_column("seats", sa.Column("absent", sa.Boolean, nullable=False, server_default=sa.false()))
