"""How entries are appended to the logs of tables: for each kind of database, and once more to the shadow log.

Only `store` and what recovers data call this; everything else calls the store.
"""
