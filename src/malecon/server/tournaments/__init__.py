"""Tournaments that run themselves, and series against bots: pairing, standings, entering and leaving, rounds.

`pairing` and `standings` only calculate: they know numbers of entrants, no people, no tables and no database.
"""
