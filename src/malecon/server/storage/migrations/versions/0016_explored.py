"""What was chosen in finished games, added up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_table(
        "explored",
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("rules", sa.Integer, primary_key=True),
        sa.Column("players", sa.Integer, primary_key=True),
        sa.Column("question", sa.String, primary_key=True),
        sa.Column("counts", sa.JSON, nullable=False),
    )
