"""The tables: one table and what may be done there, the bots that play, clocks, hints and reviews.

Every change goes through `actions` and is committed before anybody hears of it. Nothing here knows requests or pages; a
person is only an identifier.
"""
