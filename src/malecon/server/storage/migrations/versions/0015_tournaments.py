"""Tournaments, who takes part in them, and who has played whom with what result."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("format", sa.String, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("owner", sa.String, nullable=False, index=True),
        sa.Column("clock", sa.String, nullable=False),
        sa.Column("time_up", sa.String, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("lowest", sa.Float),
        sa.Column("highest", sa.Float),
        sa.Column("fewest", sa.Integer, nullable=False),
        sa.Column("most", sa.Integer, nullable=False),
        sa.Column("starts", sa.Float),
        sa.Column("bot", sa.String),
        sa.Column("state", sa.String, nullable=False, index=True),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("plan", sa.JSON),
        sa.Column("seed", sa.String, nullable=False),
        sa.Column("opened", sa.Float, nullable=False),
        sa.Column("ended", sa.Float),
        sa.Column("revision", sa.Integer, nullable=False),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("person", sa.String, index=True),
        sa.Column("joined", sa.Float, nullable=False),
        sa.Column("withdrawn", sa.Integer),
        sa.UniqueConstraint("tournament", "person", name="uq_entrants_person"),
    )
    op.create_table(
        "pairings",
        sa.Column("tournament", sa.String, primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True),
        sa.Column("entrant", sa.Integer, primary_key=True),
        sa.Column("table", sa.String, index=True),
        sa.Column("seat", sa.Integer),
        sa.Column("walkover", sa.Boolean, nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("beaten", sa.Integer),
        sa.Column("opponents", sa.Integer),
        sa.Column("points", sa.Integer),
    )
