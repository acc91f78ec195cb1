"""The schema: every table of the database and its columns."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    false,
)

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
    Column(
        "needs_autoplay", Boolean, nullable=False, server_default=false(), index=True
    ),  # the next move is a bot's, or forced
    Column("commitment", String),
    Column("dice_from", Integer, nullable=False, server_default="0"),
    Column("secret", String),  # of the dice
    Column("clock", String, nullable=False, server_default="none"),  # the time for a turn, by its name
    Column("time_up", String, nullable=False, server_default="bot"),  # what happens when it is over
    Column("deadline", Float, index=True),  # of the seat to move
    Column("result_recorded", Boolean, nullable=False, server_default=false()),  # in the statistics, or there is none
    Column("hints", Boolean, nullable=False, server_default=false()),  # allowed though several people play
    Column("casual", Boolean, nullable=False, server_default=false()),  # counts nowhere: a page may think for its bots
    Column("page_thinks", Boolean, nullable=False, server_default=false()),  # it does now
    Column("digest", String),  # of its log, to notice that some of it is missing
    Column("notes", JSON, nullable=False, server_default="[]"),  # what happened to its seats
    Column("rematch", String),  # the table where the same people play again
    Column("public", Boolean, nullable=False, server_default=false()),  # the lobby shows it
    Index("ix_tables_owner_changed", "owner", "changed"),
    Index("ix_tables_result_recorded_over", "result_recorded", "over"),  # most tables are both, or neither
    Index("ix_tables_public_over", "public", "over"),
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
    Column("taken_over", Boolean, nullable=False, server_default=false()),  # the person who began there was removed
    Column("stop", Boolean, nullable=False, server_default=false()),  # the player would end the game unrated
    Column("plans", String),  # answers in advance and standing orders, a secret of the player
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
HEARTBEATS = Table(
    "heartbeats",
    metadata,
    Column("name", String, primary_key=True),
    Column("wall", Float, nullable=False),  # when a server was last at work, by its clock
)
PEOPLE = Table(
    "people",
    metadata,
    Column("id", String, primary_key=True),
    Column("choices", JSON, nullable=False),
    Column("changed", Float, nullable=False, server_default="0"),
)
ACCOUNTS = Table(
    "accounts",
    metadata,
    Column("person", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("key", String, nullable=False, unique=True),  # by which the name is found
    Column("skeleton", String, nullable=False, unique=True),  # the same for all names that look like it
    Column("password", String, nullable=False),  # argon2's hash of it
    Column("epoch", Integer, nullable=False),  # counts up whenever all sessions are ended
    Column("created", Float, nullable=False),
    Column("hook", String),  # the address of their web hook
    Column("moderator", Boolean, nullable=False, server_default=false()),
    Column(
        "identity", String, unique=True
    ),  # at another service by which they log in: its address and their name there
    Column("mail", String, index=True),  # confirmed
    Column("summary_days", Integer, nullable=False, server_default="0"),  # between two e-mails of what waits; 0: none
    Column("summary_due", Float, nullable=False, server_default="0"),
)
# Codes by which somebody gets back into an account, or confirms an address, once; only digests are stored.
CODES = Table(
    "codes",
    metadata,
    Column("digest", String, primary_key=True),
    Column("person", String, nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("made", Float, nullable=False),
    Column("expires", Float),
    Column("mail", String),  # the address that the code confirms
)
# E-mails that are to be sent.
MAILS = Table(
    "mails",
    metadata,
    Column("id", String, primary_key=True),
    Column("recipient", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("text", String, nullable=False),
    Column("made", Float, nullable=False),
    Column("due", Float, nullable=False, index=True),
    Column("tries", Integer, nullable=False, server_default="0"),
)
# What moderators did.
ACTS = Table(
    "acts",
    metadata,
    Column("id", String, primary_key=True),
    Column("made", Float, nullable=False, index=True),
    Column("person", String, index=True),  # the moderator; null: the command line, or a deleted account
    Column("name", String),
    Column("what", String, nullable=False),
    Column("about", String, index=True),  # whom it concerns
    Column("about_name", String),
    Column("detail", String, nullable=False, server_default=""),
)
SESSIONS = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("person", String, nullable=False, index=True),
    Column("began", Float, nullable=False),
    Column("seen", Float, nullable=False),  # about when it was last used
    Column("device", String, nullable=False),  # the browser or program that logged in, as a short name
)
KEYS = Table(
    "keys",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("secret", String, nullable=False),  # the newest signs sessions, all are accepted
    Column("created", Float, nullable=False),
)
RESULTS = Table(
    "results",
    metadata,
    Column("table", String, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("who", String, index=True),  # an account's person or a bot's level; null once the account is deleted
    Column("game", String, nullable=False),
    Column("players", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("finished", Float, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("mu", Float),  # the rating after it, if it was rated
    Column("sigma", Float),
    Column("opening", String),  # the first moves of the seat, in notation
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
WAITING = Table(
    "waiting",
    metadata,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("numbers", JSON, nullable=False),  # of players with which it may start, in order
    Column("options", JSON, nullable=False),
    Column("owner", String, nullable=False),
    Column("pace", String, nullable=False),
    Column("clock", String, nullable=False),
    Column("time_up", String, nullable=False),
    Column("hints", Boolean, nullable=False),
    Column("lowest", Float),  # the range of ratings of those who may join
    Column("highest", Float),
    Column("language", String, nullable=False),  # of its owner
    Column("opened", Float, nullable=False),
    Column("fill_at", Float),  # when bots take the free seats, if ever
    Column("bot", String, nullable=False),  # which ones
    Column("table", String, index=True),  # once the game has started
    Column("revision", Integer, nullable=False, server_default="0"),
)
WAITING_SEATS = Table(
    "waiting_seats",
    metadata,
    Column("waiting", String, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String, index=True),  # the seat is free if there is no bot either
    Column("name", String),
    Column("account", Boolean, nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("bot", String),
    Column("rating", Float),
    UniqueConstraint("waiting", "person", name="uq_waiting_seats_person"),
)
PRESENCE = Table(
    "presence",
    metadata,
    Column("process", String, primary_key=True),
    Column("wall", Float, nullable=False),  # when the process reported it
    Column("people", JSON, nullable=False),  # those connected there
)
MESSAGES = Table(
    "messages",
    metadata,
    Column("table", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("room", String, nullable=False),  # of the players, or of the spectators
    Column("person", String, nullable=False, index=True),
    Column("seat", Integer),
    Column("name", String),
    Column("account", Boolean, nullable=False),
    Column("text", String, nullable=False),
    Column("phrase", String),  # a prepared one, which everybody reads in their own language
    Column("said", Float, nullable=False),
    Column("hidden", Boolean, nullable=False, server_default=false()),  # by the host
)
REPORTS = Table(
    "reports",
    metadata,
    Column("table", String, primary_key=True),
    Column("number", Integer, primary_key=True),  # of the message
    Column("by", String, primary_key=True),
    Column("made", Float, nullable=False),
    Column("closed", Boolean, nullable=False, server_default=false(), index=True),
)
RELATIONS = Table(
    "relations",
    metadata,
    Column("person", String, primary_key=True),
    Column("other", String, primary_key=True, index=True),
    Column("kind", String, nullable=False),  # what the other is to the person: a friend, muted, blocked
)
SETTINGS = Table(
    "settings",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", JSON, nullable=False),
)
SANCTIONS = Table(
    "sanctions",
    metadata,
    Column("person", String, primary_key=True),
    Column("kind", String, nullable=False),  # muted: may not talk; banned: may not play or talk
    Column("name", String),
    Column("made", Float, nullable=False),
)
PUZZLE_TRIES = Table(
    "puzzle_tries",
    metadata,
    Column("person", String, primary_key=True),  # with an account
    Column("puzzle", String, primary_key=True),
    Column("solved", Boolean, nullable=False),  # at the first try, which alone counts
    Column("made", Float, nullable=False),
)
EXPLORER_COUNTS = Table(
    "explorer_counts",
    metadata,
    Column("game", String, primary_key=True),
    Column("rules", Integer, primary_key=True),
    Column("players", Integer, primary_key=True),
    Column("question", String, primary_key=True),
    Column("counts", JSON, nullable=False),  # by option: how often it was open to somebody, chosen, parts of the win
)
PUZZLE_RATINGS = Table(
    "puzzle_ratings",
    metadata,
    Column("who", String, primary_key=True),  # a person or a puzzle
    Column("rating", Float, nullable=False),
    Column("tries", Integer, nullable=False),
)
DEVICES = Table(
    "devices",
    metadata,
    Column("id", String, primary_key=True),  # a digest of the endpoint
    Column("person", String, nullable=False, index=True),  # its owner
    Column("endpoint", String, nullable=False),  # its address at a push service, a secret
    Column("p256dh", String, nullable=False),  # its key, and the secret it shares with the server
    Column("auth", String, nullable=False),
    Column("language", String, nullable=False),  # of its browser
    Column("added", Float, nullable=False),
    Column("notified", Float, nullable=False, server_default="0"),  # when it was last notified of a free seat
    Column("confirmed", Float, nullable=False, server_default="0"),  # when a message was last accepted, to the day
    Column("session", String, index=True),  # the session by which an account added it, and with which it ends
)
LESSONS_DONE = Table(
    "lessons_done",
    metadata,
    Column("person", String, primary_key=True),
    Column("lesson", String, primary_key=True),  # game and key
    Column("made", Float, nullable=False),
)
ANALYSES = Table(
    "analyses",
    metadata,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False, index=True),
    Column("game", String, nullable=False),
    Column("document", String, nullable=False),  # the tree, as a file has it
    Column("changed", Float, nullable=False),
    Column("revision", Integer, nullable=False, server_default="0"),
)
TOURNAMENTS = Table(
    "tournaments",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("game", String, nullable=False),
    Column("format", String, nullable=False),
    Column("players", Integer, nullable=False),  # at a table
    Column("rounds", Integer, nullable=False),  # of a Swiss; games of a series; how often all meet in a round robin
    Column("options", JSON, nullable=False),
    Column("owner", String, nullable=False, index=True),
    Column("clock", String, nullable=False),
    Column("time_up", String, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("lowest", Float),  # the range of ratings of those who may join
    Column("highest", Float),
    Column("fewest", Integer, nullable=False),  # entrants without whom it does not start, and with whom it is full
    Column("most", Integer, nullable=False),
    Column("starts", Float),  # when it starts; if missing, the owner starts it
    Column("bot", String),  # the level of a series
    Column("state", String, nullable=False, index=True),
    Column("round", Integer, nullable=False),  # the one that is on; 0 before the first
    Column("plan", JSON),  # all rounds of a round robin, once it has started
    Column("seed", String, nullable=False),  # of its lots
    Column("opened", Float, nullable=False),
    Column("ended", Float),
    Column("revision", Integer, nullable=False),
)
ENTRANTS = Table(
    "entrants",
    metadata,
    Column("tournament", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("person", String, index=True),  # null once the account is deleted
    Column("joined", Float, nullable=False),
    Column("withdrawn", Integer),  # in which round
    UniqueConstraint("tournament", "person", name="uq_entrants_person"),
)
PAIRINGS = Table(
    "pairings",
    metadata,
    Column("tournament", String, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("entrant", Integer, primary_key=True),  # nobody plays twice in a round
    Column("table", String, index=True),  # none: a bye or a walkover
    Column("seat", Integer),
    Column("walkover", Boolean, nullable=False),
    Column("place", Integer),  # all of these once the table is decided
    Column("beaten", Integer),  # half opponents
    Column("opponents", Integer),
    Column("points", Integer),  # in the game
)
