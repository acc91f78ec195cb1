"""Tables that several processes share: revisions, what moves by itself, snapshots; and dice that can be checked.

Unfinished tables are looked at once after this, since nobody knew yet whether a bot is to move there.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("revision", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("changed", sa.Float, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("due", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("commitment", sa.String))
    op.add_column("tables", sa.Column("dice_from", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("secret", sa.String))
    op.create_index("ix_tables_due", "tables", ["due"])
    tables, moves = sa.table("tables", *map(sa.column, ("id", "created", "changed", "due", "over"))), sa.table(
        "moves", sa.column("table"), sa.column("made")
    )  # fmt: skip
    last = sa.select(sa.func.max(moves.c.made)).where(moves.c.table == tables.c.id).scalar_subquery()
    op.execute(sa.update(tables).values(changed=sa.func.coalesce(last, tables.c.created)))
    op.execute(sa.update(tables).where(tables.c.over == sa.false()).values(due=sa.true()))
    op.create_table(
        "snapshots",
        sa.Column("table", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
