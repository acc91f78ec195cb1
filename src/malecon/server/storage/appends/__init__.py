"""How entries are appended to the logs of tables: once for each kind of database, and a second time for the witness.

Only `store` and what saves data call this; everybody else asks the store.
"""
