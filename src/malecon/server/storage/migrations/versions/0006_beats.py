"""When a server was last at work, so that people's clocks stand still while there is none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "beats",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("wall", sa.Float, nullable=False),
    )
