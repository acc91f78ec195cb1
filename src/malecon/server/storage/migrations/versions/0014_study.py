"""Lessons that people have played, and the trees of their analyses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "lessons_done",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("lesson", sa.String, primary_key=True),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "analyses",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("document", sa.String, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_index("ix_analyses_owner", "analyses", ["owner"])
