"""Where bots think: in threads of this process, or in worker processes that share the database.

Bots get views, never a table. `tables` decides which table needs a move and who pays for it.
"""
