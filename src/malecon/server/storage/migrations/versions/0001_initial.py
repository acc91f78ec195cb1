"""The initial schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("pace", sa.String, nullable=False),
        sa.Column("guide", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
        sa.Column("changed", sa.Float, nullable=False, server_default="0"),
        sa.Column("needs_autoplay", sa.Boolean, nullable=False, index=True, server_default=sa.false()),
        sa.Column("commitment", sa.String),
        sa.Column("dice_from", sa.Integer, nullable=False, server_default="0"),
        sa.Column("secret", sa.String),
        sa.Column("clock", sa.String, nullable=False, server_default="none"),
        sa.Column("time_up", sa.String, nullable=False, server_default="bot"),
        sa.Column("deadline", sa.Float, index=True),
        sa.Column("result_recorded", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("casual", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("page_thinks", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("digest", sa.String),
        sa.Column("notes", sa.JSON, nullable=False, server_default="[]"),
        sa.Column("rematch", sa.String),
        sa.Column("public", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_index("ix_tables_owner_changed", "tables", ["owner", "changed"])
    op.create_index("ix_tables_public_over", "tables", ["public", "over"])
    op.create_index("ix_tables_result_recorded_over", "tables", ["result_recorded", "over"])
    op.create_table(
        "seats",
        sa.Column("table", sa.String, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("person", sa.String, index=True),
        sa.Column("bot", sa.String),
        sa.Column("name", sa.String),
        sa.Column("token", sa.String, unique=True),
        sa.Column("automatic", sa.Boolean, nullable=False),
        sa.Column("resigned", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("absent", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("taken_over", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("stop", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("plans", sa.String),
    )
    op.create_table(
        "moves",
        sa.Column("table", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("move", sa.String, nullable=False),
        sa.Column("automatic", sa.Boolean, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "snapshots",
        sa.Column("table", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("wall", sa.Float, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("choices", sa.JSON, nullable=False),
        sa.Column("changed", sa.Float, nullable=False, server_default="0"),
    )
    op.create_table(
        "accounts",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False, unique=True),
        sa.Column("skeleton", sa.String, nullable=False, unique=True),
        sa.Column("password", sa.String, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("hook", sa.String),
        sa.Column("moderator", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("identity", sa.String, unique=True),
        sa.Column("mail", sa.String, index=True),
        sa.Column("summary_days", sa.Integer, nullable=False, server_default="0"),
        sa.Column("summary_due", sa.Float, nullable=False, server_default="0"),
    )
    op.create_table(
        "codes",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("person", sa.String, nullable=False, index=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("expires", sa.Float),
        sa.Column("mail", sa.String),
    )
    op.create_table(
        "mails",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("recipient", sa.String, nullable=False),
        sa.Column("subject", sa.String, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("due", sa.Float, nullable=False, index=True),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_table(
        "acts",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("made", sa.Float, nullable=False, index=True),
        sa.Column("person", sa.String, index=True),
        sa.Column("name", sa.String),
        sa.Column("what", sa.String, nullable=False),
        sa.Column("about", sa.String, index=True),
        sa.Column("about_name", sa.String),
        sa.Column("detail", sa.String, nullable=False, server_default=""),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("person", sa.String, nullable=False, index=True),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("device", sa.String, nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("secret", sa.String, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("table", sa.String, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("who", sa.String, index=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("finished", sa.Float, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
        sa.Column("opening", sa.String),
    )
    op.create_table(
        "ratings",
        sa.Column("who", sa.String, primary_key=True),
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("players", sa.Integer, primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
    )
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
        "presence",
        sa.Column("process", sa.String, primary_key=True),
        sa.Column("wall", sa.Float, nullable=False),
        sa.Column("people", sa.JSON, nullable=False),
    )
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
        sa.Column("closed", sa.Boolean, nullable=False, index=True, server_default=sa.false()),
    )
    op.create_table(
        "relations",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("other", sa.String, primary_key=True, index=True),
        sa.Column("kind", sa.String, nullable=False),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
    )
    op.create_table(
        "sanctions",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("name", sa.String),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "puzzle_tries",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("puzzle", sa.String, primary_key=True),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "explorer_counts",
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("rules", sa.Integer, primary_key=True),
        sa.Column("players", sa.Integer, primary_key=True),
        sa.Column("question", sa.String, primary_key=True),
        sa.Column("counts", sa.JSON, nullable=False),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("who", sa.String, primary_key=True),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
    )
    op.create_table(
        "devices",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("person", sa.String, nullable=False, index=True),
        sa.Column("endpoint", sa.String, nullable=False),
        sa.Column("p256dh", sa.String, nullable=False),
        sa.Column("auth", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("added", sa.Float, nullable=False),
        sa.Column("notified", sa.Float, nullable=False, server_default="0"),
        sa.Column("confirmed", sa.Float, nullable=False, server_default="0"),
        sa.Column("session", sa.String, index=True),
    )
    op.create_table(
        "lessons_done",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("lesson", sa.String, primary_key=True),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "analyses",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False, index=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("document", sa.String, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
    )
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
