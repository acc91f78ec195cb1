"""People: visitors, accounts, sessions, presence, profiles and ratings. No pages, and no moves."""
