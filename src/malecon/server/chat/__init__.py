"""Chat at tables: messages of players and spectators, who reads them, relations between people, and reports."""
