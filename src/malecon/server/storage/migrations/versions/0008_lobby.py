"""Tables that wait for players, who is here in each process, and which games everybody may find."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("tables", sa.Column("public", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("ix_tables_public_over", "tables", ["public", "over"])
    op.create_table(
        "waiting",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("numbers", sa.JSON, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("pace", sa.String, nullable=False),
        sa.Column("clock", sa.String, nullable=False),
        sa.Column("time_up", sa.String, nullable=False),
        sa.Column("hints", sa.Boolean, nullable=False),
        sa.Column("lowest", sa.Float),
        sa.Column("highest", sa.Float),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("opened", sa.Float, nullable=False),
        sa.Column("fill_at", sa.Float),
        sa.Column("bot", sa.String, nullable=False),
        sa.Column("table", sa.String, index=True),
        sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_table(
        "waiting_seats",
        sa.Column("waiting", sa.String, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person", sa.String, index=True),
        sa.Column("name", sa.String),
        sa.Column("account", sa.Boolean, nullable=False),
        sa.Column("automatic", sa.Boolean, nullable=False),
        sa.Column("bot", sa.String),
        sa.Column("rating", sa.Float),
        sa.UniqueConstraint("waiting", "person", name="uq_waiting_seats_person"),
    )
    op.create_table(
        "here",
        sa.Column("process", sa.String, primary_key=True),
        sa.Column("wall", sa.Float, nullable=False),
        sa.Column("people", sa.JSON, nullable=False),
    )
