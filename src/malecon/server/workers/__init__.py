"""How bots think for tables: in threads of this process, or in processes elsewhere that share the database.

Bots are handed views, never a table. Which table needs a move, and who pays for it, is for `tables`.
"""
