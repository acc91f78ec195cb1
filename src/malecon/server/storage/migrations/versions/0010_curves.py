"""What a rating was after each game, and how each player began, for the pages of people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("results", sa.Column("mu", sa.Float))
    op.add_column("results", sa.Column("sigma", sa.Float))
    op.add_column("results", sa.Column("opening", sa.String))
