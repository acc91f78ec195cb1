"""Getting data back: backups, and rescuing what can be read of a damaged database. No running server imports this."""
