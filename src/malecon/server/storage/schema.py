"""The schema: every table of the database and its columns. What is done with them is elsewhere."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Float, Index, Integer, LargeBinary, MetaData, String, Table, false

metadata = MetaData()
TABLES = Table(
    "tables",
    metadata,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("players", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("owner", String, nullable=False),
    Column("pace", String, nullable=False),
    Column("guide", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Column("over", Boolean, nullable=False, default=False),
    Column("revision", Integer, nullable=False, server_default="0"),  # counts every change, of seats and pace as well
    Column("changed", Float, nullable=False, server_default="0"),
    Column("due", Boolean, nullable=False, server_default=false(), index=True),  # a bot moves next, or a forced move
    Column("commitment", String),
    Column("dice_from", Integer, nullable=False, server_default="0"),
    Column("secret", String),  # of the dice
    Column("clock", Integer, nullable=False, server_default="0"),  # seconds for a turn; 0: as long as it takes
    Column("time_up", String, nullable=False, server_default="bot"),  # what happens when they are over
    Column("deadline", Float, index=True),  # of whoever is to move
    Column("settled", Boolean, nullable=False, server_default=false()),  # its result is in the statistics
    Column("hints", Boolean, nullable=False, server_default=false()),  # allowed though several people play
    Column("digest", String),  # of its log, to notice when some of it is missing
    Column("notes", JSON, nullable=False, server_default="[]"),  # what happened to its seats
    Column("rematch", String),  # the table where the same people play again
    Index("ix_tables_owner_changed", "owner", "changed"),
    Index("ix_tables_settled_over", "settled", "over"),  # most tables are over and settled, or neither
)
SEATS = Table(
    "seats",
    metadata,
    Column("table", String, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String, nullable=False),
    Column("person", String, index=True),  # whose seat it is, also while a bot stands in
    Column("bot", String),
    Column("name", String),
    Column("token", String, unique=True),  # the secret of the invitation
    Column("automatic", Boolean, nullable=False, default=True),
    Column("resigned", Boolean, nullable=False, server_default=false()),  # a bot plays it to the end, as the last
    Column("absent", Boolean, nullable=False, server_default=false()),  # the time was up: a bot stands in
    Column("taken_over", Boolean, nullable=False, server_default=false()),  # whoever began there was sent away
)
MOVES = Table(
    "moves",
    metadata,
    Column("table", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("move", String, nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("made", Float, nullable=False),
)
SNAPSHOTS = Table(
    "snapshots",
    metadata,
    Column("table", String, primary_key=True),
    Column("number", Integer, nullable=False),  # how many entries of the log it stands for
    Column("data", LargeBinary, nullable=False),
)
BEATS = Table(
    "beats",
    metadata,
    Column("name", String, primary_key=True),
    Column("wall", Float, nullable=False),  # when a server was last at work, by its own clock
)
PEOPLE = Table(
    "people",
    metadata,
    Column("id", String, primary_key=True),
    Column("choices", JSON, nullable=False),
)
ACCOUNTS = Table(
    "accounts",
    metadata,
    Column("person", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("key", String, nullable=False, unique=True),  # the name as it is compared
    Column("password", String, nullable=False),  # argon2's hash of it
    Column("epoch", Integer, nullable=False),  # sessions of an older one have ended
    Column("created", Float, nullable=False),
    Column("hook", String),  # where to say that it is their turn
)
KEYS = Table(
    "keys",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("secret", String, nullable=False),  # signs sessions; the newest does, all are believed
    Column("created", Float, nullable=False),
)
RESULTS = Table(
    "results",
    metadata,
    Column("table", String, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("who", String, index=True),  # an account's person or a bot's level; nobody once the account is deleted
    Column("game", String, nullable=False),
    Column("players", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("finished", Float, nullable=False),
    Column("rated", Boolean, nullable=False),
)
RATINGS = Table(
    "ratings",
    metadata,
    Column("who", String, primary_key=True),
    Column("game", String, primary_key=True),
    Column("players", Integer, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
)
