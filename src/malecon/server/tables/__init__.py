"""The tables: one table, every change of tables, the bots that play there, clocks, hints and reviews.

Nothing here knows requests or pages; a person is only an identifier.
"""
