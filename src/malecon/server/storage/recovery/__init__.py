"""Getting data back: backups, and what can be saved of a damaged database. The running server never imports this."""
