"""Tournaments and series against bots: entering and leaving, pairing, rounds, standings.

`pairing` and `standings` only calculate: they know numbers of entrants, but no people, tables or database.
"""
