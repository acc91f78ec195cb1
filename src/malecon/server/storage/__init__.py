"""The database: its schema and migrations, the logs of all games, snapshots, notices between processes, and backups.

Nothing here knows a rule of a game, who may do what, or what a page looks like.
"""
