"""Conversations at tables, what is reported of them, whom somebody likes or does not hear, and agreeing to stop."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("seats", sa.Column("stop", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "messages",
        sa.Column("table", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("room", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False, index=True),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String),
        sa.Column("account", sa.Boolean, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("phrase", sa.String),
        sa.Column("said", sa.Float, nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "reports",
        sa.Column("table", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("by", sa.String, primary_key=True),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False, server_default=sa.false(), index=True),
    )
    op.create_table(
        "relations",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("other", sa.String, primary_key=True, index=True),
        sa.Column("kind", sa.String, nullable=False),
    )
